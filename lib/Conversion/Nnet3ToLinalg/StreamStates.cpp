//===- StreamStates.cpp - The state of a stream as values -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Conversion/Nnet3ToLinalg/StreamStates.h"
#include "TensorBuilder.h"

#include "nnet3/Conversion/Nnet3ToLinalg/Passes.h"

using namespace mlir;
using namespace mlir::nnet3;

std::optional<StreamStates> StreamStates::get(StreamOp stream,
                                              RequestOp request) {
  StreamStates states;
  std::optional<int64_t> chunk;
  for (auto op : stream.getBody().getOps<StreamChunkOp>()) {
    const bool isFirst =
        op.getFirst() && *op.getFirst() == request.getSymName();
    if (op.getNumSequences() != 1 ||
        (!isFirst && op.getNext() != request.getSymName()))
      continue;
    chunk = op.getNumFrames();
    states.first = isFirst;
  }
  if (!chunk)
    return {};
  for (auto state : stream.getBody().getOps<StreamStateOp>()) {
    const std::string node = state.getNode().str();
    if (state.getOutput()) {
      states.names.push_back({node, state.getOutput()->str()});
      continue;
    }
    const SmallVector<Index> kept = state.getIndexes().expand();
    const SmallVector<Index> rows =
        stream.getInputRows(node, *chunk, states.first);
    InputState input = {node, states.first ? 0 : int64_t(kept.size()), {}};
    for (Index index : kept) {
      index.t += *chunk;
      input.next.push_back(llvm::find(rows, index) - rows.begin());
    }
    states.inputs.push_back(std::move(input));
    states.names.push_back({node + ".rows", node + ".rows.next"});
    states.newRows.push_back(
        {node,
         stream.getIndexes(stream.getNewRows(node, *chunk, states.first), 1)});
  }
  return states;
}

void StreamStates::expose(func::FuncOp function) const {
  OpBuilder builder(function.getBody());
  TensorBuilder tensors(builder, function.getLoc());
  Operation *end = function.getBody().front().getTerminator();
  for (const InputState &input : inputs) {
    auto getNode = [&](BlockArgument argument) {
      return function.getArgAttrOfType<StringAttr>(argument.getArgNumber(),
                                                   kNodeAttr);
    };
    auto arguments = function.getArguments();
    auto found = llvm::find_if(arguments, [&](BlockArgument argument) {
      return getNode(argument) == input.node;
    });
    if (found == arguments.end())
      continue;
    BlockArgument rows = *found;
    auto type = cast<RankedTensorType>(rows.getType());
    const int64_t columns = type.getDimSize(1);
    auto getType = [&](int64_t count) {
      return RankedTensorType::get({count, columns}, type.getElementType());
    };
    Value all = rows;
    if (input.rows > 0) {
      const unsigned number = rows.getArgNumber();
      auto name = builder.getStringAttr(input.node + ".rows");
      const NamedAttribute attribute(builder.getStringAttr(kNodeAttr), name);
      (void)function.insertArgument(number, getType(input.rows),
                                    builder.getDictionaryAttr(attribute),
                                    function.getLoc());
      rows = function.getArgument(number + 1);
      builder.setInsertionPointToStart(&function.getBody().front());
      Value before = function.getArgument(number);
      rows.setType(getType(type.getDimSize(0) - input.rows));
      auto both = tensor::ConcatOp::create(builder, function.getLoc(), 0,
                                           ValueRange{before, rows});
      rows.replaceAllUsesExcept(both, both);
      all = both;
    }
    builder.setInsertionPoint(end);
    Value next = tensors.select(all, input.next, 0);
    end->insertOperands(end->getNumOperands(), next);
    auto name = builder.getStringAttr(input.node + ".rows.next");
    const NamedAttribute attribute(builder.getStringAttr(kNodeAttr), name);
    (void)function.insertResult(function.getNumResults(), next.getType(),
                                builder.getDictionaryAttr(attribute));
  }
  function.setFunctionType(builder.getFunctionType(
      function.getBody().getArgumentTypes(), end->getOperandTypes()));
}
