//===- BatchedComputer.cpp - Chunks of several utterances at once ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Execution/BatchedComputer.h"

using namespace ::nnet3::kaldi;
using namespace mlir;
using namespace mlir::nnet3;

int32_t mlir::nnet3::getBatchSize(int64_t numChunks, int32_t fullSize,
                                  float partialFactor) {
  int32_t size = fullSize;
  for (int32_t smaller = size; numChunks <= smaller && smaller > 0;
       smaller = int32_t(double(smaller) * partialFactor))
    size = smaller;
  return size;
}

FailureOr<std::unique_ptr<BatchedComputer>>
BatchedComputer::create(RequestRunner &runner, const Chunking &chunking,
                        const ComputeOptions &options,
                        const BatchOptions &batches) {
  std::unique_ptr<BatchedComputer> computer(
      new BatchedComputer(runner, chunking, options, batches));
  if (failed(computer->readPriors()))
    return failure();
  return computer;
}

Utterance BatchedComputer::PendingUtterance::get() const {
  Utterance utterance;
  utterance.key = key;
  utterance.features = &features;
  utterance.ivector = ivector ? &*ivector : nullptr;
  utterance.onlineIvectors = onlineIvectors ? &*onlineIvectors : nullptr;
  return utterance;
}

BatchedComputer::Shape BatchedComputer::getShape(const Chunk &chunk) {
  return {chunk.firstInput - chunk.firstFrame,
          chunk.lastInput - chunk.firstFrame,
          chunk.lastComputed - chunk.firstFrame, chunk.isEdge};
}

int32_t BatchedComputer::getFullSize(const Chunk &chunk) const {
  return chunk.isEdge ? batches.edgeMinibatchSize : batches.minibatchSize;
}

LogicalResult BatchedComputer::add(const Utterance &utterance) {
  FailureOr<Matrix> output = allocateOutput(utterance);
  if (failed(output))
    return failure();
  // Check all chunks first: an error in an utterance leaves the earlier
  // utterances unchanged.
  if (ivectorDim > 0)
    for (const Chunk &chunk : chunks)
      if (failed(getIvector(utterance, chunk)))
        return failure();
  PendingUtterance &pending = utterances.emplace_back();
  pending.key = utterance.key.str();
  pending.features = *utterance.features;
  pending.output = std::move(*output);
  if (utterance.ivector)
    pending.ivector = *utterance.ivector;
  if (utterance.onlineIvectors)
    pending.onlineIvectors = *utterance.onlineIvectors;
  pending.numLeft = chunks.size();
  numFrames += pending.features.rows;
  // A batch may run here, but it plans no other utterance, so `chunks` stays
  // valid.
  for (const Chunk &chunk : chunks)
    if (failed(addChunk(pending, chunk)))
      return failure();
  // Limits the buffered frames; enough for one full batch of each padded size.
  constexpr int64_t kNumBatches = 8;
  const int64_t maxFrames =
      kNumBatches * chunking.framesPerChunk *
      std::max(batches.minibatchSize, batches.edgeMinibatchSize);
  while (numFrames > maxFrames)
    if (failed(computeFirstUtterance()))
      return failure();
  return handOver();
}

LogicalResult BatchedComputer::addChunk(PendingUtterance &utterance,
                                        const Chunk &chunk) {
  Group &group = groups[getShape(chunk)];
  group.push_back({&utterance, chunk});
  return int64_t(group.size()) < getFullSize(chunk) ? success()
                                                    : computeGroup(group);
}

/// Copies frames and i-vectors. Sequences of the batch without a task keep
/// their old values.
LogicalResult BatchedComputer::fillInputs(ArrayRef<Task> tasks,
                                          int32_t batchSize) {
  const Chunk &shape = tasks.front().chunk;
  const int64_t numInputs = shape.lastInput - shape.firstInput + 1;
  resize(input, batchSize * numInputs, inputDim);
  if (ivectorDim > 0)
    resize(ivectors, batchSize, ivectorDim);
  for (auto [n, task] : llvm::enumerate(tasks)) {
    const Utterance utterance = task.utterance->get();
    copyFrames(utterance, task.chunk, input, n * numInputs);
    if (ivectorDim == 0)
      continue;
    FailureOr<ArrayRef<float>> ivector = getIvector(utterance, task.chunk);
    if (failed(ivector))
      return failure();
    llvm::copy(*ivector, ivectors.row(n).begin());
  }
  return success();
}

/// Computes all chunks of a group as one batch.
LogicalResult BatchedComputer::computeGroup(Group &group) {
  const SmallVector<Task> tasks(group.begin(), group.end());
  group.clear();
  hasFailed = true;
  const Chunk &shape = tasks.front().chunk;
  const int32_t batchSize = getBatchSize(tasks.size(), getFullSize(shape),
                                         batches.partialMinibatchFactor);
  auto instance = prepare(shape, batchSize);
  if (failed(instance) || failed(fillInputs(tasks, batchSize)))
    return failure();
  auto result = run(**instance, input, ivectors);
  if (failed(result))
    return failure();
  const int64_t numOutputs = result->rows / batchSize;
  for (auto [n, task] : llvm::enumerate(tasks)) {
    copyOutputs(*result, n * numOutputs, task.chunk, task.utterance->output);
    --task.utterance->numLeft;
  }
  hasFailed = false;
  return success();
}

/// Computes the groups that the first utterance needs, even if they are not
/// full.
LogicalResult BatchedComputer::computeFirstUtterance() {
  for (auto &[shape, group] : groups)
    if (!group.empty() && group.front().utterance == &utterances.front())
      if (failed(computeGroup(group)))
        return failure();
  return handOver();
}

/// Passes on the outputs of the first utterances whose chunks are all computed.
LogicalResult BatchedComputer::handOver() {
  while (!utterances.empty() && utterances.front().numLeft == 0) {
    PendingUtterance &utterance = utterances.front();
    finishOutput(utterance.output);
    if (failed(sink(utterance.get(), utterance.output))) {
      hasFailed = true;
      return failure();
    }
    numFrames -= utterance.features.rows;
    utterances.pop_front();
  }
  return success();
}

LogicalResult BatchedComputer::finish() {
  while (!hasFailed && !utterances.empty())
    if (failed(computeFirstUtterance()))
      return failure();
  return success(!hasFailed);
}
