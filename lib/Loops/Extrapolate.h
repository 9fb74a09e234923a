//===- Extrapolate.h - Computations that go on alike ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_LIB_LOOPS_EXTRAPOLATE_H
#define NNET3_LIB_LOOPS_EXTRAPOLATE_H

#include "nnet3/Dialect/Nnet3/IR/CommandOps.h"

namespace mlir::nnet3 {

/// Of a series of computations that differ in nothing but numbers, each of
/// which grows by the same amount every time, the one `steps` behind the first,
/// made from the first two. Null if these differ otherwise; `reason` says how.
/// What the dialect notes at commands is left out.
OwningOpRef<ComputationOp> extrapolate(ComputationOp first,
                                       ComputationOp second, int64_t steps,
                                       std::string &reason);

} // namespace mlir::nnet3

#endif // NNET3_LIB_LOOPS_EXTRAPOLATE_H
