//===- UtteranceRequest.cpp - The request for a chunk ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "UtteranceRequest.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir;
using namespace mlir::nnet3;

OwningOpRef<RequestOp>
mlir::nnet3::createUtteranceRequest(NetworkOp network, const Chunk &chunk,
                                    int64_t factor, bool hasIvector,
                                    int32_t numSequences) {
  OpBuilder builder(network.getContext());
  Location loc = network.getLoc();
  OwningOpRef<RequestOp> request = RequestOp::create(
      builder, loc, "chunk", network.getSymName(),
      /*need_model_derivative=*/false, /*store_component_stats=*/false);
  builder.setInsertionPointToStart(&request->getBody().emplaceBlock());
  const auto sequences = llvm::to_vector(llvm::seq(numSequences));
  auto times = [&](int64_t first, int64_t last, int64_t step) {
    SmallVector<int32_t> t;
    for (int64_t time = first; time <= last; time += step)
      t.push_back(int32_t(time - chunk.firstFrame));
    return IndexesAttr::get(network.getContext(), sequences, t,
                            ArrayRef<int32_t>(0), RowOrder::NT,
                            ArrayRef<int32_t>());
  };
  RequestInputOp::create(builder, loc, "input",
                         times(chunk.firstInput, chunk.lastInput, 1),
                         /*has_deriv=*/false);
  if (hasIvector)
    RequestInputOp::create(builder, loc, "ivector",
                           times(chunk.firstFrame, chunk.firstFrame, 1),
                           /*has_deriv=*/false);
  RequestOutputOp::create(builder, loc, "output",
                          times(chunk.firstFrame, chunk.lastComputed, factor),
                          /*has_deriv=*/false);
  return request;
}
