//===- TrainingStatistics.h - Statistics that steps add to ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_CUDA_TRAININGSTATISTICS_H
#define NNET3_RUNTIME_CUDA_TRAININGSTATISTICS_H

#include "TrainingShape.h"
#include "nnet3/runtime/cuda/ModelStatistics.h"

namespace nnet3 {
namespace rt {
namespace cuda {

/// The statistics of the network and of delta. They are in the arena of the
/// shape that has run last. Everything is put into the device's stream.
class TrainingStatistics {
public:
  /// All outlive it.
  TrainingStatistics(TrainingDevice &device, Model &model, Model &delta)
      : device(device), model(model), delta(delta) {}

  /// Whether a request has those of the model, and in the order of earlier
  /// requests.
  Status check(const DeviceTrainingRequest &request);

  /// Those of the models; waits until they are there.
  Error upload(const TrainingShape &shape);
  Error move(const TrainingShape &from, const TrainingShape &to);
  /// As addL2() in ParameterUpdate.h: of delta's components with parameters.
  Error addL2(const TrainingShape &shape, double scale);
  /// Adds to those of each component \p scales times delta's.
  Error addDelta(const TrainingShape &shape, const std::vector<double> &scales);
  Error scaleDelta(const TrainingShape &shape, float factor);
  Error scaleBatchNorm(const TrainingShape &shape, double scale);
  /// Copies them to the models; waits until they are there.
  Error download(const TrainingShape &shape);

private:
  /// Of a component with parameters.
  struct Pair {
    int32_t component;
    Pointer own, delta;
    int64_t size;
  };

  std::vector<Pair> getPairs(const TrainingShape &shape) const;
  int32_t find(const DeviceStatistics &entry) const;

  TrainingDevice &device;
  Model &model, &delta;
  std::vector<DeviceStatistics> known; ///< of the first request
};

} // namespace cuda
} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CUDA_TRAININGSTATISTICS_H
