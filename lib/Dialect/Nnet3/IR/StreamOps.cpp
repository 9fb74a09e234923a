//===- StreamOps.cpp - Streams --------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Dialect/Nnet3/IR/StreamOps.h"
#include "nnet3/Dialect/Nnet3/IR/NetworkOps.h"
#include "nnet3/Dialect/Nnet3/IR/RequestOps.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::nnet3;

bool mlir::nnet3::hasStream(NetworkOp network) {
  return llvm::any_of(network->getBlock()->getOps<StreamOp>(),
                      [&](StreamOp stream) {
                        return stream.getNetwork() == network.getSymName();
                      });
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// Returns the multiples of `step` in [`first`, `end`).
static SmallVector<Index> getMultiples(int64_t first, int64_t end,
                                       int64_t step) {
  SmallVector<Index> rows;
  for (int64_t t = llvm::divideCeilSigned(first, step) * step; t < end;
       t += step)
    rows.push_back({0, int32_t(t), 0});
  return rows;
}

SmallVector<Index> StreamOp::getNewRows(StringRef node, int64_t chunk,
                                        bool isFirst) {
  int64_t first = isFirst ? -int64_t(getLeft()) : int64_t(getRight());
  const int64_t end = getRight() + chunk;
  if (node == "input")
    return getMultiples(first, end, 1);
  if (node != "ivector")
    return {};
  // Times are rounded down to the period. Earlier chunks have already provided
  // the rows that earlier frames are rounded to.
  const int64_t period = getIvectorPeriod();
  if (isFirst)
    first = llvm::divideFloorSigned(first, period) * period;
  return getMultiples(first, end, period);
}

SmallVector<Index> StreamOp::getInputRows(StringRef node, int64_t chunk,
                                          bool isFirst) {
  SmallVector<Index> rows;
  if (!isFirst)
    for (auto state : getBody().getOps<StreamStateOp>())
      if (state.getNode() == node)
        rows = state.getIndexes().expand();
  llvm::append_range(rows, getNewRows(node, chunk, isFirst));
  return rows;
}

SmallVector<Index> StreamOp::getOutputRows(int64_t chunk) {
  return getMultiples(0, chunk, getFrameSubsamplingFactor());
}

IndexesAttr StreamOp::getIndexes(ArrayRef<Index> rows, int64_t numSequences,
                                 int64_t shift) {
  SmallVector<Index> all;
  for (int64_t n = 0; n < numSequences; ++n)
    for (const Index &row : rows)
      all.push_back({int32_t(n), int32_t(row.t + shift), row.x});
  return IndexesAttr::get(getContext(), all);
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

/// Verifies that all sequences together have no more rows than a request may
/// have.
static LogicalResult verifyRows(Operation *op, int64_t rows,
                                int64_t numSequences) {
  constexpr int64_t kMaxRows = 1 << 24;
  if (rows <= kMaxRows / numSequences)
    return success();
  return op->emitOpError("expects at most ")
         << kMaxRows << " rows, but got " << rows << " of each of "
         << numSequences << " sequences";
}

LogicalResult StreamOp::verifyRegions() {
  if (getBody().getNumArguments() != 0)
    return emitOpError("expects a body without arguments");
  llvm::StringMap<Operation *> nodes;
  std::pair<int64_t, int64_t> lastChunk;
  bool canBegin = false;
  int64_t keptRows = 0;
  for (auto state : getBody().getOps<StreamStateOp>())
    keptRows = std::max<int64_t>(keptRows, state.getIndexes().size());
  for (Operation &op : getBody().front()) {
    if (auto chunk = dyn_cast<StreamChunkOp>(op)) {
      const int64_t numFrames = chunk.getNumFrames(),
                    numSequences = chunk.getNumSequences();
      if (std::pair(numFrames, numSequences) <= lastChunk)
        return op.emitOpError("expects chunks in ascending order");
      lastChunk = {numFrames, numSequences};
      const int64_t newRows = int64_t(getLeft() + getRight()) + numFrames;
      if (failed(verifyRows(&op, std::max(newRows, keptRows), numSequences)))
        return failure();
      canBegin |= chunk.getFirst().has_value();
      if (numFrames % int64_t(getFrameSubsamplingFactor()) != 0 ||
          numFrames % int64_t(getIvectorPeriod()) != 0)
        return op.emitOpError("expects a multiple of the frame subsampling "
                              "factor ")
               << getFrameSubsamplingFactor() << " and the i-vector period "
               << getIvectorPeriod() << ", but got " << numFrames;
      continue;
    }
    auto state = dyn_cast<StreamStateOp>(op);
    if (!state)
      return op.emitOpError("does not belong in a stream");
    if (!nodes.try_emplace(state.getNode(), &op).second)
      return op.emitOpError("node '") << state.getNode() << "' is listed twice";
    for (const Index &row : state.getIndexes().expand())
      if (row.n != 0 || row.isBlank())
        return op.emitOpError("expects rows of sequence 0");
  }
  if (!canBegin)
    return emitOpError("expects a chunk that can begin the stream");
  return success();
}

/// The inputs or outputs of a request, by name.
using IoIndexes = llvm::StringMap<IndexesAttr>;

/// Checks that a request has exactly these inputs, or outputs.
template <typename OpTy>
static LogicalResult verifyIo(StreamChunkOp chunk, RequestOp request,
                              const IoIndexes &expected, StringRef kind) {
  IoIndexes found;
  for (auto io : request.getBody().getOps<OpTy>()) {
    IndexesAttr indexes = expected.lookup(io.getName());
    found[io.getName()] = io.getIndexes();
    if (indexes && indexes.expand() == io.getIndexes().expand())
      continue;
    auto diagnostic = chunk.emitOpError("expects request '")
                      << request.getSymName() << "' to have ";
    if (indexes)
      diagnostic << kind << " '" << io.getName() << "' at " << indexes
                 << ", but got " << io.getIndexes();
    else
      diagnostic << "no " << kind << " '" << io.getName() << "'";
    return diagnostic;
  }
  SmallVector<StringRef> names(expected.keys());
  llvm::sort(names);
  for (StringRef name : names)
    if (!found.contains(name))
      return chunk.emitOpError("expects request '")
             << request.getSymName() << "' to have the " << kind << " '" << name
             << "'";
  return success();
}

/// Checks the request for the first chunk, or for the next.
static LogicalResult verifyRequest(StreamOp stream, StreamChunkOp chunk,
                                   bool isFirst, ArrayRef<StringRef> inputNodes,
                                   SymbolTableCollection &symbolTable) {
  FlatSymbolRefAttr name = isFirst ? chunk.getFirstAttr() : chunk.getNextAttr();
  auto request = symbolTable.lookupNearestSymbolFrom<RequestOp>(stream, name);
  if (!request)
    return chunk.emitOpError("refers to an undefined request ") << name;
  if (request.getNetworkAttr() != stream.getNetworkAttr())
    return chunk.emitOpError("expects a request for ")
           << stream.getNetworkAttr() << ", but " << name << " is for "
           << request.getNetworkAttr();
  const int64_t numFrames = chunk.getNumFrames(),
                numSequences = chunk.getNumSequences();
  IoIndexes inputs, outputs;
  const auto addInput = [&](StringRef node) {
    const SmallVector<Index> rows =
        stream.getInputRows(node, numFrames, isFirst);
    if (!rows.empty())
      inputs[node] = stream.getIndexes(rows, numSequences);
  };
  for (auto state : stream.getBody().getOps<StreamStateOp>()) {
    addInput(state.getNode());
    if (std::optional<StringRef> output = state.getOutput())
      outputs[*output] = stream.getIndexes(state.getIndexes().expand(),
                                           numSequences, numFrames);
  }
  for (StringRef node : inputNodes)
    addInput(node);
  outputs["output"] =
      stream.getIndexes(stream.getOutputRows(numFrames), numSequences);
  if (failed(verifyIo<RequestInputOp>(chunk, request, inputs, "input")))
    return failure();
  return verifyIo<RequestOutputOp>(chunk, request, outputs, "output");
}

LogicalResult StreamOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  auto network =
      symbolTable.lookupNearestSymbolFrom<NetworkOp>(*this, getNetworkAttr());
  if (!network)
    return emitOpError("refers to an undefined network ") << getNetworkAttr();
  SmallVector<StringRef> inputNodes;
  for (auto node : network.getBody().getOps<InputNodeOp>())
    inputNodes.push_back(node.getName());
  for (auto state : getBody().getOps<StreamStateOp>())
    if (llvm::is_contained(inputNodes, state.getNode()) ==
        state.getOutput().has_value())
      return state.emitOpError("expects an output, `to \"...\"`, where the "
                               "node is a component node, and only there");
  for (auto chunk : getBody().getOps<StreamChunkOp>())
    for (const bool isFirst : {true, false})
      if ((!isFirst || chunk.getFirst()) &&
          failed(verifyRequest(*this, chunk, isFirst, inputNodes, symbolTable)))
        return failure();
  return success();
}

#define GET_OP_CLASSES
#include "nnet3/Dialect/Nnet3/IR/StreamOps.cpp.inc"
