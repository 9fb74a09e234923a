//===- RegionOnVectors.h - Scalar regions on vectors ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_KERNELTOVECTOR_REGIONONVECTORS_H
#define NNET3_CONVERSION_KERNELTOVECTOR_REGIONONVECTORS_H

#include "mlir/IR/Builders.h"

namespace mlir::nnet3::kernel {

/// Creates what `region`, a function of scalars, computes from `values`,
/// vectors of `length` elements: the vectors that it yields.
SmallVector<Value> computeOnVectors(OpBuilder &builder, Region &region,
                                    ValueRange values, int64_t length);

} // namespace mlir::nnet3::kernel

#endif // NNET3_CONVERSION_KERNELTOVECTOR_REGIONONVECTORS_H
