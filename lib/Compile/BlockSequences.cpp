//===- BlockSequences.cpp - Compute sequences in blocks -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Compile/Compile.h"
#include "nnet3/Compile/Passes.h"
#include "nnet3/Compile/SequenceBlock.h"
#include "nnet3/Dialect/Nnet3/IR/CommandOps.h"
#include "nnet3/Dialect/Nnet3/IR/MatrixLayout.h"

#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3BLOCKSEQUENCES
#include "nnet3/Compile/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;
using namespace mlir::nnet3;

/// With fewer sequences, partial tiles are a larger share of a matmul.
static constexpr int64_t kMinSequences = 4;
/// Larger weights, in bytes, are outside of the L2 cache when a command begins,
/// for example a step of a recurrence.
static constexpr int64_t kLargeWeights = 1 << 20;
/// Rows that such a command should have, so that the matmul takes several times
/// as long as reading the weights.
static constexpr int64_t kRowsPerRead = 32;
/// How many times the wanted size may be exceeded for the sake of such weights.
static constexpr int64_t kMostTimes = 16;

namespace {
/// Sizes of the computation for one sequence, which determine the size of
/// blocks.
struct Demand {
  int64_t bytes = 1;     ///< of the matrices of the largest command
  int64_t sequences = 1; ///< so that large weights are read rarely enough

  Demand(ComputationOp computation, NetworkOp network);
  /// Returns the number of sequences whose largest command has about `size`
  /// bytes, or more if that is too few.
  int64_t getSequences(int64_t size) const {
    const int64_t wanted = size / bytes,
                  most = wanted < sequences ? kMostTimes * size / bytes : 0;
    return std::max({wanted, std::min(sequences, most), kMinSequences});
  }
};
} // namespace

static int64_t getWeightBytes(ComponentOpInterface component) {
  int64_t elements = 0;
  for (const TensorSpec &tensor : component.getTensors())
    elements += ShapedType::getNumElements(tensor.shape);
  return elements * int64_t(sizeof(float));
}

Demand::Demand(ComputationOp computation, NetworkOp network) {
  SymbolTable components(network);
  auto getBytes = [](Value matrix) {
    return matrix ? numRows(matrix) * numCols(matrix) * int64_t(sizeof(float))
                  : 0;
  };
  struct Reads {
    int64_t commands = 0, rows = 0;
  };
  llvm::MapVector<ComponentOpInterface, Reads> reads;
  for (auto op : computation.getBody().getOps<PropagateOp>()) {
    bytes = std::max(bytes, getBytes(op.getOutput()) + getBytes(op.getInput()));
    auto component = components.lookup<ComponentOpInterface>(
        op.getComponent().getLeafReference());
    ++reads[component].commands;
    reads[component].rows += numRows(op.getOutput());
  }
  for (auto [component, of] : reads)
    if (of.rows > 0 && getWeightBytes(component) > kLargeWeights)
      sequences = std::max(sequences, kRowsPerRead * of.commands / of.rows);
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
    const int64_t wanted =
        Demand(*computation, network).getSequences(std::max<int64_t>(bytes, 0));
    computation->erase();
    request.setBlockSize(findBlockSize(request.getSequences().size(), wanted));
    return success();
  }
};
} // namespace
