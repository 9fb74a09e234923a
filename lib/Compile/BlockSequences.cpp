//===- BlockSequences.cpp - Compute sequences in blocks -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Compile/Compile.h"
#include "nnet3/Compile/Passes.h"
#include "nnet3/Compile/SequenceBlock.h"
#include "nnet3/Dialect/Nnet3/IR/CommandOps.h"
#include "nnet3/Dialect/Nnet3/IR/MatrixLayout.h"

#include "mlir/IR/SymbolTable.h"

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3BLOCKSEQUENCES
#include "nnet3/Compile/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;
using namespace mlir::nnet3;

/// With fewer sequences, steps of recurrences have too few rows per read of the
/// weights, and partial tiles are a larger share of a matmul.
static constexpr int64_t kMinSequences = 4;

/// Largest size in bytes of the matrices of one command.
static int64_t getLargestCommand(ComputationOp computation) {
  int64_t largest = 0;
  for (auto op : computation.getBody().getOps<PropagateOp>()) {
    auto getSize = [](Value matrix) {
      return numRows(matrix) * numCols(matrix);
    };
    int64_t size = getSize(op.getOutput());
    if (op.getInput())
      size += getSize(op.getInput());
    largest = std::max(largest, size);
  }
  return largest * int64_t(sizeof(float));
}

/// Returns the divisor of `count` nearest to `wanted`, within a factor of two;
/// none if only `count` itself qualifies.
static std::optional<int64_t> findBlockSize(int64_t count, int64_t wanted) {
  if (wanted >= count)
    return std::nullopt;
  for (int64_t factor = 0; factor < wanted; ++factor)
    for (int64_t size : {wanted - factor, wanted + factor})
      if (2 * size >= wanted && size <= 2 * wanted && size < count &&
          count % size == 0)
        return size;
  return std::nullopt;
}

namespace {
struct BlockSequences
    : public nnet3::impl::Nnet3BlockSequencesBase<BlockSequences> {
  using Base::Base;

  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    for (RequestOp request : getOperation().getOps<RequestOp>())
      if (!request.getBlockSize() && request.isForward() &&
          request.getSequences().size() > 1 && failed(block(request, symbols)))
        return signalPassFailure();
  }

  LogicalResult block(RequestOp request, SymbolTable &symbols) {
    auto network = symbols.lookup<NetworkOp>(request.getNetwork());
    auto nodes = NodeTable::get(network);
    if (failed(nodes))
      return failure();
    if (mixesRows(*nodes))
      return success();
    OpBuilder builder(&getContext());
    OwningOpRef<RequestOp> single = getFirstSequences(request, 1);
    FailureOr<ComputationOp> computation =
        compileRequest(builder, network, *nodes, *single);
    if (failed(computation))
      return failure();
    const int64_t size = getLargestCommand(*computation);
    computation->erase();
    const int64_t wanted =
        std::max(bytes / std::max<int64_t>(size, 1), kMinSequences);
    request.setBlockSize(findBlockSize(request.getSequences().size(), wanted));
    return success();
  }
};
} // namespace
