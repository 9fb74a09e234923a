/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What programs that test the streams of a library share. */

#ifndef STREAM_TEST_H
#define STREAM_TEST_H

#include "net.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int numAllocations, numFailures;

void *__libc_malloc(size_t size);

/* In the place of the C library's, for the library too. */
void *malloc(size_t size) {
  ++numAllocations;
  return __libc_malloc(size);
}

#define CHECK(condition)                                                       \
  do {                                                                         \
    if (!(condition)) {                                                        \
      fprintf(stderr, "line %d: %s\n", __LINE__, #condition);                  \
      ++numFailures;                                                           \
    }                                                                          \
  } while (0)

typedef struct Matrix {
  int rows, cols;
  float *data;
} Matrix;

static Matrix readMatrix(const char *path) {
  Matrix matrix = {0, 0, NULL};
  FILE *file = fopen(path, "r");
  int i;
  if (!file || fscanf(file, "%d %d", &matrix.rows, &matrix.cols) != 2)
    exit(1);
  matrix.data = calloc((size_t)(matrix.rows * matrix.cols), sizeof(float));
  for (i = 0; i < matrix.rows * matrix.cols; ++i)
    if (fscanf(file, "%f", &matrix.data[i]) != 1)
      exit(1);
  fclose(file);
  return matrix;
}

static void *makeState(uint64_t size) {
  void *state = NULL;
  if (posix_memalign(&state, NET_ALIGNMENT, size) != 0)
    exit(1);
  memset(state, 0xaa, size);
  return state;
}

static int clamp(int value, int last) {
  return value < 0 ? 0 : value > last ? last : value;
}

/* The rows from number \p first on; the first and the last row of all stand for
   those around them. */
static float *takeRows(Matrix from, int first, int count) {
  float *rows = calloc((size_t)(count * from.cols), sizeof(float));
  int r;
  for (r = 0; r < count; ++r)
    memcpy(rows + r * from.cols,
           from.data + clamp(first + r, from.rows - 1) * from.cols,
           (size_t)from.cols * sizeof(float));
  return rows;
}

#endif /* STREAM_TEST_H */
