//===- StreamStepper.cpp - Steps of streams -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LibraryInstance.h"
#include "StreamRows.h"

#include <new>

using namespace nnet3::rt;

namespace {
struct DestroyInstance {
  void operator()(nnet3lib_instance *instance) const {
    nnet3lib_instance_destroy(instance);
  }
};
using InstancePtr = std::unique_ptr<nnet3lib_instance, DestroyInstance>;
} // namespace

struct nnet3lib_stepper {
  const nnet3lib_model *model = nullptr;
  /// With a backend, one instance per request. On the CPU one instance for all
  /// requests, with the memory of the largest.
  std::vector<InstancePtr> instances;
  /// The steps of the current batch; as large as the largest batch.
  std::vector<nnet3lib_step *> slots;
};

//===----------------------------------------------------------------------===//
// Making steppers
//===----------------------------------------------------------------------===//

static nnet3lib_status makeInstance(nnet3lib_stepper &stepper, int32_t request,
                                    const nnet3lib_instance_options *options,
                                    InstancePtr &instance) {
  nnet3lib_instance *made = nullptr;
  const nnet3lib_status status =
      nnet3lib_instance_create_with(stepper.model, request, options, &made);
  instance.reset(made);
  return status;
}

static nnet3lib_status create(nnet3lib_stepper &stepper,
                              const nnet3lib_instance_options *options) {
  const nnet3lib_model &model = *stepper.model;
  std::vector<BatchRequest> batches;
  for (const StreamChunk &chunk : model.stream->chunks)
    for (const StreamStep *step : {&chunk.first, &chunk.next})
      batches.insert(batches.end(), step->batches.begin(), step->batches.end());
  int32_t mostStreams = 0;
  for (const BatchRequest &batch : batches)
    mostStreams = std::max(mostStreams, batch.numStreams);
  stepper.slots.resize(mostStreams);
  if (!model.backend) {
    const auto &largest =
        *std::max_element(batches.begin(), batches.end(),
                          [&](const BatchRequest &a, const BatchRequest &b) {
                            return model.requests[a.request].arenaFloats <
                                   model.requests[b.request].arenaFloats;
                          });
    return makeInstance(stepper, largest.request, options,
                        stepper.instances.emplace_back());
  }
  stepper.instances.resize(model.requests.size());
  for (const BatchRequest &batch : batches)
    if (const nnet3lib_status status = makeInstance(
            stepper, batch.request, options, stepper.instances[batch.request]))
      return status;
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
    made->model = model;
    const nnet3lib_status status = create(*made, options);
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

//===----------------------------------------------------------------------===//
// Batches
//===----------------------------------------------------------------------===//

/// Returns the instance for a request. Requests run one at a time.
static nnet3lib_instance &getInstance(nnet3lib_stepper &stepper,
                                      int32_t request) {
  if (stepper.model->backend)
    return *stepper.instances[request];
  // The scratch buffer stays after the largest arena.
  stepper.instances.front()->request = &stepper.model->requests[request];
  return *stepper.instances.front();
}

/// Runs a batch on the first \p numSteps slots; the others are zero-filled.
/// Updates the states only after a successful run.
static nnet3lib_status runBatch(nnet3lib_stepper &stepper,
                                const StreamShape &shape,
                                const BatchRequest &batch, int32_t numSteps) {
  const LibraryStream &stream = *stepper.model->stream;
  nnet3lib_instance &instance = getInstance(stepper, batch.request);
  for (size_t i = 0; i < shape.inputs.size(); ++i) {
    const MatrixView to = getBlockInput(instance, static_cast<int32_t>(i));
    for (int32_t slot = 0; slot < numSteps; ++slot)
      gatherInput(stream, shape.inputs[i], *stepper.slots[slot], slot, to);
    zeroInput(shape.inputs[i], numSteps, to);
  }
  if (const nnet3lib_status status = runInPlace(instance))
    return status;
  for (int32_t slot = 0; slot < numSteps; ++slot) {
    const nnet3lib_step &step = *stepper.slots[slot];
    for (const StreamInput &input : shape.inputs)
      keepInput(stream, input, step);
    for (size_t i = 0; i < shape.outputs.size(); ++i)
      scatterOutput(stream, shape, i, slot,
                    getBlockOutput(instance, static_cast<int32_t>(i)), step);
    auto &header = *static_cast<StateHeader *>(step.state);
    header.hasBegun = 1;
    header.checksum = 0;
  }
  return NNET3LIB_OK;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

/// Checks the caller's inputs and outputs against the chunk.
static nnet3lib_status checkMatrices(const StreamShape &shape,
                                     const nnet3lib_step &step) {
  int32_t expected = 0;
  for (const StreamInput &input : shape.inputs) {
    if (input.given < 0)
      continue;
    ++expected;
    if (input.given >= step.num_inputs)
      return NNET3LIB_WRONG_DIMS;
    const nnet3lib_input &from = step.inputs[input.given];
    if (!from.data && input.newRows > 0)
      return NNET3LIB_NULL_ARGUMENT;
    if (from.rows != input.newRows || from.cols != input.cols ||
        from.stride < from.cols)
      return NNET3LIB_WRONG_DIMS;
  }
  const nnet3lib_output &output = *step.output;
  const bool isRight = expected == step.num_inputs &&
                       output.rows == shape.outputRows &&
                       output.cols == shape.outputCols &&
                       (!output.data || output.stride >= output.cols);
  return isRight ? NNET3LIB_OK : NNET3LIB_WRONG_DIMS;
}

/// The status of a step before it is computed. The state is marked as well, so
/// that two steps with the same state are detected.
static constexpr nnet3lib_status kFirstWaits = -1, kNextWaits = -2;
static constexpr uint32_t kInStep = 2;

/// Checks a step, and marks it and its state as waiting.
static nnet3lib_status enter(const LibraryStream &stream,
                             const StreamChunk *chunk,
                             const nnet3lib_step &step) {
  if (!step.state || (!step.inputs && step.num_inputs != 0) || !step.output)
    return NNET3LIB_NULL_ARGUMENT;
  if (reinterpret_cast<uintptr_t>(step.state) % NNET3LIB_ALIGNMENT != 0)
    return NNET3LIB_MISALIGNED;
  if (!isState(stream, step.state))
    return NNET3LIB_WRONG_STATE;
  auto &header = *static_cast<StateHeader *>(step.state);
  const bool isFirst = header.hasBegun == 0;
  if (!chunk || (isFirst && chunk->first.batches.empty()))
    return NNET3LIB_NO_SUCH_CHUNK;
  if (const nnet3lib_status status =
          checkMatrices(isFirst ? chunk->first : chunk->next, step))
    return status;
  header.hasBegun |= kInStep;
  return isFirst ? kFirstWaits : kNextWaits;
}

/// Computes the steps whose status is \p status.
static void computeSteps(nnet3lib_stepper &stepper, const StreamStep &about,
                         nnet3lib_status status, nnet3lib_step *steps,
                         int32_t numSteps) {
  int64_t numLeft =
      std::count_if(steps, steps + numSteps, [&](const nnet3lib_step &step) {
        return step.status == status;
      });
  for (nnet3lib_step *next = steps; numLeft > 0;) {
    const BatchRequest &batch = about.batches[about.plan.choose(numLeft)];
    int32_t numSlots = 0;
    for (; numSlots < batch.numStreams && numSlots < numLeft; ++next)
      if (next->status == status)
        stepper.slots[numSlots++] = next;
    for (int32_t slot = 0; slot < numSlots; ++slot)
      static_cast<StateHeader *>(stepper.slots[slot]->state)->hasBegun &=
          ~kInStep;
    const nnet3lib_status result = runBatch(stepper, about, batch, numSlots);
    for (int32_t slot = 0; slot < numSlots; ++slot)
      stepper.slots[slot]->status = result;
    numLeft -= numSlots;
  }
}

nnet3lib_status nnet3lib_stepper_step_batch(nnet3lib_stepper *stepper,
                                            int32_t numFrames,
                                            nnet3lib_step *steps,
                                            int32_t numSteps) {
  if (!stepper || (!steps && numSteps > 0))
    return NNET3LIB_NULL_ARGUMENT;
  if (numSteps < 0)
    return NNET3LIB_WRONG_DIMS;
  const LibraryStream &stream = *stepper->model->stream;
  const StreamChunk *chunk = nullptr;
  for (const StreamChunk &known : stream.chunks)
    if (known.numFrames == numFrames)
      chunk = &known;
  for (int32_t i = 0; i < numSteps; ++i)
    steps[i].status = enter(stream, chunk, steps[i]);
  if (chunk) {
    computeSteps(*stepper, chunk->first, kFirstWaits, steps, numSteps);
    computeSteps(*stepper, chunk->next, kNextWaits, steps, numSteps);
  }
  for (int32_t i = 0; i < numSteps; ++i)
    if (steps[i].status != NNET3LIB_OK)
      return steps[i].status;
  return NNET3LIB_OK;
}

nnet3lib_status nnet3lib_stepper_step(nnet3lib_stepper *stepper, void *state,
                                      int32_t numFrames,
                                      const nnet3lib_input *inputs,
                                      int32_t numInputs,
                                      const nnet3lib_output *output) {
  nnet3lib_step step = {state, inputs, output, numInputs, NNET3LIB_OK};
  return nnet3lib_stepper_step_batch(stepper, numFrames, &step, 1);
}
