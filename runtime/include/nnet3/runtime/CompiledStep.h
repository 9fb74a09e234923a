//===- CompiledStep.h - Minibatches of one shape by machine code -*- C++ -*-==//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_COMPILEDSTEP_H
#define NNET3_RUNTIME_COMPILEDSTEP_H

#include "nnet3/runtime/StepInstance.h"

#include <array>
#include <optional>

namespace nnet3 {
namespace rt {

/// Machine code for both passes of a program, and what the caller does between
/// its functions: what a `kernel.entry` says. Places count floats of the arena,
/// or of the weights.
struct CompiledStep {
  /// Arena, weights, row tables, and a context that tells the functions of
  /// symbols() which thread calls them.
  using Function = void (*)(float *, const float *, const int32_t *, void *);

  /// A function that code for several threads calls.
  struct Symbol {
    const char *name;
    const void *address;
  };
  /// `nnet3lib_thread` and `nnet3lib_num_threads`, which give the number of a
  /// thread and of all, and `nnet3lib_barrier`, which returns when all threads
  /// have called it. Their argument is the context.
  static std::array<Symbol, 3> symbols();

  struct Io {
    std::string node;
    uint64_t place;
    int32_t rows, cols;
  };
  /// Rows that the preconditioned ones are multiplied with, and where the
  /// matrices go whose product has to be added: the basis, and the sums with
  /// the sign changed (Preconditioner::preconditionProduct()).
  struct Product {
    uint64_t place;
    int32_t cols;
    int64_t stride;
    uint64_t basis, sums;
    int32_t rank;
  };
  /// Without a function: preconditions rows, or with `product` the product with
  /// others; without a component, too: the objectives are computed here.
  struct Step {
    Function function = nullptr;
    std::string component;
    int32_t number = 0, part = -1;
    bool isTwoSided = false;
    uint64_t place = 0;
    int32_t rows = 0, cols = 0;
    int64_t stride = 0;
    std::optional<Product> product;
  };
  /// A parameter in the weights, or its gradient in the arena.
  struct Parameter {
    std::string component, name;
    uint64_t place, size;
  };
  /// Numbers of the weights that are those at the places in the table, at least
  /// \p least in magnitude.
  struct Derived {
    uint64_t place;
    std::vector<int32_t> table;
    float least = 0;
  };
  /// In double precision, as a component declares them.
  struct Statistics {
    std::string component;
    bool ofGradient;
    uint64_t place, size;
  };

  uint64_t arenaFloats = 0;
  /// How many threads run each function together.
  int32_t numThreads = 1;
  std::vector<Io> inputs, outputs;
  std::vector<Step> steps;
  std::vector<Parameter> parameters, gradients;
  std::vector<Derived> derived;
  std::vector<Statistics> statistics;
  /// Where the state of random numbers is: four words.
  std::optional<uint64_t> random;
  std::vector<float> weights;
  std::vector<int32_t> rowTables;
  /// Owns the functions.
  std::shared_ptr<const void> keepAlive;
};

/// Runs code. With models, a run reads the parameters and the statistics of the
/// one, adds the gradient, times learning rates, to the other, and keeps the
/// statistics in both. Without, it computes with the code's own weights.
class CompiledSteps : public StepInstance {
public:
  /// An instance of \p code, which is that of \p program; without models there
  /// need be no program. Fails if the models have not what the code reads.
  static Result<std::unique_ptr<CompiledSteps>>
  create(std::shared_ptr<const CompiledStep> code,
         std::shared_ptr<const Program> program,
         const InstanceOptions &options = {});
  ~CompiledSteps() override;

  const Program &program() const override;
  Status setInput(std::string_view name, ConstMatrixView value) override;
  Status run() override;
  Result<ConstMatrixView> output(std::string_view name) const override;
  void setSeed(uint64_t seed) override;
  uint64_t bytes() const override;

  /// Adds the gradient of the last run.
  Status addGradient(Model &to) const;
  /// Statistics that the next run adds to, and those behind it. Those of
  /// gradients are zero, or are left out, without \p gradient.
  Status setStatistics(const Model &model, const Model *gradient);
  Status getStatistics(Model &model, Model *gradient) const;

private:
  struct Data;
  explicit CompiledSteps(std::unique_ptr<Data> data);
  std::unique_ptr<Data> impl;
};

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_COMPILEDSTEP_H
