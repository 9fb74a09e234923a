//===- DeviceExecution.h - Cases on the fake device -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_UNITTESTS_PROPERTY_EXECUTION_DEVICEEXECUTION_H
#define NNET3_UNITTESTS_PROPERTY_EXECUTION_DEVICEEXECUTION_H

#include "Execution.h"

#include "HostKernels.h"
#include "nnet3/Execution/RequestRunner.h"

namespace mlir::nnet3::property {

/// Returns the values of an input, or the derivative of an output, as a matrix.
::nnet3::rt::ConstMatrixView getRows(const RandomIo &io,
                                     const NodeTable &nodes);

/// Returns the outputs of a run on the case's inputs.
Outputs runOnce(const Case &test, RequestInstance &instance);

/// Returns optimisations for both sides: compression at level 2 depends on the
/// earlier optimisations, some of which devices leave out.
OptimizeOptions getDeviceOptimization(int32_t compressionLevel);

/// If NNET3_EMULATE_THREADS is set, returns an emulator that executes kernels
/// thread by thread, in an order that depends on `seed`; otherwise null, and
/// kernels run as loops.
std::unique_ptr<test::GpuEmulator> makeEmulator(uint64_t seed);

/// Expects that `emulator`, unless null, has found no errors.
void expectNoFindings(const test::GpuEmulator *emulator);

/// Returns the outputs of three runs, which must be equal: launched, recorded,
/// replayed.
Outputs runThreeTimes(const Case &test, RequestInstance &instance);

} // namespace mlir::nnet3::property

#endif // NNET3_UNITTESTS_PROPERTY_EXECUTION_DEVICEEXECUTION_H
