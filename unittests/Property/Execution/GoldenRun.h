//===- GoldenRun.h - Running cases of the reference -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_UNITTESTS_PROPERTY_EXECUTION_GOLDENRUN_H
#define NNET3_UNITTESTS_PROPERTY_EXECUTION_GOLDENRUN_H

#include "BackwardProgram.h"
#include "GoldenCase.h"

#include "nnet3/Execution/NnetRunner.h"

#include "gtest/gtest.h"

namespace mlir::nnet3::property {

/// The results of a run: outputs and input derivatives by node name; gradients
/// and statistics by names that contain a blank.
using Results = std::map<std::string, Vector>;

/// Returns true for a gradient or a statistic.
inline bool isOfModel(llvm::StringRef name) { return name.contains(' '); }

/// The required accuracy of results.
struct Agreement {
  double tolerance;
  bool zeroSigns; ///< whether -0 differs from 0
};

/// Returns the first difference, or "". NaN equals NaN, and an infinity equals
/// itself.
std::string compareResults(const Results &actual, const Results &expected,
                           Agreement agreement);

Results runForward(RequestInstance &instance, const GoldenCase &test);

/// Runs both passes, starting with statistics and gradients of zero.
class Training {
public:
  explicit Training(std::shared_ptr<const ::nnet3::rt::Program> program)
      : model(std::move(*::nnet3::rt::Model::create(program))),
        gradient(std::move(*::nnet3::rt::Model::create(program))) {
    gradient->setAsGradient();
  }
  virtual ~Training() = default;

  Results run(const GoldenCase &test);

protected:
  virtual void runPasses() = 0;

  std::unique_ptr<::nnet3::rt::Model> model, gradient;
  std::unique_ptr<RequestInstance> instance;
};

class InterpreterTraining : public Training {
public:
  InterpreterTraining(NnetRunner &runner, Location loc,
                      std::shared_ptr<const ::nnet3::rt::Program> program)
      : Training(program) {
    ::nnet3::rt::InstanceOptions options;
    options.model = model.get();
    options.gradient = gradient.get();
    instance = std::make_unique<InterpreterInstance>(
        std::move(*runner.instantiate(program, loc, options)));
  }

protected:
  void runPasses() override {
    for (int pass = 0; pass < 2; ++pass)
      EXPECT_TRUE(instance->run().ok());
  }
};

class DeviceTraining : public Training {
public:
  DeviceTraining(std::unique_ptr<RequestInstance> device,
                 std::shared_ptr<const ::nnet3::rt::Program> program)
      : Training(program) {
    instance = std::move(device);
  }

protected:
  void runPasses() override {
    EXPECT_TRUE(instance->setStatistics(*model, gradient.get()).ok());
    EXPECT_TRUE(instance->run().ok());
    EXPECT_TRUE(instance->addGradient(*gradient).ok());
    EXPECT_TRUE(instance->getStatistics(*model, gradient.get()).ok());
  }
};

} // namespace mlir::nnet3::property

#endif // NNET3_UNITTESTS_PROPERTY_EXECUTION_GOLDENRUN_H
