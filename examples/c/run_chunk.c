/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Runs the first request of a library made by nnet3-compile --prefix=net on
   features that are all zero, and prints the first row of the output.

     nnet3-compile --chunk=30 --prefix=net -o net MODEL
     cc -I. run_chunk.c -L. -lnet -Wl,-rpath,. -o run_chunk
*/

#include "net.h"

#include <stdio.h>
#include <stdlib.h>

/* Zeros for input number `index`; a stride of the number of columns. */
static net_input make_input(const net_model *model, int32_t index) {
  net_input input = {0};
  net_matrix_info info = {0};
  info.struct_size = sizeof(info);
  if (net_get_input_info(model, 0, index, &info) == NET_OK) {
    input.data = calloc((size_t)info.rows * (size_t)info.cols, sizeof(float));
    input.stride = info.cols;
    input.rows = info.rows;
    input.cols = info.cols;
    printf("input %s: %d x %d\n", info.name, (int)info.rows, (int)info.cols);
  }
  return input;
}

static int run(const net_model *model) {
  net_request_info request = {0};
  net_matrix_info output = {0};
  net_instance *instance = NULL;
  net_input inputs[8];
  const float *data;
  int64_t stride;
  net_status status;
  int32_t i;

  request.struct_size = sizeof(request);
  output.struct_size = sizeof(output);
  if (net_get_request_info(model, 0, &request) != NET_OK ||
      request.num_inputs > 8 ||
      net_get_output_info(model, 0, 0, &output) != NET_OK)
    return 1;
  for (i = 0; i < request.num_inputs; ++i)
    inputs[i] = make_input(model, i);
  status = net_instance_create(model, 0, &instance);
  if (status == NET_OK)
    status = net_instance_run(instance, inputs, request.num_inputs, NULL, 0);
  if (status == NET_OK)
    status = net_instance_get_output(instance, 0, &data, &stride);
  if (status == NET_OK) {
    printf("output %s: %d x %d\n", output.name, (int)output.rows,
           (int)output.cols);
    for (i = 0; i < output.cols && i < 6; ++i)
      printf("%g ", (double)data[i]);
    printf("\n");
  } else {
    fprintf(stderr, "%s\n", net_error_text(status));
  }
  net_instance_destroy(instance);
  for (i = 0; i < request.num_inputs; ++i)
    free((void *)inputs[i].data);
  return status != NET_OK;
}

int main(void) {
  net_model *model = NULL;
  net_status status = net_model_open(NET_ABI_VERSION, NULL, &model);
  int failed = 1;
  if (status == NET_OK)
    failed = run(model);
  else
    fprintf(stderr, "%s\n", net_error_text(status));
  net_model_close(model);
  return failed;
}
