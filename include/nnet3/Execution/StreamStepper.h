//===- StreamStepper.h - Steps of streams -----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_EXECUTION_STREAMSTEPPER_H
#define NNET3_EXECUTION_STREAMSTEPPER_H

#include "nnet3/Dialect/Nnet3/IR/StreamOps.h"
#include "nnet3/Execution/RequestRunner.h"

namespace mlir::nnet3 {

/// The state of a stream after its latest chunk. A copy is another stream,
/// which continues from this state.
struct StreamState {
  /// Whether a chunk has been computed.
  bool hasBegun = false;
  /// The rows of each `nnet3.stream_state`, one sequence after the other.
  std::vector<::nnet3::kaldi::Matrix> rows;
};

/// Computes chunks of any number of streams with the requests of a
/// `nnet3.stream`, either of single streams or of several that advance
/// together.
class StreamStepper {
public:
  /// `runner` is for the network of `stream`; both must outlive the stepper. A
  /// state holds `numSequences` streams; `stream` must have chunks for that
  /// number.
  StreamStepper(RequestRunner &runner, StreamOp stream,
                int64_t numSequences = 1);

  StreamOp getStream() const { return stream; }

  /// Returns the lengths of chunks that can follow `state`, ascending.
  SmallVector<int64_t> getChunks(const StreamState &state) const;

  /// Computes a chunk, advances the state and returns the output. `numFrames`
  /// is one of `getChunks`. `inputs` has the new rows of each input node
  /// (StreamOp::getNewRows), one sequence after the other. Emits an error at
  /// the stream if an input has wrong dims.
  FailureOr<::nnet3::kaldi::Matrix>
  step(StreamState &state, int64_t numFrames,
       const llvm::StringMap<::nnet3::kaldi::Matrix> &inputs);

private:
  using Matrix = ::nnet3::kaldi::Matrix;

  bool isUsable(StreamChunkOp chunk, const StreamState &state) const;
  LogicalResult check(const ::nnet3::rt::Status &status);
  FailureOr<Matrix> getInput(const StreamState &state, StringRef node,
                             int64_t numFrames, const Matrix &newRows);
  void keepInput(StringRef node, int64_t numFrames, const Matrix &input,
                 StreamState &state);
  FailureOr<Matrix> getOutput(const RequestInstance &instance, StringRef name);

  RequestRunner &runner;
  StreamOp stream;
  int64_t numSequences;
  SmallVector<StreamStateOp> states;
};

} // namespace mlir::nnet3

#endif // NNET3_EXECUTION_STREAMSTEPPER_H
