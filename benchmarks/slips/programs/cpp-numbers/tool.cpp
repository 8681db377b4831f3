#include <fstream>
#include <iostream>
#include <sstream>
#include <string>

static double price(const std::string &line) {
  std::istringstream fields(line);
  std::string count, each;
  std::getline(fields, count, ' ');
  std::getline(fields, each, ' ');
  int many = std::stoi(count);
  return many * std::stod(each);
}

int main(int, char **argv) {
  std::ifstream file(argv[1]);
  double sum = 0;
  for (std::string line; std::getline(file, line);) sum += price(line);
  std::cout << sum << "\n";
}
