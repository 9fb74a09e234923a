//===- ExampleRequest.cpp - The request of a training example -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Target/Kaldi/ExampleRequest.h"

#include "mlir/IR/Verifier.h"

using namespace ::nnet3::kaldi;
using namespace mlir;
using namespace mlir::nnet3;

/// Makes the index attribute of a list of rows; a Cartesian product is stored
/// as ranges.
static FailureOr<IndexesAttr> makeIndexes(ArrayRef<RowIndex> rows,
                                          Location loc) {
  SmallVector<int32_t> list;
  for (const RowIndex &row : rows)
    llvm::append_values(list, row.n, row.t, row.x);
  auto indexes = IndexesAttr::getChecked(
      [&] { return emitError(loc); }, loc.getContext(), ArrayRef<int32_t>(),
      ArrayRef<int32_t>(), ArrayRef<int32_t>(), RowOrder::NT,
      ArrayRef<int32_t>(list));
  if (!indexes)
    return failure();
  return IndexesAttr::get(loc.getContext(), indexes.expand());
}

namespace mlir::nnet3 {

FailureOr<RequestOp>
createExampleRequest(const NnetExample &example, StringRef network,
                     llvm::function_ref<IoRole(StringRef)> getRole,
                     const ExampleRequestOptions &options, OpBuilder &builder,
                     Location loc) {
  OpBuilder::InsertionGuard guard(builder);
  auto request = RequestOp::create(builder, loc, "request", network,
                                   options.needModelDerivative,
                                   options.storeComponentStats);
  builder.setInsertionPointToEnd(&request.getBody().emplaceBlock());
  bool ok = true;
  for (const NnetIo &io : example.io) {
    IoRole role = getRole(io.name);
    if (!ok || role == IoRole::Unused)
      continue;
    FailureOr<IndexesAttr> indexes = makeIndexes(io.indexes, loc);
    ok = succeeded(indexes);
    if (ok && role == IoRole::Output)
      RequestOutputOp::create(builder, loc, io.name, *indexes,
                              options.needModelDerivative);
    else if (ok)
      RequestInputOp::create(builder, loc, io.name, *indexes,
                             /*has_deriv=*/false);
  }
  if (ok && succeeded(verify(request)))
    return request;
  request.erase();
  return failure();
}

} // namespace mlir::nnet3
