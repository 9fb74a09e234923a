//===- StreamStepper.cpp - Running the chunks of streams ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Execution/StreamStepper.h"

#include "mlir/IR/SymbolTable.h"

using namespace ::nnet3::kaldi;
using namespace mlir;
using namespace mlir::nnet3;
namespace rt = ::nnet3::rt;

StreamStepper::StreamStepper(RequestRunner &runner, StreamOp stream,
                             int64_t numSequences)
    : runner(runner), stream(stream), numSequences(numSequences),
      states(stream.getBody().getOps<StreamStateOp>()) {}

bool StreamStepper::isUsable(StreamChunkOp chunk,
                             const StreamState &state) const {
  return int64_t(chunk.getNumSequences()) == numSequences &&
         (state.hasBegun || chunk.getFirst());
}

SmallVector<int64_t> StreamStepper::getChunks(const StreamState &state) const {
  SmallVector<int64_t> chunks;
  for (auto chunk : StreamOp(stream).getBody().getOps<StreamChunkOp>())
    if (isUsable(chunk, state))
      chunks.push_back(chunk.getNumFrames());
  return chunks;
}

LogicalResult StreamStepper::check(const rt::Status &status) {
  if (status.ok())
    return success();
  return stream.emitError() << status.message();
}

/// Assembles the rows of an input node: for each sequence the kept rows, then
/// the new ones.
FailureOr<Matrix> StreamStepper::getInput(const StreamState &state,
                                          StringRef node, int64_t numFrames,
                                          const Matrix &newRows) {
  const bool isFirst = !state.hasBegun;
  const int64_t numNew = stream.getNewRows(node, numFrames, isFirst).size();
  const int64_t numCols = runner.getDim(node);
  if (newRows.rows != numNew * numSequences || newRows.cols != numCols)
    return stream.emitError("expects input '")
           << node << "' of a chunk of " << numFrames << " frames to be "
           << numNew * numSequences << " x " << numCols << ", but got "
           << newRows.rows << " x " << newRows.cols;
  const Matrix *kept = nullptr;
  for (auto [op, rows] : llvm::zip(states, state.rows))
    if (op.getNode() == node)
      kept = &rows;
  if (isFirst || !kept)
    return newRows;
  const int64_t numKept = kept->rows / numSequences;
  Matrix input(kept->rows + newRows.rows, numCols);
  auto end = input.data.begin();
  for (int64_t n = 0; n < numSequences; ++n) {
    end = std::copy_n(kept->data.begin() + n * numKept * numCols,
                      numKept * numCols, end);
    end = std::copy_n(newRows.data.begin() + n * numNew * numCols,
                      numNew * numCols, end);
  }
  return input;
}

/// Keeps the rows of an input node that later chunks read; zeros at the start
/// of a stream.
void StreamStepper::keepInput(StringRef node, int64_t numFrames,
                              const Matrix &input, StreamState &state) {
  const SmallVector<Index> rows =
      stream.getInputRows(node, numFrames, !state.hasBegun);
  for (auto [op, kept] : llvm::zip(states, state.rows)) {
    if (op.getNode() != node)
      continue;
    const SmallVector<Index> wanted = op.getIndexes().expand();
    Matrix next(wanted.size() * numSequences, input.cols);
    for (int64_t n = 0; n < numSequences; ++n)
      for (auto [number, index] : llvm::enumerate(wanted)) {
        const Index now{0, int32_t(index.t + numFrames), index.x};
        const auto *row = llvm::find(rows, now);
        if (row != rows.end())
          llvm::copy(input.row(n * rows.size() + (row - rows.begin())),
                     next.row(n * wanted.size() + number).begin());
      }
    kept = std::move(next);
  }
}

FailureOr<Matrix> StreamStepper::getOutput(const RequestInstance &instance,
                                           StringRef name) {
  rt::Result<rt::ConstMatrixView> view = instance.output(name);
  if (failed(check(view.status())))
    return failure();
  Matrix output(view->rows, view->cols);
  for (int64_t r = 0; r < output.rows; ++r)
    std::copy_n(view->row(r), output.cols, output.row(r).begin());
  return output;
}

FailureOr<Matrix> StreamStepper::step(StreamState &state, int64_t numFrames,
                                      const llvm::StringMap<Matrix> &inputs) {
  RequestOp request;
  for (auto chunk : stream.getBody().getOps<StreamChunkOp>())
    if (int64_t(chunk.getNumFrames()) == numFrames && isUsable(chunk, state))
      request = SymbolTable::lookupNearestSymbolFrom<RequestOp>(
          stream, state.hasBegun ? chunk.getNextAttr() : chunk.getFirstAttr());
  if (!request)
    return stream.emitError("has no chunk of ")
           << numFrames << " frames that may come "
           << (state.hasBegun ? "next" : "first");
  FailureOr<RequestInstance *> instance = runner.prepare(request);
  if (failed(instance))
    return failure();
  StreamState next = state;
  next.rows.resize(states.size());
  // Inputs are borrowed until the run, so `values` owns them.
  llvm::StringMap<Matrix> values;
  for (auto io : request.getBody().getOps<RequestInputOp>()) {
    const StringRef node = io.getName();
    if (stream.getNewRows(node, numFrames, !state.hasBegun).empty()) {
      for (auto [op, rows] : llvm::zip(states, state.rows))
        if (op.getNode() == node)
          values[node] = rows;
    } else {
      FailureOr<Matrix> input =
          getInput(state, node, numFrames, inputs.lookup(node));
      if (failed(input))
        return failure();
      values[node] = std::move(*input);
      keepInput(node, numFrames, values[node], next);
    }
    if (failed(check((*instance)->setInput(node, getView(values[node])))))
      return failure();
  }
  if (failed(check((*instance)->run())))
    return failure();
  for (auto [op, rows] : llvm::zip(states, next.rows)) {
    if (!op.getOutput())
      continue;
    FailureOr<Matrix> kept = getOutput(**instance, *op.getOutput());
    if (failed(kept))
      return failure();
    rows = std::move(*kept);
  }
  FailureOr<Matrix> output = getOutput(**instance, "output");
  if (failed(output))
    return failure();
  next.hasBegun = true;
  state = std::move(next);
  return output;
}
