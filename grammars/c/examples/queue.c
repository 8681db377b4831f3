#include <stdio.h>
#include "queue.h"
#define SIZE 16
#define MAX(a, b) ((a) > (b) ? (a) : (b))

/* A ring of numbers. */
typedef struct queue {
  int items[SIZE];
  unsigned head : 4, tail;
  struct queue *next;
} queue_t;

enum state { EMPTY, HALF = 8, FULL };
static const char *names[] = { "empty", "half", "full" };
union word { int whole; char parts[4]; };

extern int count(const queue_t *queue);

int push(queue_t *queue, int item) {
  if (queue == NULL || (queue->tail + 1) % SIZE == queue->head)
    return -1;
  queue->items[queue->tail++] = item;
  return 0;
}

static inline long sum(queue_t queue, int (*map)(int)) {
  long total = 0L;
  for (unsigned i = queue.head, j = 0; i != queue.tail; i = (i + 1) % SIZE, j++) {
    total += map ? map(queue.items[i]) : *(queue.items + i);
  }
  return total;
}

int main(int argc, char **argv) {
  queue_t queue = { .head = 0, .tail = 0 };
  while (argc-- > 1) {
    int item;
    if (sscanf(argv[argc], "%d", &item) != 1) goto bad;
    push(&queue, item);
  }
  switch (count(&queue)) {
  case 0:
    puts(names[EMPTY]);
    break;
  default:
    printf("%ld %c\n", sum(queue, NULL), 'x');
  }
  do { queue.head ^= 0x1u << 2; } while (!~queue.head);
#ifdef DEBUG
  fprintf(stderr, "size %zu\n", sizeof(queue_t));
#endif
  return MAX(1.5e3 > 2, 0);
bad:
  return (int)1;
}
