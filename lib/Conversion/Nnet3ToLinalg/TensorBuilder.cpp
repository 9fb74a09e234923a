//===- TensorBuilder.cpp - Operations on matrices as tensors --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TensorBuilder.h"

#include "nnet3/Conversion/Nnet3ToLinalg/Gather.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <limits>

using namespace mlir;
using namespace mlir::nnet3;

/// Selections with more runs of equally spaced slices use one gather.
static constexpr size_t kMostRuns = 8;

Value TensorBuilder::constant(ArrayRef<float> values, int64_t rows) {
  const int64_t columns = int64_t(values.size()) / rows;
  auto type = RankedTensorType::get({rows, columns}, builder.getF32Type());
  return arith::ConstantOp::create(builder, loc,
                                   DenseElementsAttr::get(type, values));
}

Value TensorBuilder::splat(RankedTensorType type, double value) {
  Attribute element = builder.getFloatAttr(type.getElementType(), value);
  return arith::ConstantOp::create(builder, loc,
                                   DenseElementsAttr::get(type, element));
}

Value TensorBuilder::zeros(int64_t rows, int64_t columns) {
  return splat(RankedTensorType::get({rows, columns}, builder.getF32Type()), 0);
}

Value TensorBuilder::slice(Value tensor, int64_t row, int64_t rows,
                           int64_t column, int64_t columns, int64_t step) {
  if (row == 0 && column == 0 && step == 1 && rows == getRows(tensor) &&
      columns == getColumns(tensor))
    return tensor;
  auto pair = [&](int64_t a, int64_t b) {
    return SmallVector<OpFoldResult>{builder.getIndexAttr(a),
                                     builder.getIndexAttr(b)};
  };
  return tensor::ExtractSliceOp::create(builder, loc, tensor, pair(row, column),
                                        pair(rows, columns), pair(step, 1));
}

Value TensorBuilder::concat(ArrayRef<Value> parts, int64_t dim) {
  if (parts.size() == 1)
    return parts.front();
  return tensor::ConcatOp::create(builder, loc, dim, parts);
}

namespace {
/// Equally spaced indexes; slices of zeros if `step` is negative.
struct Run {
  int64_t first, count, step;
};
} // namespace

static SmallVector<Run> findRuns(ArrayRef<int64_t> indexes) {
  SmallVector<Run> runs;
  for (int64_t index : indexes) {
    Run *last = runs.empty() ? nullptr : &runs.back();
    if (index < 0) {
      if (last && last->step < 0)
        ++last->count;
      else
        runs.push_back({0, 1, -1});
      continue;
    }
    if (last && last->step >= 0) {
      if (last->count == 1 && index >= last->first) {
        last->step = index - last->first;
        ++last->count;
        continue;
      }
      if (last->count > 1 && index == last->first + last->count * last->step) {
        ++last->count;
        continue;
      }
    }
    runs.push_back({index, 1, 1});
  }
  return runs;
}

Value TensorBuilder::select(Value tensor, ArrayRef<int64_t> indexes,
                            int64_t dim) {
  const SmallVector<Run> runs = findRuns(indexes);
  const bool hasNone = llvm::is_contained(indexes, -1);
  if (runs.size() > kMostRuns) {
    // Negative indexes select slice 0, which is zeros.
    SmallVector<int64_t> places(indexes);
    if (hasNone) {
      tensor = concat(
          {dim == 0 ? zeros(1, getColumns(tensor)) : zeros(getRows(tensor), 1),
           tensor},
          dim);
      for (int64_t &place : places)
        ++place;
    }
    return createGather(builder, loc, tensor, places, dim);
  }
  SmallVector<Value> parts;
  for (const Run &run : runs) {
    if (run.step < 0) {
      parts.push_back(dim == 0 ? zeros(run.count, getColumns(tensor))
                               : zeros(getRows(tensor), run.count));
    } else if (run.step == 0) {
      Value one = dim == 0 ? slice(tensor, run.first, 1, 0, getColumns(tensor))
                           : sliceColumns(tensor, run.first, 1);
      parts.push_back(repeat(one, run.count, dim));
    } else if (dim == 0) {
      parts.push_back(
          slice(tensor, run.first, run.count, 0, getColumns(tensor), run.step));
    } else if (run.step == 1) {
      parts.push_back(sliceColumns(tensor, run.first, run.count));
    } else {
      return createGather(builder, loc, tensor, indexes, dim);
    }
  }
  return concat(parts, dim);
}

Value TensorBuilder::repeat(Value tensor, int64_t count, int64_t dim) {
  if (getType(tensor).getDimSize(dim) == count)
    return tensor;
  SmallVector<int64_t> shape(getType(tensor).getShape());
  shape[dim] = count;
  Type element = getType(tensor).getElementType();
  Value flat = tensor::CollapseShapeOp::create(
      builder, loc, tensor, SmallVector<ReassociationIndices>{{0, 1}});
  Value empty = tensor::EmptyOp::create(builder, loc, shape, element);
  return linalg::BroadcastOp::create(builder, loc, flat, empty, dim)
      ->getResult(0);
}

Value TensorBuilder::matmul(Value x, Value w, Value init) {
  auto type = RankedTensorType::get(
      {getRows(x), getColumns(w)},
      cast<RankedTensorType>(x.getType()).getElementType());
  if (!init)
    init = splat(type, 0);
  return linalg::MatmulOp::create(builder, loc, ValueRange{x, w},
                                  ValueRange{init})
      ->getResult(0);
}

Value TensorBuilder::reduce(
    Value tensor, double init,
    function_ref<Value(OpBuilder &, Location, Value, Value)> body) {
  auto type = RankedTensorType::get({getRows(tensor)},
                                    getType(tensor).getElementType());
  Value column =
      linalg::ReduceOp::create(
          builder, loc, tensor, splat(type, init), ArrayRef<int64_t>{1},
          [&](OpBuilder &b, Location at, ValueRange values) {
            linalg::YieldOp::create(b, at, body(b, at, values[0], values[1]));
          })
          ->getResult(0);
  return tensor::ExpandShapeOp::create(
      builder, loc,
      RankedTensorType::get({getRows(tensor), 1}, type.getElementType()),
      column, SmallVector<ReassociationIndices>{{0, 1}});
}

Value TensorBuilder::sumColumns(Value tensor) {
  return reduce(tensor, 0, [](OpBuilder &b, Location at, Value x, Value sum) {
    return arith::AddFOp::create(b, at, x, sum);
  });
}

Value TensorBuilder::maxColumns(Value tensor) {
  return reduce(tensor, -std::numeric_limits<double>::infinity(),
                [](OpBuilder &b, Location at, Value x, Value most) {
                  return arith::MaximumFOp::create(b, at, x, most);
                });
}

Value TensorBuilder::add(Value a, Value b) {
  return arith::AddFOp::create(builder, loc, a, b);
}

Value TensorBuilder::multiply(Value a, double factor) {
  if (factor == 1)
    return a;
  return arith::MulFOp::create(builder, loc, a, splat(getType(a), factor));
}
