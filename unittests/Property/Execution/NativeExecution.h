//===- NativeExecution.h - Runs cases as machine code -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_UNITTESTS_PROPERTY_EXECUTION_NATIVEEXECUTION_H
#define NNET3_UNITTESTS_PROPERTY_EXECUTION_NATIVEEXECUTION_H

#include "Execution.h"

#include "nnet3/Target/Library/ObjectEmitter.h"

namespace mlir::nnet3::property {

/// Compiles the request of a case to machine code for the instruction set
/// `vectors`, and runs it in this process. Memory that the code does not write
/// is filled with NaN. Components without generated code call those of the
/// reference. With `blockSize`, computes blocks of that many sequences one
/// after another, if the request allows blocks. Kernels whose rows can be
/// divided among threads run twice, the second time block by block; different
/// results are an error.
Outputs runNative(const Case &test, const std::string &vectors,
                  int64_t blockSize = 0);
/// Like runNative(), for code that computes the steps of recurrences one by
/// one, for requests that are compiled in full.
Outputs runNativeSteps(const Case &test, const std::string &vectors);

/// Compiles the kernels that a device would run for the host and runs them:
/// matmuls with epilogues or, without `fused`, separate kernels. Components
/// without device code are an error.
Outputs runDeviceKernels(const Case &test, bool fused);

/// Returns the first difference beyond rounding of sums, or "".
std::string compareOutputs(const Outputs &actual, const Outputs &expected);

} // namespace mlir::nnet3::property

#endif // NNET3_UNITTESTS_PROPERTY_EXECUTION_NATIVEEXECUTION_H
