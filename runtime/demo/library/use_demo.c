/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*===- use_demo.c - A program that uses a library -------------------------===*\
|*
|* Runs the first request of libdemo.so on ones, and prints its inputs and the
|* first row of each output. Uses demo.h only.
|*
\*===----------------------------------------------------------------------===*/

#include "demo.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int fail(const char *what, demo_status status) {
  fprintf(stderr, "%s: %s\n", what, demo_error_text(status));
  return 1;
}

static void print_matrix(const char *kind, const demo_matrix_info *info) {
  printf("%s %s: %d x %d", kind, info->name, (int)info->rows, (int)info->cols);
  if (info->t)
    printf(", t from %d to %d", (int)info->t[0], (int)info->t[info->rows - 1]);
  printf("\n");
}

/** Runs \p instance on ones and prints the first row of each output. */
static int run(demo_instance *instance, const demo_model *model,
               int32_t num_outputs) {
  demo_matrix_info info;
  demo_input input;
  demo_status status;
  float *ones;
  int32_t i;
  memset(&info, 0, sizeof(info));
  info.struct_size = sizeof(info);
  status = demo_get_input_info(model, 0, 0, &info);
  if (status != DEMO_OK)
    return fail("input", status);
  print_matrix("input", &info);
  ones = (float *)malloc(sizeof(float) * (size_t)(info.rows * info.cols));
  if (!ones)
    return fail("memory", DEMO_OUT_OF_MEMORY);
  for (i = 0; i < info.rows * info.cols; ++i)
    ones[i] = 1;
  input.data = ones;
  input.rows = info.rows;
  input.cols = info.cols;
  input.stride = info.cols;
  status = demo_instance_run(instance, &input, 1, NULL, 0);
  free(ones);
  if (status != DEMO_OK)
    return fail("run", status);
  for (i = 0; i < num_outputs; ++i) {
    const float *row;
    int32_t c;
    status = demo_get_output_info(model, 0, i, &info);
    if (status == DEMO_OK)
      status = demo_instance_get_output(instance, i, &row, NULL);
    if (status != DEMO_OK)
      return fail("output", status);
    print_matrix("output", &info);
    for (c = 0; c < info.cols; ++c)
      printf(" %.4f", row[c]);
    printf("\n");
  }
  return 0;
}

int main(void) {
  demo_open_options options;
  demo_request_info request;
  demo_model *model;
  demo_instance *instance;
  demo_status status;
  char message[256];
  int result;
  memset(&options, 0, sizeof(options));
  options.struct_size = sizeof(options);
  options.message = message;
  options.message_size = sizeof(message);
  status = demo_model_open(DEMO_ABI_VERSION, &options, &model);
  if (status != DEMO_OK)
    return fail(message, status);
  memset(&request, 0, sizeof(request));
  request.struct_size = sizeof(request);
  status = demo_get_request_info(model, 0, &request);
  if (status == DEMO_OK)
    status = demo_instance_create(model, 0, &instance);
  if (status != DEMO_OK) {
    demo_model_close(model);
    return fail("request", status);
  }
  printf("request %s\n", request.name);
  result = run(instance, model, request.num_outputs);
  demo_instance_destroy(instance);
  demo_model_close(model);
  return result;
}
