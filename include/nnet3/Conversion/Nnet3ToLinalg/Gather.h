//===- Gather.h - Gathers of slices by a list of indexes --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `tensor.gather` has no lowering, so a gather is a `linalg.generic` of this
// form, which exporters recognise:
//
//   linalg.generic ins(%indexes : tensor<Nxi32>) outs(%empty : tensor<NxCxf32>)
//   {
//     %row = arith.index_cast %index : i32 to index
//     %column = linalg.index 1 : index
//     %element = tensor.extract %source[%row, %column]
//     linalg.yield %element
//   }
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_CONVERSION_NNET3TOLINALG_GATHER_H
#define NNET3_CONVERSION_NNET3TOLINALG_GATHER_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include <optional>

namespace mlir::nnet3 {

/// Creates a gather of the slices `indexes` of `source`, a two-dimensional
/// tensor, in dimension `dim`.
Value createGather(OpBuilder &builder, Location loc, Value source,
                   ArrayRef<int64_t> indexes, int64_t dim);

/// The operands of a gather.
struct Gather {
  Value source, indexes;
  int64_t dim;

  /// Returns nullopt if `op` is not a gather.
  static std::optional<Gather> match(linalg::GenericOp op);
};

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOLINALG_GATHER_H
