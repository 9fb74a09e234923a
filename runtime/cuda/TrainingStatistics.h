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

/// The statistics of the network and of delta, in the arena of the shape that
/// has run last. All work is enqueued into the device's stream.
class TrainingStatistics {
public:
  /// The arguments outlive this object.
  TrainingStatistics(TrainingDevice &device, Model &model, Model &delta)
      : device(device), model(model), delta(delta) {}

  /// Checks that the statistics of \p request match the model, in the order of
  /// earlier requests.
  Status check(const DeviceTrainingRequest &request);

  /// Copies the statistics of the models to the device, and waits.
  Error upload(const TrainingShape &shape);
  Error move(const TrainingShape &from, const TrainingShape &to);
  /// As addL2() in ParameterUpdate.h, for the statistics of delta's components
  /// with parameters.
  Error addL2(const TrainingShape &shape, double scale);
  /// Adds delta's statistics of each component times its scale.
  Error addDelta(const TrainingShape &shape, const std::vector<double> &scales);
  Error scaleDelta(const TrainingShape &shape, float factor);
  Error scaleBatchNorm(const TrainingShape &shape, double scale);
  /// Copies the statistics to the models, and waits.
  Error download(const TrainingShape &shape);

private:
  /// The statistics of a component with parameters.
  struct Pair {
    int32_t component;
    Pointer own, delta;
    int64_t size;
  };

  std::vector<Pair> getPairs(const TrainingShape &shape) const;

  TrainingDevice &device;
  Model &model, &delta;
  std::vector<DeviceStatistics> known; ///< of the first request
};

} // namespace cuda
} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CUDA_TRAININGSTATISTICS_H
