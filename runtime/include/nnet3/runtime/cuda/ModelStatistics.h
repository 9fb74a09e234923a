//===- ModelStatistics.h - Statistics of models on a GPU --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_CUDA_MODELSTATISTICS_H
#define NNET3_RUNTIME_CUDA_MODELSTATISTICS_H

#include "nnet3/runtime/Model.h"
#include "nnet3/runtime/cuda/DeviceCode.h"

namespace nnet3 {
namespace rt {
namespace cuda {

/// Whether \p statistics are those of components of \p model, and behind each
/// other.
Status checkStatistics(const std::vector<DeviceStatistics> &statistics,
                       const Model &model);

/// All of them as a matrix of the arena, which has none for none.
DeviceMatrix getMatrix(const std::vector<DeviceStatistics> &statistics);

/// The numbers of a model and of its gradient as the device has them; zeros for
/// a gradient that is null. \p statistics have been checked.
std::vector<double>
packStatistics(const std::vector<DeviceStatistics> &statistics,
               const Model &model, const Model *gradient);

/// The way back.
void unpackStatistics(const std::vector<DeviceStatistics> &statistics,
                      const std::vector<double> &numbers, Model &model,
                      Model *gradient);

} // namespace cuda
} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CUDA_MODELSTATISTICS_H
