/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Features of 16-bit samples as they come:

     cc -Iruntime/include examples/c/features.c -Lbuild/lib -lnnet3_features \
       -lstdc++ -lm -o features
     arecord -t raw -f S16_LE -r 16000 | ./features mfcc.conf

   prints a line of numbers for each frame. */
#include "nnet3/runtime/nnet3_features.h"

#include <stdio.h>
#include <stdlib.h>

enum { MAX_CONFIG = 1 << 16, MAX_SAMPLES = 1600, MAX_ROWS = 16 };

static nnet3_features *make_features(const char *path) {
  static char config[MAX_CONFIG];
  char message[200];
  nnet3_features *features;
  size_t size;
  FILE *file = fopen(path, "rb");
  if (!file) {
    perror(path);
    exit(1);
  }
  size = fread(config, 1, sizeof(config), file);
  fclose(file);
  if (nnet3_features_create(NNET3_FEATURES_MFCC, config, size, &features,
                            message, sizeof(message))) {
    fprintf(stderr, "%s:%s\n", path, message);
    exit(1);
  }
  return features;
}

static void print_rows(const float *rows, int64_t num_rows, int32_t dim) {
  int64_t i;
  for (i = 0; i < num_rows * dim; ++i)
    printf("%.9g%c", rows[i], (i + 1) % dim == 0 ? '\n' : ' ');
  fflush(stdout);
}

int main(int argc, char **argv) {
  int16_t integers[MAX_SAMPLES];
  float samples[MAX_SAMPLES];
  nnet3_features_stream *stream;
  size_t count, i;
  if (argc != 2) {
    fprintf(stderr, "usage: %s MFCC-CONFIG < SAMPLES\n", argv[0]);
    return 1;
  }
  nnet3_features *features = make_features(argv[1]);
  const int32_t dim = nnet3_features_dim(features);
  float *rows = malloc(MAX_ROWS * dim * sizeof(float));
  if (!rows || nnet3_features_open(features, &stream)) {
    fprintf(stderr, "out of memory\n");
    return 1;
  }

  int64_t used, num_rows;
  while ((count = fread(integers, sizeof(int16_t), MAX_SAMPLES, stdin)) > 0) {
    for (i = 0; i < count; ++i)
      samples[i] = integers[i];
    for (i = 0; i < count; i += used) {
      nnet3_features_push(stream, samples + i, count - i, &used, rows, MAX_ROWS,
                          &num_rows);
      print_rows(rows, num_rows, dim);
    }
  }
  do {
    nnet3_features_finish(stream, rows, MAX_ROWS, &num_rows);
    print_rows(rows, num_rows, dim);
  } while (num_rows == MAX_ROWS);

  nnet3_features_close(stream);
  nnet3_features_destroy(features);
  free(rows);
  return 0;
}
