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

/// What runs forward, objectives and backward for minibatches of one shape.
class TrainingShape {
public:
  /// All outlive the shape, and so does \p steps, which does what comes between
  /// launches; it leaves objectives to computeObjectives().
  static Result<std::unique_ptr<TrainingShape>>
  create(TrainingDevice &device, std::shared_ptr<const Program> program,
         DeviceTrainingRequest request,
         std::shared_ptr<const DeviceWeights> weights,
         std::shared_ptr<const DeviceCode> code, DeviceSteps &steps);
  ~TrainingShape();

  const Program &getProgram() const { return *program; }
  const DeviceTrainingRequest &getRequest() const { return request; }
  /// The place of a parameter, of a gradient.
  Pointer getWeight(uint64_t place) const {
    return weights->get() + sizeof(float) * place;
  }
  Pointer getGradient(uint64_t place) const { return getPlace(place); }
  /// Any place of the arena.
  Pointer getPlace(uint64_t place) const { return instance->getPlace(place); }

  /// Makes of the parameters what kernels read in place of them.
  Error derive() const;

  /// Runs the minibatch, which is as checkTraining() wants it, with random
  /// numbers that are a function of \p seed.
  Result<std::vector<OutputObjective>> run(const Minibatch &minibatch,
                                           uint64_t seed);
  /// Puts into \p stream what comes between the passes.
  Error computeObjectives(Stream stream);

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
        hostSums(device.getApi()) {}

  Status open(std::shared_ptr<const DeviceCode> code, DeviceSteps &steps);
  Status addObjectives();
  Error uploadTables();
  std::optional<size_t> findInput(std::string_view name) const;
  Status setInput(std::string_view name, ConstMatrixView value);
  Status supervise(Objective &objective, const SupervisionMatrix &value);

  TrainingDevice &device;
  std::shared_ptr<const Program> program;
  DeviceTrainingRequest request;
  std::shared_ptr<const DeviceWeights> weights;
  std::unique_ptr<DeviceModel> model;
  std::unique_ptr<DeviceInstance> instance;
  std::vector<Objective> objectives;
  DeviceMemory tables; ///< of all that is derived, behind each other
  DeviceMemory sums;   ///< of the objectives, in parts
  StagingMemory hostSums;
};

} // namespace cuda
} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CUDA_TRAININGSHAPE_H
