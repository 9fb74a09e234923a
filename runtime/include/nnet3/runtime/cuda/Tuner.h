//===- Tuner.h - Measuring the algorithms of matmuls ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_CUDA_TUNER_H
#define NNET3_RUNTIME_CUDA_TUNER_H

#include "nnet3/runtime/cuda/DeviceModel.h"

namespace nnet3 {
namespace rt {
namespace cuda {

/// Measures the algorithms of cuBLASLt for the forward matmuls of \p requests
/// on the device of \p model, some milliseconds each, and returns the fastest
/// ones. A matmul without epilogue has no entry if cuBLAS is as fast.
/// Algorithms sum in different orders, so outputs can differ in the last bits
/// from those of an untuned model.
Result<Algorithms> tune(const DeviceModel &model,
                        const std::vector<DeviceRequest> &requests);

} // namespace cuda
} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CUDA_TUNER_H
