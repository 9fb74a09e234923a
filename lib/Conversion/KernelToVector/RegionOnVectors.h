//===- RegionOnVectors.h - Scalar regions on vectors ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_KERNELTOVECTOR_REGIONONVECTORS_H
#define NNET3_CONVERSION_KERNELTOVECTOR_REGIONONVECTORS_H

#include "nnet3/Conversion/KernelToVector/VectorEmitter.h"

namespace mlir::nnet3::kernel {

/// Creates what `region`, a function of scalars, computes from `values`,
/// each `length` numbers: those that it yields.
SmallVector<Value> computeOnVectors(VectorEmitter &e, Region &region,
                                    ValueRange values, int64_t length);

} // namespace mlir::nnet3::kernel

#endif // NNET3_CONVERSION_KERNELTOVECTOR_REGIONONVECTORS_H
