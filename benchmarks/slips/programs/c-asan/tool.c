#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *pack(const char *text) {
  char *names = malloc(8), *values = malloc(4);
  int n = 0, v = 0;
  for (; *text; text++) {
    if (*text >= '0' && *text <= '9')
      values[v++] = *text; /* BUG values */
    else if (*text >= 'a' && *text <= 'z')
      names[n++] = *text; /* BUG names */
    else if (*text == ';')
      n = v = 0;
  }
  free(values);
  return names;
}

int main(int argc, char **argv) {
  static char text[1000];
  FILE *file = fopen(argv[1], "r");
  size_t size = fread(text, 1, sizeof text - 1, file);
  fclose(file);
  text[argc > 1 ? size : 0] = 0;
  free(pack(text));
  return 0;
}
