//===- DeviceParameters.h - Updates of parameters on a GPU ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parameters are in the weights of the current shape. This class has delta,
// in the same layout, and the operations on both.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_RUNTIME_CUDA_DEVICEPARAMETERS_H
#define NNET3_RUNTIME_CUDA_DEVICEPARAMETERS_H

#include "DeltaSums.h"
#include "DeviceNaturalGradient.h"
#include "TrainingShape.h"
#include "train/OrthonormalConstraint.h"

#include <map>

namespace nnet3 {
namespace rt {
namespace cuda {

class DeviceParameters {
public:
  /// \p device outlives this object. The models provide the layout, the
  /// learning rates and the options; only upload() and uploadDelta() read their
  /// parameters.
  DeviceParameters(TrainingDevice &device, std::unique_ptr<Model> model,
                   std::unique_ptr<Model> delta);
  ~DeviceParameters();

  Model &getModel() { return *model; }
  Model &getDelta() { return *delta; }

  /// Checks that the parameters of \p request match the models and earlier
  /// requests.
  Status check(const DeviceTrainingRequest &request);
  /// Allocates and zero-fills delta.
  Error allocate(const TrainingShape &shape);

  // Operations on delta and on the parameters of a shape. All work is enqueued
  // into the device's stream.

  /// Copies the parameters of \p from to \p to.
  Error move(const TrainingShape &from, const TrainingShape &to);
  /// Begins a run, which adds to delta.
  Error beginRun();
  /// Adds a gradient at \p gradient, which is complete, times the learning
  /// rate, to delta, and copies that to the host, where processes sum it.
  Error complete(const Step &step, Pointer gradient);
  /// Waits for the copies to the host so far, and begins their sums. Processes
  /// call it at the same points of their runs.
  Error beginSums();
  /// Adds the gradients of the run that no step has completed to delta. If
  /// there are other processes, begins the sums of what is left of delta.
  Error accumulate(const TrainingShape &shape);
  /// Waits for the sums of delta over processes.
  Error finishSums();
  Error addL2(const TrainingShape &shape, double scale);
  /// Computes the sum of squares of each component's delta, and waits for it.
  Error sumSquares(std::vector<double> &sums);
  /// Adds the delta of each component times its scale to the parameters.
  Error addDelta(const TrainingShape &shape, const std::vector<double> &scales);
  /// Applies the constraints that isConstrained() selects.
  Error constrain(const TrainingShape &shape, const TrainerOptions &options,
                  uint64_t step);
  Error scaleDelta(float factor);
  /// Copies parameters, delta and the state of natural gradient to the models.
  Error download(const TrainingShape &shape);
  /// Copies the parameters of the model to the shape.
  Error upload(const TrainingShape &shape);
  /// Copies delta to the model, and from it.
  Error downloadDelta();
  Error uploadDelta();
  /// Copies the state of natural gradient from the model.
  Error uploadPreconditioners();

  /// Preconditions rows; if they are a gradient, sums it over processes before.
  Error precondition(const Step &step, Pointer rows);
  Error finishPreconditioners();
  void freeze(bool frozen);

private:
  struct Entry {
    int32_t component = 0;
    size_t parameter = 0;
    uint64_t place = 0;
    int64_t size = 0;
    bool isComplete = false; ///< in this run (complete())
  };

  Entry *find(const std::string &component, const std::string &parameter);
  /// The learning rate of the component, or of the part of a composite.
  float getLearningRate(const Entry &entry) const;
  Pointer getPlace(const Entry &entry) const {
    return memory.get() + sizeof(float) * entry.place;
  }
  Error addGradient(const Entry &entry, Pointer gradient);
  Error constrain(const DeviceView &matrix, float target);
  Error findStep(Pointer product, int64_t size, ConstraintStep &step);
  Error sumGradient(const DeviceView &gradient);
  Error shareGradient(const DeviceView &gradient);
  DeviceNaturalGradient &getPreconditioner(int32_t component, int32_t number);

  TrainingDevice &device;
  std::unique_ptr<Model> model, delta;
  std::vector<Entry> entries;
  uint64_t size = 0; ///< floats of delta
  DeviceMemory memory, parts;
  DeltaSums sums;
  StagingMemory hostParts;
  bool isAllocated = false, isFrozen = false;
  std::map<std::pair<int32_t, int32_t>, DeviceNaturalGradient> preconditioners;
};

} // namespace cuda
} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CUDA_DEVICEPARAMETERS_H
