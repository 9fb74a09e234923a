//===- BackwardRuns.h - Both passes of an instance --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_UNITTESTS_PROPERTY_EXECUTION_BACKWARDRUNS_H
#define NNET3_UNITTESTS_PROPERTY_EXECUTION_BACKWARDRUNS_H

#include "BackwardProgram.h"

#include "nnet3/Execution/RequestRunner.h"

namespace mlir::nnet3::property {

/// Expects that three runs of `instance` give the outputs, derivatives and
/// statistics that the interpreter computes for `computation`. Unless
/// `changes`, the runs are equal bit for bit.
void compareRuns(const Case &test, ComputationOp computation,
                 RequestInstance &instance, bool changes, double tolerance);

} // namespace mlir::nnet3::property

#endif // NNET3_UNITTESTS_PROPERTY_EXECUTION_BACKWARDRUNS_H
