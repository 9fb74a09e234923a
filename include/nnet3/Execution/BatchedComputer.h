//===- BatchedComputer.h - Chunks of several utterances at once -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chunks of equal shape are computed together, whichever utterances they are of
// (spec: looped.md 3).
//
//===----------------------------------------------------------------------===//
#ifndef NNET3_EXECUTION_BATCHEDCOMPUTER_H
#define NNET3_EXECUTION_BATCHEDCOMPUTER_H

#include "nnet3/Execution/ChunkedComputer.h"

#include <array>
#include <deque>
#include <functional>
#include <map>

namespace mlir::nnet3 {

struct BatchOptions {
  /// How many chunks are computed at once, and how many of those with another
  /// context at the start or end of an utterance.
  int32_t minibatchSize = 1;
  int32_t edgeMinibatchSize = 32;
  /// Batches that are not full have the size of a full one times a power of
  /// this, the smallest that suffices.
  float partialMinibatchFactor = 0.5;
};

/// The size of the batch for `numChunks` chunks, at most `fullSize` of them.
int32_t getBatchSize(int64_t numChunks, int32_t fullSize, float partialFactor);

/// Computes utterances that are added one by one, and hands their outputs over
/// in the same order. It keeps no more utterances than the largest batches
/// need, so memory does not grow with their number.
class BatchedComputer : public ChunkedComputer {
public:
  /// Takes the output of an utterance.
  using Sink = std::function<LogicalResult(
      const Utterance &, const ::nnet3::kaldi::Matrix &output)>;

  /// As `ChunkedComputer::create`.
  static FailureOr<std::unique_ptr<BatchedComputer>>
  create(RequestRunner &runner, const Chunking &chunking,
         const ComputeOptions &options, const BatchOptions &batches);

  void setSink(Sink newSink) { sink = std::move(newSink); }

  /// Copies what `utterance` points to, and computes what makes a full batch.
  LogicalResult add(const Utterance &utterance);
  /// Computes the rest. Does nothing behind an error.
  LogicalResult finish();

private:
  struct PendingUtterance {
    std::string key;
    ::nnet3::kaldi::Matrix features, output;
    std::optional<std::vector<float>> ivector;
    std::optional<::nnet3::kaldi::Matrix> onlineIvectors;
    /// Chunks that are not computed yet.
    size_t numLeft = 0;

    Utterance get() const;
  };
  struct Task {
    PendingUtterance *utterance;
    Chunk chunk;
  };
  /// Chunks of equal shape, in the order of their utterances.
  using Group = std::deque<Task>;
  /// Input and output times, counted from the first output, and whether the
  /// chunk is at an edge.
  using Shape = std::array<int64_t, 4>;

  BatchedComputer(RequestRunner &runner, const Chunking &chunking,
                  const ComputeOptions &options, const BatchOptions &batches)
      : ChunkedComputer(runner, chunking, options), batches(batches) {}

  static Shape getShape(const Chunk &chunk);
  int32_t getFullSize(const Chunk &chunk) const;
  LogicalResult addChunk(PendingUtterance &utterance, const Chunk &chunk);
  LogicalResult computeGroup(Group &group);
  LogicalResult fillInputs(llvm::ArrayRef<Task> tasks, int32_t batchSize);
  LogicalResult computeFirstUtterance();
  LogicalResult handOver();

  BatchOptions batches;
  Sink sink;
  /// The utterances whose outputs are not handed over yet, and their frames.
  std::deque<PendingUtterance> utterances;
  int64_t numFrames = 0;
  std::map<Shape, Group> groups;
  bool hasFailed = false;
};

} // namespace mlir::nnet3

#endif // NNET3_EXECUTION_BATCHEDCOMPUTER_H
