/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*===- nnet3_rt_demo.c - Running a program from C -------------------------===*\
|*
|* Usage: nnet3-rt-demo PROGRAM
|*
|* Loads a program file, prints its inputs and outputs, runs all parts once with
|* zero inputs and prints the first values of each output.
|*
\*===----------------------------------------------------------------------===*/

#include "nnet3/runtime/nnet3_runtime.h"

#include <stdio.h>
#include <stdlib.h>

static int complain(const char *what) {
  fprintf(stderr, "nnet3-rt-demo: error: %s: %s\n", what, nnet3rt_last_error());
  return 1;
}

static const char *kind(const nnet3rt_io_info *info) {
  return info->is_derivative ? "derivative of " : "";
}

/* Sets each input to zeros. The num_inputs buffers must live until the run; the
   caller frees them. */
static int set_zeros(const nnet3rt_program *program, nnet3rt_instance *instance,
                     float **buffers) {
  const int32_t num_inputs = nnet3rt_program_num_inputs(program);
  int32_t i;
  for (i = 0; i < num_inputs; ++i) {
    nnet3rt_io_info info = {sizeof(info), 0, NULL, 0, 0, NULL, NULL, NULL};
    if (nnet3rt_program_input_info(program, i, &info) != NNET3RT_OK)
      return complain("input");
    printf("input %s%s: %d x %d\n", kind(&info), info.name, (int)info.rows,
           (int)info.cols);
    buffers[i] = calloc((size_t)info.rows * (size_t)info.cols, sizeof(float));
    if (nnet3rt_instance_set_input(instance, info.name, buffers[i], info.rows,
                                   info.cols, info.cols) != NNET3RT_OK)
      return complain(info.name);
  }
  return 0;
}

/* Runs the forward pass, and the backward pass if there is one. */
static int run(const nnet3rt_program *program, nnet3rt_instance *instance) {
  const int32_t num_inputs = nnet3rt_program_num_inputs(program);
  int32_t num_parts = 1, i;
  for (i = 0; i < num_inputs; ++i) {
    nnet3rt_io_info info = {sizeof(info), 0, NULL, 0, 0, NULL, NULL, NULL};
    if (nnet3rt_program_input_info(program, i, &info) != NNET3RT_OK)
      return complain("input");
    if (info.is_derivative)
      num_parts = 2;
  }
  for (i = 0; i < num_parts; ++i)
    if (nnet3rt_instance_run(instance) != NNET3RT_OK)
      return complain("run");
  return 0;
}

static int print_outputs(const nnet3rt_program *program,
                         const nnet3rt_instance *instance) {
  const int32_t num_outputs = nnet3rt_program_num_outputs(program);
  int32_t i, c;
  for (i = 0; i < num_outputs; ++i) {
    nnet3rt_io_info info = {sizeof(info), 0, NULL, 0, 0, NULL, NULL, NULL};
    const float *data = NULL;
    if (nnet3rt_program_output_info(program, i, &info) != NNET3RT_OK ||
        nnet3rt_instance_get_output(instance, info.name, &data, NULL, NULL,
                                    NULL) != NNET3RT_OK)
      return complain("output");
    printf("output %s%s: %d x %d, row 0:", kind(&info), info.name,
           (int)info.rows, (int)info.cols);
    for (c = 0; c < info.cols && c < 8; ++c)
      printf(" %g", data[c]);
    printf(info.cols > 8 ? " ...\n" : "\n");
  }
  return 0;
}

int main(int argc, char **argv) {
  nnet3rt_program *program = NULL;
  nnet3rt_instance *instance = NULL;
  float **buffers;
  int32_t num_inputs, i;
  int result;
  if (argc != 2) {
    fprintf(stderr, "usage: nnet3-rt-demo PROGRAM\n");
    return 1;
  }
  if (nnet3rt_abi_version() != NNET3RT_ABI_VERSION) {
    fprintf(stderr, "nnet3-rt-demo: error: header and library differ\n");
    return 1;
  }
  if (nnet3rt_program_load_file(argv[1], NULL, &program) != NNET3RT_OK)
    return complain("load");
  if (nnet3rt_instance_create(program, NULL, &instance) != NNET3RT_OK) {
    nnet3rt_program_destroy(program);
    return complain("instance");
  }
  num_inputs = nnet3rt_program_num_inputs(program);
  buffers = calloc((size_t)num_inputs + 1, sizeof(*buffers));
  result = buffers ? set_zeros(program, instance, buffers) : 1;
  if (result == 0)
    result = run(program, instance);
  if (result == 0)
    result = print_outputs(program, instance);
  for (i = 0; buffers && i < num_inputs; ++i)
    free(buffers[i]);
  free(buffers);
  nnet3rt_instance_destroy(instance);
  nnet3rt_program_destroy(program);
  return result;
}
