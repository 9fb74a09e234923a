//===- RegionOnVectors.h - Scalar regions on vectors ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_KERNELTOVECTOR_REGIONONVECTORS_H
#define NNET3_CONVERSION_KERNELTOVECTOR_REGIONONVECTORS_H

#include "mlir/IR/Builders.h"

namespace mlir::nnet3::kernel {

/// Applies `region`, a function of scalars, to values of `type`, which is f32
/// or a vector of f32. Returns one value for each scalar that the region
/// yields.
SmallVector<Value> computeOnVectors(OpBuilder &b, Region &region,
                                    ValueRange values, Type type);

} // namespace mlir::nnet3::kernel

#endif // NNET3_CONVERSION_KERNELTOVECTOR_REGIONONVECTORS_H
