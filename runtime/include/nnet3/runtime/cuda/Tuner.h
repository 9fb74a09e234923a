//===- Tuner.h - Measuring the algorithms of products -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_CUDA_TUNER_H
#define NNET3_RUNTIME_CUDA_TUNER_H

#include "nnet3/runtime/cuda/DeviceModel.h"

namespace nnet3 {
namespace rt {
namespace cuda {

/// Measures the algorithms of cuBLASLt for the forward products of \p requests
/// on the device of \p model, some milliseconds for each, and gives the fastest
/// ones. A product without an epilogue that cuBLAS computes as fast is not
/// among them. The sums of some algorithms are in another order, so outputs can
/// differ in their last bits from those of a model that was not tuned.
Result<Algorithms> tune(const DeviceModel &model,
                        const std::vector<DeviceRequest> &requests);

} // namespace cuda
} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CUDA_TUNER_H
