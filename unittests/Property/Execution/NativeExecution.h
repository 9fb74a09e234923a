//===- NativeExecution.h - Runs cases as machine code -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_UNITTESTS_PROPERTY_EXECUTION_NATIVEEXECUTION_H
#define NNET3_UNITTESTS_PROPERTY_EXECUTION_NATIVEEXECUTION_H

#include "Execution.h"

#include "nnet3/Target/Library/ObjectEmitter.h"

namespace mlir::nnet3::property {

/// Compiles the request of a case to machine code for vectors of that size, and
/// runs it in this process. Memory that the code does not write is full of NaN.
/// Components that the code leaves to the runtime are those of the reference.
/// With `blockSize`, blocks of so many sequences are computed one after the
/// other, if the request can have them. Kernels whose rows threads may share
/// run twice, the second time block by block; it is an error if their numbers
/// differ. `vectors` is an instruction set.
Outputs runNative(const Case &test, const std::string &vectors,
                  int64_t blockSize = 0);
/// The same for code that computes the steps of recurrences one by one, of
/// requests that are compiled in full.
Outputs runNativeSteps(const Case &test, const std::string &vectors);

/// Compiles the kernels that a device would run for this process, and runs
/// them: products that do what follows them, or, without `fused`, kernels that
/// do it. Components without code for devices are an error.
Outputs runDeviceKernels(const Case &test, bool fused);

/// The first difference beyond the order of sums, or "".
std::string compareOutputs(const Outputs &actual, const Outputs &expected);

} // namespace mlir::nnet3::property

#endif // NNET3_UNITTESTS_PROPERTY_EXECUTION_NATIVEEXECUTION_H
