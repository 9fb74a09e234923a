//===- StreamStepper.cpp - Steps of streams -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LibraryInstance.h"

#include <new>

using namespace nnet3::rt;

namespace {

struct DestroyInstance {
  void operator()(nnet3lib_instance *instance) const {
    nnet3lib_instance_destroy(instance);
  }
};
using InstancePtr = std::unique_ptr<nnet3lib_instance, DestroyInstance>;

/// The instances of a chunk's requests; null where there is none.
struct ChunkInstances {
  InstancePtr first, next;
};

} // namespace

struct nnet3lib_stepper {
  const nnet3lib_model *model = nullptr;
  std::vector<ChunkInstances> chunks;
  /// An input of each kind, put together from kept and new rows.
  std::vector<float> inputs[2];
  /// Those of a run; large enough for any request.
  std::vector<nnet3lib_input> given;
  std::vector<nnet3lib_output> wanted;
};

static nnet3lib_status makeInstance(const nnet3lib_model &model,
                                    const StreamStep &step,
                                    const nnet3lib_instance_options *options,
                                    InstancePtr &instance) {
  if (step.request < 0)
    return NNET3LIB_OK;
  nnet3lib_instance *made = nullptr;
  const nnet3lib_status status =
      nnet3lib_instance_create_with(&model, step.request, options, &made);
  instance.reset(made);
  return status;
}

static nnet3lib_status create(const nnet3lib_model &model,
                              const nnet3lib_instance_options *options,
                              nnet3lib_stepper &stepper) {
  const LibraryStream &stream = *model.stream;
  stepper.model = &model;
  for (std::vector<float> &input : stepper.inputs)
    input.resize(stream.inputFloats);
  for (const StreamChunk &chunk : stream.chunks) {
    ChunkInstances &instances = stepper.chunks.emplace_back();
    if (const nnet3lib_status status =
            makeInstance(model, chunk.first, options, instances.first))
      return status;
    if (const nnet3lib_status status =
            makeInstance(model, chunk.next, options, instances.next))
      return status;
  }
  // An input for each state and each input node, an output for each state and
  // the output.
  stepper.given.resize(stream.states.size() + 2);
  stepper.wanted.resize(stream.states.size() + 1);
  return NNET3LIB_OK;
}

nnet3lib_status
nnet3lib_stepper_create(const nnet3lib_model *model,
                        const nnet3lib_instance_options *options,
                        nnet3lib_stepper **stepper) {
  if (!stepper)
    return NNET3LIB_NULL_ARGUMENT;
  *stepper = nullptr;
  if (!model)
    return NNET3LIB_NULL_ARGUMENT;
  if (!model->stream)
    return NNET3LIB_NO_SUCH_CHUNK;
  try {
    auto made = std::make_unique<nnet3lib_stepper>();
    const nnet3lib_status status = create(*model, options, *made);
    if (status == NNET3LIB_OK) {
      model->retain();
      *stepper = made.release();
    }
    return status;
  } catch (const std::bad_alloc &) {
    return NNET3LIB_OUT_OF_MEMORY;
  }
}

void nnet3lib_stepper_destroy(nnet3lib_stepper *stepper) {
  if (!stepper)
    return;
  const nnet3lib_model *model = stepper->model;
  delete stepper;
  model->release();
}

static float *getRows(void *state, const KeptRows &about) {
  return reinterpret_cast<float *>(static_cast<char *>(state) +
                                   sizeof(StateHeader)) +
         about.offset;
}

/// Whether the caller gives what the chunk takes.
static nnet3lib_status checkGiven(const LibraryStream &stream,
                                  const StreamStep &step,
                                  const nnet3lib_input *inputs,
                                  int32_t numInputs) {
  int32_t expected = 0;
  for (const StreamInput &input : step.inputs) {
    if (input.given < 0)
      continue;
    ++expected;
    if (input.given >= numInputs)
      return NNET3LIB_WRONG_DIMS;
    const nnet3lib_input &from = inputs[input.given];
    if (!from.data && input.newRows > 0)
      return NNET3LIB_NULL_ARGUMENT;
    if (from.rows != input.newRows * stream.numSequences ||
        from.cols != input.cols || from.stride < from.cols)
      return NNET3LIB_WRONG_DIMS;
  }
  return expected == numInputs ? NNET3LIB_OK : NNET3LIB_WRONG_DIMS;
}

/// Puts the rows of an input node together: of each sequence those kept, then
/// the new ones.
static void gather(const LibraryStream &stream, const StreamInput &input,
                   const nnet3lib_input &from, void *state, float *to) {
  const auto cols = static_cast<size_t>(input.cols);
  const float *kept =
      input.keptRows > 0 ? getRows(state, stream.states[input.state]) : nullptr;
  int64_t row = 0;
  for (int32_t n = 0; n < stream.numSequences; ++n) {
    const size_t floats = static_cast<size_t>(input.keptRows) * cols;
    if (kept)
      std::memcpy(to, kept + static_cast<size_t>(n) * floats,
                  floats * sizeof(float));
    to += floats;
    for (int32_t r = 0; r < input.newRows; ++r, ++row, to += cols)
      std::memcpy(to, from.data + row * from.stride, cols * sizeof(float));
  }
}

/// Keeps what later chunks read of an input node.
static void keep(const LibraryStream &stream, const StreamInput &input,
                 const float *from, void *state) {
  if (input.state < 0)
    return;
  float *to = getRows(state, stream.states[input.state]);
  const auto cols = static_cast<size_t>(input.cols);
  const auto rows = static_cast<size_t>(input.keptRows + input.newRows);
  for (int32_t n = 0; n < stream.numSequences; ++n, from += rows * cols)
    for (const int32_t row : input.keep) {
      if (row < 0)
        std::memset(to, 0, cols * sizeof(float));
      else
        std::memcpy(to, from + static_cast<size_t>(row) * cols,
                    cols * sizeof(float));
      to += cols;
    }
}

/// Runs the request of a chunk. Its outputs of the state go to the state, which
/// has been copied by then.
static nnet3lib_status runStep(nnet3lib_stepper &stepper,
                               const StreamStep &step,
                               nnet3lib_instance &instance, void *state,
                               const nnet3lib_input *inputs,
                               const nnet3lib_output *output) {
  const LibraryStream &stream = *stepper.model->stream;
  for (size_t i = 0; i < step.inputs.size(); ++i) {
    const StreamInput &input = step.inputs[i];
    const float *data;
    if (input.given < 0) {
      data = getRows(state, stream.states[input.state]);
    } else {
      float *to = stepper.inputs[input.given].data();
      gather(stream, input, inputs[input.given], state, to);
      data = to;
    }
    stepper.given[i] = {data, input.cols,
                        (input.keptRows + input.newRows) * stream.numSequences,
                        input.cols};
  }
  for (size_t i = 0; i < step.outputs.size(); ++i) {
    if (step.outputs[i] < 0) {
      stepper.wanted[i] = *output;
      continue;
    }
    const KeptRows &about = stream.states[step.outputs[i]];
    stepper.wanted[i] = {getRows(state, about), about.cols,
                         about.rows * stream.numSequences, about.cols};
  }
  const nnet3lib_status status = nnet3lib_instance_run(
      &instance, stepper.given.data(), static_cast<int32_t>(step.inputs.size()),
      stepper.wanted.data(), static_cast<int32_t>(step.outputs.size()));
  if (status != NNET3LIB_OK)
    return status;
  for (const StreamInput &input : step.inputs)
    if (input.given >= 0)
      keep(stream, input, stepper.inputs[input.given].data(), state);
  auto &header = *static_cast<StateHeader *>(state);
  header.hasBegun = 1;
  header.checksum = 0;
  return NNET3LIB_OK;
}

nnet3lib_status nnet3lib_stepper_step(nnet3lib_stepper *stepper, void *state,
                                      int32_t numFrames,
                                      const nnet3lib_input *inputs,
                                      int32_t numInputs,
                                      const nnet3lib_output *output) {
  if (!stepper || !state || (!inputs && numInputs != 0) || !output)
    return NNET3LIB_NULL_ARGUMENT;
  if (reinterpret_cast<uintptr_t>(state) % NNET3LIB_ALIGNMENT != 0)
    return NNET3LIB_MISALIGNED;
  const LibraryStream &stream = *stepper->model->stream;
  if (!isState(stream, state))
    return NNET3LIB_WRONG_STATE;
  const bool isFirst = static_cast<StateHeader *>(state)->hasBegun == 0;
  for (size_t i = 0; i < stream.chunks.size(); ++i) {
    const StreamChunk &chunk = stream.chunks[i];
    const StreamStep &step = isFirst ? chunk.first : chunk.next;
    if (chunk.numFrames != numFrames || step.request < 0)
      continue;
    if (const nnet3lib_status status =
            checkGiven(stream, step, inputs, numInputs))
      return status;
    const ChunkInstances &instances = stepper->chunks[i];
    return runStep(*stepper, step, isFirst ? *instances.first : *instances.next,
                   state, inputs, output);
  }
  return NNET3LIB_NO_SUCH_CHUNK;
}
