//===- BackwardRuns.h - Both passes of an instance --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_UNITTESTS_PROPERTY_EXECUTION_BACKWARDRUNS_H
#define NNET3_UNITTESTS_PROPERTY_EXECUTION_BACKWARDRUNS_H

#include "BackwardProgram.h"

#include "nnet3/Execution/RequestRunner.h"

namespace mlir::nnet3::property {

/// Expects of three runs of `instance` what the interpreter computes of
/// `computation`: outputs, derivatives and statistics. They are equal to the
/// bit if nothing changes from one to the next.
void compareRuns(const Case &test, ComputationOp computation,
                 RequestInstance &instance, bool changes, double tolerance);

} // namespace mlir::nnet3::property

#endif // NNET3_UNITTESTS_PROPERTY_EXECUTION_BACKWARDRUNS_H
