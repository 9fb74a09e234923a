/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Steps random subsets of streams together, in random order and in chunks of
   random lengths: use_batches FRAMES IVECTOR SEED. Streams join and leave, and
   some steps are wrong. Each stream gets what it gets alone, to the bit. */

#include "stream_test.h"

#define NUM_STREAMS 23
#define NUM_ROUNDS 60

typedef struct Stream {
  char *state, *alone; /* the same, but stepped alone */
  int start, position, begun;
  net_input inputs[2];
  net_output output, aloneOutput;
} Stream;

static net_model *model;
static net_stepper *stepper;
static net_stream_info info;
static Matrix frames, ivector;

static float *makeValues(net_output output) {
  return calloc((size_t)(output.rows * output.cols), sizeof(float));
}

/* A stream that begins at any frame. */
static void begin(Stream *stream) {
  CHECK(net_state_init(model, stream->state, info.state_bytes) == NET_OK);
  stream->start = rand() % frames.rows;
  stream->position = stream->begun = 0;
}

static net_step makeStep(Stream *stream, const net_chunk_info *chunk) {
  const int rows =
      stream->begun ? chunk->next_input_rows : chunk->first_input_rows;
  const int numIvectors =
      stream->begun ? chunk->next_ivector_rows : chunk->first_ivector_rows;
  const int first = stream->start + stream->position +
                    (stream->begun ? info.right_context : -info.left_context);
  net_step step;
  stream->inputs[0].data = takeRows(frames, first, rows);
  stream->inputs[0].rows = rows;
  stream->inputs[0].cols = stream->inputs[0].stride = frames.cols;
  stream->inputs[1].data = takeRows(ivector, 0, numIvectors);
  stream->inputs[1].rows = numIvectors;
  stream->inputs[1].cols = stream->inputs[1].stride = ivector.cols;
  stream->output.rows = chunk->output_rows;
  stream->output.cols = stream->output.stride = info.output_dim;
  stream->aloneOutput = stream->output;
  stream->output.data = makeValues(stream->output);
  stream->aloneOutput.data = makeValues(stream->output);
  step.state = stream->state;
  step.inputs = stream->inputs;
  step.num_inputs = info.ivector_dim > 0 ? 2 : 1;
  step.output = &stream->output;
  step.status = -1;
  return step;
}

/* Something that the step does not survive, now and then. */
static void damage(Stream *stream) {
  switch (rand() % 16) {
  case 0:
    stream->state[rand() % 32] ^= 0x44;
    break;
  case 1:
    stream->inputs[0].cols += 1;
    break;
  case 2:
    stream->output.rows -= 1;
    stream->aloneOutput.rows -= 1;
  }
}

static void playRound(Stream *streams) {
  Stream *chosen[NUM_STREAMS];
  net_step steps[NUM_STREAMS];
  net_chunk_info chunk = {0};
  int count = 0, allocations, i;
  chunk.struct_size = sizeof(chunk);
  CHECK(net_get_chunk_info(model, rand() % info.num_chunks, &chunk) == NET_OK);
  for (i = 0; i < NUM_STREAMS; ++i) {
    if (rand() % 3 == 0)
      continue;
    if (rand() % 10 == 0)
      begin(&streams[i]);
    chosen[count++] = &streams[i];
  }
  for (i = count - 1; i > 0; --i) {
    const int other = rand() % (i + 1);
    Stream *held = chosen[i];
    chosen[i] = chosen[other];
    chosen[other] = held;
  }
  for (i = 0; i < count; ++i) {
    steps[i] = makeStep(chosen[i], &chunk);
    damage(chosen[i]);
    memcpy(chosen[i]->alone, chosen[i]->state, info.state_bytes);
  }
  allocations = numAllocations;
  net_stepper_step_batch(stepper, chunk.num_frames, steps, count);
  CHECK(numAllocations == allocations);
  for (i = 0; i < count; ++i) {
    Stream *stream = chosen[i];
    CHECK(net_stepper_step(stepper, stream->alone, chunk.num_frames,
                           stream->inputs, steps[i].num_inputs,
                           &stream->aloneOutput) == steps[i].status);
    CHECK(memcmp(stream->alone, stream->state, info.state_bytes) == 0);
    CHECK(memcmp(stream->output.data, stream->aloneOutput.data,
                 (size_t)(chunk.output_rows * info.output_dim) *
                     sizeof(float)) == 0);
    stream->position += chunk.num_frames;
    stream->begun = 1;
    if (steps[i].status != NET_OK)
      begin(stream);
    free((void *)stream->inputs[0].data);
    free((void *)stream->inputs[1].data);
    free(stream->output.data);
    free(stream->aloneOutput.data);
  }
}

int main(int argc, char **argv) {
  Stream streams[NUM_STREAMS];
  int i;
  if (argc != 4)
    return 1;
  frames = readMatrix(argv[1]);
  ivector = readMatrix(argv[2]);
  srand((unsigned)atoi(argv[3]));
  if (net_model_open(NET_ABI_VERSION, NULL, &model) != NET_OK)
    return 1;
  info.struct_size = sizeof(info);
  CHECK(net_get_stream_info(model, &info) == NET_OK);
  CHECK(info.input_dim == frames.cols);
  CHECK(info.ivector_dim == 0 || info.ivector_dim == ivector.cols);
  CHECK(info.num_batch_sizes == 3 && info.batch_sizes[0] == 1 &&
        info.batch_sizes[1] == 4 && info.batch_sizes[2] == 16);
  CHECK(net_stepper_create(model, NULL, &stepper) == NET_OK);
  for (i = 0; i < NUM_STREAMS; ++i) {
    streams[i].state = makeState(info.state_bytes);
    streams[i].alone = makeState(info.state_bytes);
    begin(&streams[i]);
  }
  for (i = 0; i < NUM_ROUNDS; ++i)
    playRound(streams);
  for (i = 0; i < NUM_STREAMS; ++i) {
    free(streams[i].state);
    free(streams[i].alone);
  }
  net_stepper_destroy(stepper);
  net_model_close(model);
  return numFailures != 0;
}
