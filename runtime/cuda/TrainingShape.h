//===- TrainingShape.h - Minibatches of one shape on a GPU ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_CUDA_TRAININGSHAPE_H
#define NNET3_RUNTIME_CUDA_TRAININGSHAPE_H

#include "TrainingDevice.h"
#include "nnet3/runtime/cuda/DeviceInstance.h"
#include "nnet3/runtime/cuda/DeviceTrainer.h"

namespace nnet3 {
namespace rt {
namespace cuda {

/// Runs the forward pass, the objectives and the backward pass for minibatches
/// of one shape.
class TrainingShape {
public:
  /// Creates a shape. \p device and \p steps outlive it. \p steps runs the
  /// steps between launches, and calls computeObjectives() for the objectives.
  static Result<std::unique_ptr<TrainingShape>>
  create(TrainingDevice &device, std::shared_ptr<const Program> program,
         DeviceTrainingRequest request,
         std::shared_ptr<const DeviceWeights> weights,
         std::shared_ptr<const DeviceCode> code, DeviceSteps &steps,
         RandomDraws randomDraws);
  ~TrainingShape();

  const Program &getProgram() const { return *program; }
  const DeviceTrainingRequest &getRequest() const { return request; }
  /// The device address of a parameter, and of a gradient, from its offset.
  Pointer getWeight(uint64_t place) const {
    return weights->get() + sizeof(float) * place;
  }
  Pointer getGradient(uint64_t place) const { return getPlace(place); }
  /// The device address of an offset in the arena.
  Pointer getPlace(uint64_t place) const { return instance->getPlace(place); }

  /// Computes DeviceTrainingRequest::derived from the parameters.
  Error derive() const;

  /// Starts to run a minibatch that checkTraining() has accepted. Random
  /// numbers depend on \p seed.
  Status submit(const Minibatch &minibatch, uint64_t seed);
  /// Waits for what submit() has started.
  Result<std::vector<OutputObjective>> finish();
  /// Enqueues the computation of objectives and output derivatives into
  /// \p stream. If the minibatch has a supervisor, waits for the outputs, and
  /// calls it.
  Error computeObjectives(Stream stream);
  /// Whether the minibatch of submit() has a supervisor.
  bool hasSupervisor() const { return supervisor != nullptr; }

private:
  /// An output with a derivative.
  struct Objective {
    std::string name;
    bool isQuadratic;
    DeviceMatrix output, derivative;
    size_t input; ///< number of the derivative
    double weight = 0;
  };

  TrainingShape(TrainingDevice &device, std::shared_ptr<const Program> program,
                DeviceTrainingRequest request,
                std::shared_ptr<const DeviceWeights> weights)
      : device(device), program(std::move(program)),
        request(std::move(request)), weights(std::move(weights)),
        tables(device.getApi()), sums(device.getApi()),
        hostSums(device.getApi()), hostOutputs(device.getApi()) {}

  Status open(std::shared_ptr<const DeviceCode> code, DeviceSteps &steps,
              RandomDraws randomDraws);
  Status addObjectives();
  Error uploadTables();
  std::optional<size_t> findInput(std::string_view name) const;
  Status setInput(std::string_view name, ConstMatrixView value);
  Status supervise(Objective &objective, const SupervisionMatrix &value);
  Error allocateOutputs();
  Error callSupervisor();
  std::vector<OutputObjective> getObjectives() const;

  TrainingDevice &device;
  std::shared_ptr<const Program> program;
  DeviceTrainingRequest request;
  std::shared_ptr<const DeviceWeights> weights;
  std::unique_ptr<DeviceModel> model;
  std::unique_ptr<DeviceInstance> instance;
  std::vector<Objective> objectives;
  DeviceMemory tables; ///< of `derived`, contiguous
  DeviceMemory sums;   ///< of the objectives, kParts partial sums each
  StagingMemory hostSums;
  /// Of the minibatch that runs; null for matrices of supervision.
  const OutputSupervisor *supervisor = nullptr;
  uint64_t seed = 0;
  /// The result of the supervisor.
  std::vector<OutputObjective> supervised;
  Status supervisorStatus;
  /// The outputs for the supervisor, contiguous; allocated in its first run.
  StagingMemory hostOutputs;
};

} // namespace cuda
} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CUDA_TRAININGSHAPE_H
