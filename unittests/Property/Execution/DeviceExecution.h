//===- DeviceExecution.h - Cases on a device that is not there --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_UNITTESTS_PROPERTY_EXECUTION_DEVICEEXECUTION_H
#define NNET3_UNITTESTS_PROPERTY_EXECUTION_DEVICEEXECUTION_H

#include "Execution.h"

#include "HostKernels.h"
#include "nnet3/Execution/RequestRunner.h"

namespace mlir::nnet3::property {

/// The values of an input, or the derivative of an output, as a matrix.
::nnet3::rt::ConstMatrixView getRows(const RandomIo &io,
                                     const NodeTable &nodes);

/// The outputs of a run on the case's inputs.
Outputs runOnce(const Case &test, RequestInstance &instance);

/// Options of both sides: which matrices are compressed on level 2 depends on
/// the optimisations in front of it, of which a device leaves some out.
OptimizeOptions getDeviceOptimization(int32_t compressionLevel);

/// With NNET3_EMULATE_THREADS in the environment, what executes kernels thread
/// by thread, in an order that depends on `seed`; without, null, for their
/// loops.
std::unique_ptr<test::GpuEmulator> makeEmulator(uint64_t seed);

/// Expects that `emulator`, if there is one, has found nothing wrong.
void expectNoFindings(const test::GpuEmulator *emulator);

/// The outputs of three runs, which are equal: launched, recorded, replayed.
Outputs runThreeTimes(const Case &test, RequestInstance &instance);

} // namespace mlir::nnet3::property

#endif // NNET3_UNITTESTS_PROPERTY_EXECUTION_DEVICEEXECUTION_H
