/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Streams frames through a library, in chunks of random lengths, and prints the
   outputs: use_stream FRAMES IVECTOR SEED. The files have the number of rows and
   of columns, then the numbers. Between any two steps the state goes through
   everything that may happen to it. */

#include "stream_test.h"

/* One step with all that must not work before it. */
static void step(net_model *model, net_stepper *stepper, char *state,
                 uint64_t size, int numFrames, const net_input *inputs,
                 int numInputs, const net_output *output) {
  char *copy = makeState(size), *other = makeState(size);
  float *again = calloc((size_t)(output->rows * output->cols), sizeof(float));
  const size_t outputBytes =
      (size_t)(output->rows * output->cols) * sizeof(float);
  net_output second = *output;
  net_input wrong[2];
  int allocations;
  second.data = again;
  memcpy(wrong, inputs, (size_t)numInputs * sizeof(*inputs));
  wrong[0].rows += 1;
  memcpy(copy, state, size);

  CHECK(net_stepper_step(stepper, state, numFrames + 1, inputs, numInputs,
                         output) == NET_NO_SUCH_CHUNK);
  CHECK(net_stepper_step(stepper, state, numFrames, wrong, numInputs, output) ==
        NET_WRONG_DIMS);
  CHECK(net_stepper_step(stepper, state, numFrames, inputs, numInputs - 1,
                         output) == NET_WRONG_DIMS);
  CHECK(net_stepper_step(stepper, other, numFrames, inputs, numInputs,
                         output) == NET_WRONG_STATE);
  CHECK(net_stepper_step(stepper, state + 4, numFrames, inputs, numInputs,
                         output) == NET_MISALIGNED);
  CHECK(net_stepper_step(stepper, NULL, numFrames, inputs, numInputs, output) ==
        NET_NULL_ARGUMENT);
  CHECK(memcmp(copy, state, size) == 0);

  allocations = numAllocations;
  CHECK(net_stepper_step(stepper, state, numFrames, inputs, numInputs,
                         output) == NET_OK);
  CHECK(numAllocations == allocations);
  /* A copy of the state goes the same way. */
  CHECK(net_stepper_step(stepper, copy, numFrames, inputs, numInputs,
                         &second) == NET_OK);
  CHECK(memcmp(again, output->data, outputBytes) == 0);
  CHECK(memcmp(copy, state, size) == 0);
  /* Through a file, so to say. */
  CHECK(net_state_check(model, state, size) == NET_WRONG_STATE);
  CHECK(net_state_seal(model, state) == NET_OK);
  memcpy(other, state, size);
  CHECK(net_state_check(model, other, size) == NET_OK);
  CHECK(net_state_check(model, other, size - 1) == NET_MEMORY_TOO_SMALL);
  other[size - 1] ^= 1;
  CHECK(size == 64 || net_state_check(model, other, size) == NET_WRONG_STATE);
  other[12] ^= 1;
  CHECK(net_state_check(model, other, size) == NET_WRONG_STATE);
  free(copy);
  free(other);
  free(again);
}

static void run(net_model *model, Matrix frames, Matrix ivector) {
  net_stream_info info = {0};
  net_stepper *stepper = NULL;
  char *state;
  int begun = 0, start = 0, r, i;
  info.struct_size = sizeof(info);
  CHECK(net_get_stream_info(model, &info) == NET_OK);
  CHECK(info.input_dim == frames.cols && info.ivector_dim == ivector.cols);
  CHECK(net_stepper_create(model, NULL, &stepper) == NET_OK);
  state = makeState(info.state_bytes);
  CHECK(net_state_init(model, state, info.state_bytes - 1) ==
        NET_MEMORY_TOO_SMALL);
  CHECK(net_state_init(model, state, info.state_bytes) == NET_OK);
  while (start < frames.rows) {
    net_chunk_info chunk = {0};
    net_input inputs[2];
    net_output output;
    int rows, numIvectors, first;
    chunk.struct_size = sizeof(chunk);
    CHECK(net_get_chunk_info(model, info.num_chunks, &chunk) ==
          NET_NO_SUCH_CHUNK);
    do
      CHECK(net_get_chunk_info(model, rand() % info.num_chunks, &chunk) ==
            NET_OK);
    while (!begun && !chunk.can_begin);
    rows = begun ? chunk.next_input_rows : chunk.first_input_rows;
    numIvectors = begun ? chunk.next_ivector_rows : chunk.first_ivector_rows;
    first = start + (begun ? info.right_context : -info.left_context);
    inputs[0].data = takeRows(frames, first, rows);
    inputs[1].data = takeRows(ivector, 0, numIvectors);
    inputs[0].rows = rows;
    inputs[0].cols = inputs[0].stride = frames.cols;
    inputs[1].rows = numIvectors;
    inputs[1].cols = inputs[1].stride = ivector.cols;
    output.rows = chunk.output_rows;
    output.cols = output.stride = info.output_dim;
    output.data = calloc((size_t)(output.rows * output.cols), sizeof(float));
    step(model, stepper, state, info.state_bytes, chunk.num_frames, inputs, 2,
         &output);
    for (r = 0; r < output.rows; ++r) {
      if (start + r * info.frame_subsampling_factor >= frames.rows)
        break;
      for (i = 0; i < output.cols; ++i)
        printf("%.8g ", (double)output.data[r * output.cols + i]);
      printf("\n");
    }
    start += chunk.num_frames;
    begun = 1;
    free((void *)inputs[0].data);
    free((void *)inputs[1].data);
    free(output.data);
  }
  free(state);
  net_stepper_destroy(stepper);
}

int main(int argc, char **argv) {
  net_model *model = NULL;
  Matrix frames, ivector;
  if (argc != 4)
    return 1;
  frames = readMatrix(argv[1]);
  ivector = readMatrix(argv[2]);
  srand((unsigned)atoi(argv[3]));
  CHECK(net_model_open(NET_ABI_VERSION, NULL, &model) == NET_OK);
  if (model)
    run(model, frames, ivector);
  net_model_close(model);
  return numFailures != 0;
}
