//===- StepInstance.h - Minibatches of one shape ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_STEPINSTANCE_H
#define NNET3_RUNTIME_STEPINSTANCE_H

#include "nnet3/runtime/Runtime.h"

namespace nnet3 {
namespace rt {

/// Computes the forward and backward pass of minibatches of one shape, by the
/// interpreter (Instance) or by machine code. run() allocates nothing.
class StepInstance {
public:
  virtual ~StepInstance();

  virtual const Program &program() const = 0;
  /// These functions behave as those of Instance.
  virtual Status setInput(std::string_view name, ConstMatrixView value) = 0;
  virtual Status run() = 0;
  virtual Result<ConstMatrixView> output(std::string_view name) const = 0;
  virtual void setSeed(uint64_t seed) = 0;
  /// Bytes of memory that the instance holds.
  virtual uint64_t bytes() const = 0;
};

/// Creates an instance of a program with the given options.
using StepInstanceFactory = std::function<Result<std::unique_ptr<StepInstance>>(
    const std::shared_ptr<const Program> &, const InstanceOptions &)>;

/// Creates an instance that interprets the program.
Result<std::unique_ptr<StepInstance>>
interpretSteps(const std::shared_ptr<const Program> &program,
               const InstanceOptions &options);

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_STEPINSTANCE_H
