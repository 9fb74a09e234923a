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

/// Machine code for the forward and backward pass of a program, and the steps
/// that the caller does between its functions; made from a `kernel.entry`. A
/// `place` is an offset in floats from the start of the arena or of the
/// weights.
struct CompiledStep {
  /// Arguments: arena, weights, row tables, and a context, from which the
  /// functions of symbols() know the calling thread.
  using Function = void (*)(float *, const float *, const int32_t *, void *);

  /// A function that multithreaded code calls.
  struct Symbol {
    const char *name;
    const void *address;
  };
  /// `nnet3lib_thread` returns the index of the calling thread,
  /// `nnet3lib_num_threads` the number of threads, and `nnet3lib_barrier` is a
  /// barrier of all threads. Their argument is the context.
  static std::array<Symbol, 3> symbols();

  struct Io {
    std::string node;
    uint64_t place;
    int32_t rows, cols;
  };
  /// The second factor of a gradient matmul, and the offsets of the low-rank
  /// correction that the code adds to its result: `basis`, and `sums` negated
  /// (Preconditioner::preconditionProduct()).
  struct Product {
    uint64_t place;
    int32_t cols;
    int64_t stride;
    uint64_t basis, sums;
    int32_t rank;
    /// The rows of the step are the first of these groups of columns.
    int32_t groups = 1;
    int64_t distance = 0;
  };
  /// With a function: calls it. With a component only: preconditions rows, or
  /// with `product` their matmul with other rows. With `gradient`: adds that
  /// gradient to the models, and begins to sum it over processes. With `sums`:
  /// sums float64 numbers over processes; each takes two of the `cols` floats.
  /// Else it ends the forward pass; the caller computes the objectives.
  struct Step {
    Function function = nullptr;
    std::string component;
    int32_t number = 0, part = -1;
    bool isTwoSided = false;
    uint64_t place = 0;
    int32_t rows = 0, cols = 0;
    int64_t stride = 0;
    std::optional<Product> product;
    std::optional<size_t> gradient; ///< position in `gradients`
    bool sums = false;

    /// Whether a run ends behind the step.
    bool endsPart() const {
      return !function && component.empty() && !gradient && !sums;
    }
  };
  /// A parameter in the weights, or its gradient in the arena.
  struct Parameter {
    std::string component, name;
    uint64_t place, size;
  };
  /// The weights from `first` on, which no step changes: the code reads them in
  /// the arena, and its weights are the parameters alone.
  struct Constants {
    uint64_t first = 0, place = 0, size = 0;
  };
  /// Numbers in the arena: element i is the weight at offset table[i], its
  /// magnitude raised to `least` if it is smaller.
  struct Derived {
    uint64_t place;
    std::vector<int32_t> table;
    float least = 0;
  };
  /// The statistics of a component, float64, in the order of
  /// Component::statistics(). `size` counts float64 numbers.
  struct Statistics {
    std::string component;
    bool ofGradient;
    uint64_t place, size;
  };

  uint64_t arenaFloats = 0;
  /// Number of threads that call each function.
  int32_t numThreads = 1;
  std::vector<Io> inputs, outputs;
  std::vector<Step> steps;
  std::vector<Parameter> parameters, gradients;
  Constants constants;
  std::vector<Derived> derived;
  std::vector<Statistics> statistics;
  /// Offset of the state of random numbers, four words.
  std::optional<uint64_t> random;
  /// All packed weights, with the parameters that the code was made from.
  std::vector<float> weights;
  std::vector<int32_t> rowTables;
  /// Owns the machine code.
  std::shared_ptr<const void> keepAlive;
};

/// Runs a CompiledStep. With InstanceOptions::model, a run reads its
/// parameters, where they are, and its statistics, adds the gradient times the
/// learning rates to InstanceOptions::gradient, and updates the statistics of
/// both. Without a model it computes with the weights of the code.
class CompiledSteps : public StepInstance {
public:
  /// Creates an instance of \p code, which was compiled from \p program;
  /// without models \p program may be null. Fails if a model lacks a parameter
  /// or statistic that the code reads.
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

  /// Adds the gradient of the last run to \p to.
  Status addGradient(Model &to) const;
  /// Copies statistics to the arena before a run, or back after it. If
  /// \p gradient is null, its statistics are zero-filled or not copied back.
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
