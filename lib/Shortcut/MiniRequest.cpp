//===- MiniRequest.cpp - A request for two of its sequences ---------------===//

#include "nnet3/Shortcut/MiniRequest.h"
#include "nnet3/Shortcut/RequestStride.h"

using namespace mlir;
using namespace mlir::nnet3;

/// The rows of sequences 0 and 1.
static IndexesAttr withTwoSequences(IndexesAttr indexes) {
  MLIRContext *context = indexes.getContext();
  if (!indexes.isExplicit())
    return IndexesAttr::get(context, {0, 1}, indexes.getT(), indexes.getX(),
                            indexes.getOrder(), ArrayRef<int32_t>());
  std::string reason;
  std::optional<SequenceStride> stride = findSequenceStride(indexes, reason);
  assert(stride && "the request is alike for all sequences");
  return IndexesAttr::get(context,
                          withSequences(indexes, stride->stride, 2).expand());
}

OwningOpRef<RequestOp> mlir::nnet3::createMiniRequest(RequestOp request) {
  OwningOpRef<RequestOp> mini(request.clone());
  for (Operation &op : mini->getBody().front()) {
    auto indexes = op.getAttrOfType<IndexesAttr>("indexes");
    op.setAttr("indexes", withTwoSequences(indexes));
  }
  return mini;
}
