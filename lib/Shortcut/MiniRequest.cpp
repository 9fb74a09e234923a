//===- MiniRequest.cpp - A request for two sequences ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Shortcut/MiniRequest.h"
#include "nnet3/Shortcut/RequestStride.h"

using namespace mlir;
using namespace mlir::nnet3;

/// Returns the rows of sequences 0 and 1 as an explicit list.
static IndexesAttr withTwoSequences(IndexesAttr indexes) {
  std::string reason;
  std::optional<SequenceStride> stride = findSequenceStride(indexes, reason);
  assert(stride && "the request is alike for all sequences");
  IndexRows rows = withSequences(indexes, stride->stride, 2);
  return IndexesAttr::get(indexes.getContext(), rows.expand());
}

OwningOpRef<RequestOp> mlir::nnet3::createMiniRequest(RequestOp request) {
  OwningOpRef<RequestOp> mini(request.clone());
  for (Operation &op : mini->getBody().front()) {
    auto indexes = op.getAttrOfType<IndexesAttr>("indexes");
    op.setAttr("indexes", withTwoSequences(indexes));
  }
  return mini;
}
