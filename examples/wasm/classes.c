/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A module of WebAssembly: the most likely class of each output row of a chunk.
   run.mjs beside this uses it. */
#include "net.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT(name) __attribute__((export_name(name)))

static net_instance *instance;
static net_matrix_info input_info, ivector_info, output_info;
static float *input, *ivector, *output;

static float *allocate(const net_matrix_info *info) {
  return calloc((size_t)info->rows * info->cols, sizeof(float));
}

/** Opens the model; gives the status. */
EXPORT("open") int32_t open_model(void) {
  net_model *model;
  net_status status = net_model_open(NET_ABI_VERSION, NULL, &model);
  if (status != NET_OK)
    return status;
  input_info.struct_size = sizeof(input_info);
  ivector_info.struct_size = sizeof(ivector_info);
  output_info.struct_size = sizeof(output_info);
  if ((status = net_get_input_info(model, 0, 0, &input_info)) != NET_OK ||
      (status = net_get_input_info(model, 0, 1, &ivector_info)) != NET_OK ||
      (status = net_get_output_info(model, 0, 0, &output_info)) != NET_OK)
    return status;
  input = allocate(&input_info);
  ivector = allocate(&ivector_info);
  output = allocate(&output_info);
  if (!input || !ivector || !output)
    return NET_OUT_OF_MEMORY;
  return net_instance_create(model, 0, &instance);
}

/** Where the caller writes frames, and how many numbers they are. */
EXPORT("get_input") float *get_input(void) { return input; }
EXPORT("get_input_size") int32_t get_input_size(void) {
  return input_info.rows * input_info.cols;
}
EXPORT("get_rows") int32_t get_rows(void) { return output_info.rows; }

/** Computes the chunk; gives the class of each row, or null. */
EXPORT("classify") const int32_t *classify(void) {
  static int32_t classes[64];
  const net_input inputs[] = {
      {input, input_info.cols, input_info.rows, input_info.cols},
      {ivector, ivector_info.cols, ivector_info.rows, ivector_info.cols}};
  const net_output to = {output, output_info.cols, output_info.rows,
                         output_info.cols};
  int32_t row, col;
  if (output_info.rows > 64 ||
      net_instance_run(instance, inputs, 2, &to, 1) != NET_OK)
    return NULL;
  for (row = 0; row < output_info.rows; ++row) {
    const float *scores = output + (size_t)row * output_info.cols;
    classes[row] = 0;
    for (col = 1; col < output_info.cols; ++col)
      if (scores[col] > scores[classes[row]])
        classes[row] = col;
  }
  return classes;
}
