//===- DeviceTrainer.h - The training step on a GPU -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spec: execution.md 3, as Trainer.h.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_RUNTIME_CUDA_DEVICETRAINER_H
#define NNET3_RUNTIME_CUDA_DEVICETRAINER_H

#include "nnet3/runtime/Trainer.h"
#include "nnet3/runtime/cuda/DeviceCode.h"
#include "nnet3/runtime/cuda/DeviceWeights.h"

#include <memory>
#include <string>
#include <vector>

namespace nnet3 {
namespace rt {
namespace cuda {

/// A request as training steps run it. Places of parameters count floats of the
/// weights, those of gradients and outputs floats of the arena.
struct DeviceTrainingRequest {
  /// Of a component.
  struct Parameter {
    std::string component, parameter;
    uint64_t place = 0, size = 0;
  };
  /// What kernels read of a parameter in place of it: element i is that at
  /// `from` + table[i], at least `least` in magnitude.
  struct Derived {
    uint64_t place = 0, from = 0;
    float least = 0;
    std::vector<int32_t> table;
  };
  struct Output {
    std::string name;
    DeviceMatrix matrix;
  };

  /// Without outputs, which stay on the device.
  DeviceRequest request;
  std::vector<std::string> inputs; ///< names of those of the request
  std::vector<Output> outputs;
  /// Of all parameters that are trained: the same in all requests of a network.
  std::vector<Parameter> parameters;
  std::vector<Derived> derived;
  /// What backward passes leave of them.
  std::vector<Parameter> gradients;
};

/// Trains a network as Trainer does, on the first GPU. Parameters, statistics,
/// and what natural gradient keeps, stay on it. Serves one thread at a time.
class DeviceTrainer {
public:
  ~DeviceTrainer();
  DeviceTrainer(const DeviceTrainer &) = delete;
  DeviceTrainer &operator=(const DeviceTrainer &) = delete;

  /// Begins with the model of \p program. \p updateCode has the kernels of
  /// nnet3-make-update-kernels. Errors: options out of their range.
  static Result<std::unique_ptr<DeviceTrainer>>
  create(const CudaApi &api, std::shared_ptr<const Program> program,
         std::shared_ptr<const DeviceCode> updateCode,
         const TrainerOptions &options = {});

  /// From now on \p program, of the same network, may be trained with:
  /// \p request is the same for the device, and \p weights are the network's as
  /// its code reads them, which the trainer may overwrite.
  Status addShape(std::shared_ptr<const Program> program,
                  DeviceTrainingRequest request,
                  std::shared_ptr<const DeviceWeights> weights,
                  std::shared_ptr<const DeviceCode> code);

  /// As Trainer::train(); errors of the device, too, behind which nothing can
  /// be said of the parameters.
  Result<TrainingStep> train(const std::shared_ptr<const Program> &program,
                             const Minibatch &minibatch);

  void setUnderlyingLearningRate(float rate);

  /// Copies parameters and statistics to model() and delta().
  Status download();
  /// As they were at the latest download().
  const Model &model() const;
  const Model &delta() const;
  const MaxChangeCounts &maxChangeCounts() const;

private:
  class Data;
  explicit DeviceTrainer(std::unique_ptr<Data> data);
  std::unique_ptr<Data> impl;
};

} // namespace cuda
} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CUDA_DEVICETRAINER_H
