//===- Gather.cpp - Gather slices by a list of indexes --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Conversion/Nnet3ToLinalg/Gather.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::nnet3;

Value mlir::nnet3::createGather(OpBuilder &builder, Location loc, Value source,
                                ArrayRef<int64_t> indexes, int64_t dim) {
  auto type = cast<RankedTensorType>(source.getType());
  auto listType =
      RankedTensorType::get(int64_t(indexes.size()), builder.getI32Type());
  Value list = arith::ConstantOp::create(
      builder, loc,
      DenseElementsAttr::get(listType,
                             ArrayRef(llvm::to_vector_of<int32_t>(indexes))));
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] = indexes.size();
  Value empty =
      tensor::EmptyOp::create(builder, loc, shape, type.getElementType());
  AffineMap along = AffineMap::get(2, 0, builder.getAffineDimExpr(dim));
  AffineMap all = builder.getMultiDimIdentityMap(2);
  SmallVector<utils::IteratorType> loops(2, utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             builder, loc, TypeRange{empty.getType()}, ValueRange{list},
             ValueRange{empty}, ArrayRef{along, all}, loops,
             [&](OpBuilder &b, Location at, ValueRange values) {
               Value index = arith::IndexCastOp::create(b, at, b.getIndexType(),
                                                        values[0]);
               SmallVector<Value> place(2);
               place[dim] = index;
               place[1 - dim] = linalg::IndexOp::create(b, at, 1 - dim);
               linalg::YieldOp::create(
                   b, at,
                   Value(tensor::ExtractOp::create(b, at, source, place)));
             })
      ->getResult(0);
}

std::optional<Gather> Gather::match(linalg::GenericOp op) {
  if (op.getNumDpsInputs() != 1 || op.getNumDpsInits() != 1)
    return {};
  auto yield = cast<linalg::YieldOp>(op.getBody()->getTerminator());
  auto extract = yield.getOperand(0).getDefiningOp<tensor::ExtractOp>();
  if (!extract || extract.getIndices().size() != 2)
    return {};
  for (int64_t dim : {0, 1}) {
    auto index = extract.getIndices()[dim].getDefiningOp<arith::IndexCastOp>();
    auto other = extract.getIndices()[1 - dim].getDefiningOp<linalg::IndexOp>();
    if (index && index.getIn() == op.getBody()->getArgument(0) && other &&
        int64_t(other.getDim()) == 1 - dim)
      return Gather{extract.getTensor(), op.getDpsInputOperand(0)->get(), dim};
  }
  return {};
}
