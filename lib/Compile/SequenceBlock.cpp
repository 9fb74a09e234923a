//===- SequenceBlock.cpp - Requests for some of the sequences -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Compile/SequenceBlock.h"

using namespace mlir;
using namespace mlir::nnet3;

OwningOpRef<RequestOp> mlir::nnet3::getFirstSequences(RequestOp request,
                                                      int64_t blockSize) {
  OwningOpRef<RequestOp> block(cast<RequestOp>(request->clone()));
  block->setBlockSize(std::nullopt);
  for (Operation &io : block->getBody().front()) {
    auto all = io.getAttrOfType<IndexesAttr>("indexes");
    io.setAttr("indexes", IndexesAttr::get(
                              io.getContext(), all.getN().take_front(blockSize),
                              all.getT(), all.getX(), RowOrder::NT, {}));
  }
  return block;
}
