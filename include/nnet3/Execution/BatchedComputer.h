//===- BatchedComputer.h - Chunks of several utterances at once -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chunks of equal shape are computed together, also if they belong to different
// utterances (spec: looped.md 3).
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
  /// Number of chunks that are computed at once; for chunks at the start or end
  /// of an utterance, if they have another context, `edgeMinibatchSize`.
  int32_t minibatchSize = 1;
  int32_t edgeMinibatchSize = 32;
  /// The size of a partial batch is the smallest sufficient one of the full
  /// size times a power of this factor.
  float partialMinibatchFactor = 0.5;
};

/// Returns the size of the batch for `numChunks` chunks, which is at most
/// `fullSize`.
int32_t getBatchSize(int64_t numChunks, int32_t fullSize, float partialFactor);

/// Computes utterances that are added one by one, and passes their outputs on
/// in the same order. It keeps only as many utterances as the largest batches
/// need, so memory does not grow with the number of utterances.
class BatchedComputer : public ChunkedComputer {
public:
  /// Receives the output of an utterance.
  using Sink = std::function<LogicalResult(
      const Utterance &, const ::nnet3::kaldi::Matrix &output)>;

  /// As `ChunkedComputer::create`.
  static FailureOr<std::unique_ptr<BatchedComputer>>
  create(RequestRunner &runner, const Chunking &chunking,
         const ComputeOptions &options, const BatchOptions &batches);

  void setSink(Sink newSink) { sink = std::move(newSink); }

  /// Copies the data of `utterance`, and computes all full batches.
  LogicalResult add(const Utterance &utterance);
  /// Computes the remaining chunks. Does nothing after an error.
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
  /// The input and output times relative to the first output, and whether the
  /// chunk is at an edge of its utterance.
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
  /// The utterances whose outputs have not been passed on, and the number of
  /// their frames.
  std::deque<PendingUtterance> utterances;
  int64_t numFrames = 0;
  std::map<Shape, Group> groups;
  bool hasFailed = false;
};

} // namespace mlir::nnet3

#endif // NNET3_EXECUTION_BATCHEDCOMPUTER_H
