/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* c_api_test.c - The C header, compiled as strict C99. */

#include "nnet3/runtime/nnet3_runtime.h"

#include <stdio.h>
#include <string.h>

static int failures = 0;

#define EXPECT(condition)                                                      \
  do {                                                                         \
    if (!(condition)) {                                                        \
      printf("%s:%d: expected %s; last error: %s\n", __FILE__, __LINE__,       \
             #condition, nnet3rt_last_error());                                \
      ++failures;                                                              \
    }                                                                          \
  } while (0)

static void count_command(void *user, int32_t phase, int32_t command,
                          const char *text, double seconds) {
  (void)command;
  EXPECT(text != NULL && text[0] != '\0' && seconds >= 0);
  ++((int *)user)[phase];
}

/* Checks the whole interface on a program that doubles a 2 x 3 matrix and adds
   1; returns the number of failures. Called from CApiTest.cpp. */
int check_c_api(const void *file, uint64_t size, const char *path) {
  nnet3rt_program *program = NULL;
  nnet3rt_instance *instance = NULL;
  nnet3rt_load_options load_options;
  nnet3rt_instance_options instance_options;
  nnet3rt_io_info info;
  int commands[2] = {0, 0};
  const float input[2 * 4] = {1, 2, 3, 99, 4, 5, 6, 99};
  float output[2 * 5];
  const float *data = NULL;
  int32_t rows = 0, cols = 0;
  int64_t stride = 0;
  int i;

  EXPECT(nnet3rt_abi_version() == NNET3RT_ABI_VERSION);
  EXPECT(nnet3rt_program_load(NULL, 0, NULL, &program) ==
         NNET3RT_INVALID_ARGUMENT);
  EXPECT(nnet3rt_program_load("nonsense", 8, NULL, &program) ==
         NNET3RT_INVALID_PROGRAM);
  EXPECT(program == NULL && strlen(nnet3rt_last_error()) > 0);
  EXPECT(nnet3rt_program_load_file("/nonexistent", NULL, &program) ==
         NNET3RT_IO_ERROR);
  memset(&load_options, 0, sizeof(load_options));
  EXPECT(nnet3rt_program_load(file, size, &load_options, &program) ==
         NNET3RT_INVALID_ARGUMENT); /* struct_size not set */
  load_options.struct_size = sizeof(load_options);
  load_options.max_arena_bytes = 16;
  EXPECT(nnet3rt_program_load(file, size, &load_options, &program) ==
         NNET3RT_INVALID_PROGRAM);
  EXPECT(nnet3rt_program_load(file, size, NULL, &program) == NNET3RT_OK);
  nnet3rt_program_destroy(program);
  EXPECT(nnet3rt_program_load_file(path, NULL, &program) == NNET3RT_OK);
  if (!program)
    return failures;

  EXPECT(nnet3rt_program_num_inputs(program) == 1);
  EXPECT(nnet3rt_program_num_outputs(program) == 1);
  EXPECT(nnet3rt_program_arena_bytes(program) >= 2 * 3 * sizeof(float));
  memset(&info, 0, sizeof(info));
  info.struct_size = sizeof(info);
  EXPECT(nnet3rt_program_input_info(program, 1, &info) ==
         NNET3RT_INVALID_ARGUMENT);
  EXPECT(nnet3rt_program_input_info(program, 0, &info) == NNET3RT_OK);
  EXPECT(strcmp(info.name, "input") == 0 && info.rows == 2 && info.cols == 3);
  EXPECT(info.n == NULL && info.is_derivative == 0);
  EXPECT(nnet3rt_program_output_info(program, 0, &info) == NNET3RT_OK);
  EXPECT(strcmp(info.name, "output") == 0 && info.rows == 2 && info.cols == 3);

  memset(&instance_options, 0, sizeof(instance_options));
  instance_options.struct_size = sizeof(instance_options);
  instance_options.poison = 1;
  instance_options.trace = count_command;
  instance_options.trace_user = commands;
  EXPECT(nnet3rt_instance_create(program, &instance_options, &instance) ==
         NNET3RT_OK);
  nnet3rt_program_destroy(program); /* the instance keeps what it needs */
  if (!instance)
    return failures;
  EXPECT(nnet3rt_instance_run(instance) == NNET3RT_NOT_READY);
  EXPECT(nnet3rt_instance_get_output(instance, "output", &data, NULL, NULL,
                                     NULL) == NNET3RT_NOT_READY);
  EXPECT(nnet3rt_instance_set_input(instance, "input", input, 2, 3, 2) ==
         NNET3RT_INVALID_ARGUMENT); /* the stride is too small */
  EXPECT(nnet3rt_instance_set_input(instance, "input", input, 2, 3, 4) ==
         NNET3RT_OK);
  EXPECT(nnet3rt_instance_run(instance) == NNET3RT_OK);
  EXPECT(commands[0] > 0 && commands[0] == commands[1]);
  EXPECT(nnet3rt_instance_get_output(instance, "output", &data, &rows, &cols,
                                     &stride) == NNET3RT_OK);
  EXPECT(rows == 2 && cols == 3 && stride >= 3);
  EXPECT(data[0] == 3 && data[2] == 7 && data[stride] == 9);
  for (i = 0; i < 10; ++i)
    output[i] = -1;
  EXPECT(nnet3rt_instance_copy_output(instance, "output", output, 3, 2, 3) ==
         NNET3RT_INVALID_ARGUMENT);
  EXPECT(nnet3rt_instance_copy_output(instance, "output", output, 2, 3, 5) ==
         NNET3RT_OK);
  EXPECT(output[0] == 3 && output[2] == 7 && output[3] == -1 &&
         output[5] == 9 && output[7] == 13 && output[8] == -1);
  EXPECT(nnet3rt_instance_copy_output(instance, "foo", output, 2, 3, 5) ==
         NNET3RT_INVALID_ARGUMENT);
  EXPECT(strcmp(nnet3rt_last_error(), "the program has no output 'foo'") == 0);
  nnet3rt_instance_destroy(instance);
  nnet3rt_instance_destroy(NULL);
  nnet3rt_program_destroy(NULL);
  return failures;
}
