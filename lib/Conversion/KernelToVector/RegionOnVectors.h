//===- RegionOnVectors.h - Scalar regions on vectors ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_KERNELTOVECTOR_REGIONONVECTORS_H
#define NNET3_CONVERSION_KERNELTOVECTOR_REGIONONVECTORS_H

#include "nnet3/Conversion/KernelToVector/VectorEmitter.h"

namespace mlir::nnet3::kernel {

/// Applies `region`, a function of scalars, to vectors of `length` numbers.
/// Returns one vector for each scalar that the region yields.
SmallVector<Value> computeOnVectors(VectorEmitter &e, Region &region,
                                    ValueRange values, int64_t length);

} // namespace mlir::nnet3::kernel

#endif // NNET3_CONVERSION_KERNELTOVECTOR_REGIONONVECTORS_H
