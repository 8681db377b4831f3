#include <vector>
#include <string>
using namespace std;

namespace store {

template <typename T, int Size = 8>
class Stack : public Base<T> {
public:
  explicit Stack(const string &name) : name_{name}, items_() {}
  virtual ~Stack() = default;
  Stack(const Stack &) = delete;
  bool empty() const noexcept { return items_.empty(); }
  void push(T &&item) {
    if (items_.size() >= Size) throw runtime_error("full: " + name_);
    items_.push_back(std::move(item));
  }
  T operator[](size_t at) const { return items_[at]; }

private:
  string name_;
  vector<T> items_;
  static constexpr auto limit = 0b101;
};

enum class Mode : char { read, write };

auto twice(auto f) -> decltype(f(0)) { return f(f(1)); }

}  // namespace store

int main() {
  store::Stack<int> stack("a");
  for (int i = 0; i < 3; ++i) stack.push(i * 2);
  int base = 1, *pointer = nullptr;
  auto add = [&base, pointer](int x) mutable -> int { return x + base; };
  for (auto &&[key, value] : pairs) { delete key; value += add(2); }
  try {
    pointer = new int[3]{1, 2, 3};
  } catch (const exception &error) {
    cerr << error.what() << endl;
  } catch (...) {
    return static_cast<int>(store::Mode::read);
  }
  if (const auto n = twice(add); n > 0 && !stack.empty()) { return n ? 1'000 : -1; }
  return 0;
}
