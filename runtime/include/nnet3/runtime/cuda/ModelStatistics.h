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

/// Checks that \p statistics match components of \p model and are contiguous in
/// the arena.
Status checkStatistics(const std::vector<DeviceStatistics> &statistics,
                       const Model &model);

/// Returns the range of all statistics as a matrix of the arena, with no rows
/// if there are none.
DeviceMatrix getMatrix(const std::vector<DeviceStatistics> &statistics);

/// Returns the statistics of a model and of its gradient in the device's order;
/// zeros if \p gradient is null. \p statistics have been checked.
std::vector<double>
packStatistics(const std::vector<DeviceStatistics> &statistics,
               const Model &model, const Model *gradient);

/// Inverse of packStatistics().
void unpackStatistics(const std::vector<DeviceStatistics> &statistics,
                      const std::vector<double> &numbers, Model &model,
                      Model *gradient);

} // namespace cuda
} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CUDA_MODELSTATISTICS_H
