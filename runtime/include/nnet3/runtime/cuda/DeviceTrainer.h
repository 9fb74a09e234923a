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

/// A request of training. The offsets of parameters count floats of the
/// weights, those of gradients and outputs floats of the arena.
struct DeviceTrainingRequest {
  /// A parameter of a component.
  struct Parameter {
    std::string component, parameter;
    uint64_t place = 0, size = 0;
  };
  /// A copy of a parameter in the layout that kernels read: element i is the
  /// weight at offset `from` + table[i], its magnitude raised to `least` if it
  /// is smaller.
  struct Derived {
    uint64_t place = 0, from = 0;
    float least = 0;
    std::vector<int32_t> table;
  };
  struct Output {
    std::string name;
    DeviceMatrix matrix;
  };

  /// Has no outputs, because they stay on the device.
  DeviceRequest request;
  std::vector<std::string> inputs; ///< names of the inputs of `request`
  std::vector<Output> outputs;
  /// All trained parameters: the same in all requests of a network.
  std::vector<Parameter> parameters;
  std::vector<Derived> derived;
  /// Their gradients, which the backward pass writes.
  std::vector<Parameter> gradients;
};

/// Trains a network as Trainer does, on a GPU. Parameters, statistics
/// and the state of natural gradient stay on the GPU. Serves one thread at a
/// time.
class DeviceTrainer {
public:
  ~DeviceTrainer();
  DeviceTrainer(const DeviceTrainer &) = delete;
  DeviceTrainer &operator=(const DeviceTrainer &) = delete;

  /// Creates a trainer on the GPU with the driver's number \p device that
  /// starts from the model of \p program. \p updateCode has the kernels of
  /// nnet3-make-update-kernels. Errors: options out of range.
  static Result<std::unique_ptr<DeviceTrainer>>
  create(const CudaApi &api, int device, std::shared_ptr<const Program> program,
         std::shared_ptr<const DeviceCode> updateCode,
         const TrainerOptions &options = {});

  /// Makes train() accept \p program, a program of the same network. \p request
  /// and \p code are its form for the device, and \p weights has the packed
  /// weights of \p code, which the trainer may overwrite.
  Status addShape(std::shared_ptr<const Program> program,
                  DeviceTrainingRequest request,
                  std::shared_ptr<const DeviceWeights> weights,
                  std::shared_ptr<const DeviceCode> code);

  /// As Trainer::train(). Also returns errors of the device, after which the
  /// parameters are undefined.
  Result<TrainingStep> train(const std::shared_ptr<const Program> &program,
                             const Minibatch &minibatch);

  void setUnderlyingLearningRate(float rate);
  /// As Trainer::scaleLearningRates().
  void scaleLearningRates(float factor);

  /// Replaces the model by the sum over all processes of \p share times their
  /// models, as Model::average(); needs a shape. Errors of the device.
  Status average(Exchange &exchange, float share);

  /// Copies parameters, statistics and the state of natural gradient to model()
  /// and delta().
  Status download();
  /// The models as of the latest download().
  const Model &model() const;
  const Model &delta() const;
  const MaxChangeCounts &maxChangeCounts() const;

  /// As Trainer::visitState(). Also returns errors of the device.
  Status visitState(StateVisitor &visitor);

private:
  class Data;
  explicit DeviceTrainer(std::unique_ptr<Data> data);
  std::unique_ptr<Data> impl;
};

} // namespace cuda
} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CUDA_DEVICETRAINER_H
