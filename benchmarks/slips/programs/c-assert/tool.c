#include <assert.h>
#include <stdio.h>

static int balance(FILE *file) {
  int depth = 0, c;
  while ((c = fgetc(file)) != EOF) {
    if (c == '(')
      depth++;
    if (c == ')')
      depth--;
    assert(depth >= 0); /* BUG below */
    assert(depth < 4); /* BUG above */
  }
  return depth;
}

int main(int argc, char **argv) {
  return balance(fopen(argv[argc - 1], "r"));
}
