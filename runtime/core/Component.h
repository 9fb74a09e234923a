//===- Component.h - Interface of the runtime's components ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The registry creates a component from the attributes of the program; the
// executor runs it through this interface only. A component is immutable:
// training changes a ComponentState.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_RUNTIME_CORE_COMPONENT_H
#define NNET3_RUNTIME_CORE_COMPONENT_H

#include "Attributes.h"
#include "Preconditioner.h"
#include "nnet3/runtime/MatrixView.h"
#include "nnet3/runtime/RandomDraws.h"
#include "nnet3/runtime/Status.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace nnet3 {
namespace rt {

class AttributeWriter;
class Exchange;
struct ComponentState;

/// Property bits, with Kaldi's values (spec: components.md 2).
enum Property : uint32_t {
  kSimpleComponent = 0x001,
  kUpdatableComponent = 0x002,
  kPropagateInPlace = 0x004,
  kPropagateAdds = 0x008,
  kReordersIndexes = 0x010,
  kBackpropAdds = 0x020,
  kBackpropNeedsInput = 0x040,
  kBackpropNeedsOutput = 0x080,
  kBackpropInPlace = 0x100,
  kStoresStats = 0x200,
  kInputContiguous = 0x400,
  kOutputContiguous = 0x800,
  kUsesMemo = 0x1000,
  kRandomComponent = 0x2000
};

/// Data that a component derives from a propagate or backprop command at load
/// time: the checked precomputed indexes, and the sizes of scratch buffers and
/// memo. A propagate command and its backprop command have equal plans.
struct CommandPlan {
  virtual ~CommandPlan() = default;
  /// Bytes of the scratch buffer of propagate(), aligned to 64.
  uint64_t scratchBytes = 0;
  /// Bytes of the scratch buffer of backprop(), aligned to 64.
  uint64_t backpropScratchBytes = 0;
  /// Bytes of the memo that propagate() writes for backprop() and storeStats(),
  /// aligned to 64 (kUsesMemo).
  uint64_t memoBytes = 0;
};

/// The environment of one command at run time.
struct RunContext {
  /// The scratch buffer that the plan requests.
  void *scratch = nullptr;
  /// The component's parameters, in the order of Component::parameters().
  const ConstMatrixView *parameters = nullptr;
  /// Seed, run and the command's number select the random numbers. Commands are
  /// numbered separately for each kind. Backprop commands of components with
  /// parameters are not counted; such components must draw the same numbers in
  /// all commands of a run.
  uint64_t seed = 0;
  RandomDraws draws = RandomDraws::Normal;
  uint32_t run = 0;
  uint32_t commandNumber = 0;
  /// Iteration of the loop that the command is in; 0 outside of loops.
  int64_t round = 0;
  /// All-reduce over the processes that have other rows; null for one process.
  Exchange *exchange = nullptr;
};

/// The operands of a backprop command. Views without data are absent.
struct BackpropOperands {
  ConstMatrixView inValue;  ///< with kBackpropNeedsInput only
  ConstMatrixView outValue; ///< with kBackpropNeedsOutput only
  ConstMatrixView outDeriv;
  MatrixView inDeriv; ///< absent if not needed
  const void *memo = nullptr;
  /// The statistics of the forward pass; null if none are kept.
  const ComponentState *self = nullptr;
  /// Receives the update or the gradient of the parameters, and the statistics
  /// of the backward pass; null for none.
  ComponentState *update = nullptr;
};

/// A tensor that training changes. A vector has one row.
struct ParameterInfo {
  const char *name; ///< of the attribute
  ConstMatrixView initial;
  bool isVector;
};

/// A statistic that training accumulates, float64. It starts from `initial`, or
/// from zeros if `initial` is empty.
struct StatisticInfo {
  const char *name;
  size_t size;
  std::vector<double> initial;
  /// Whether commands add to it once, and not for each row: processes that have
  /// parts of a minibatch add the same.
  bool isPerCommand = false;
};

/// The attributes that all updatable components have (spec: components.md 3.1).
struct UpdateOptions {
  float learningRate = 0.001f;
  float learningRateFactor = 1;
  float maxChange = 0;
  float l2Regularize = 0;
  bool isGradient = false;
  /// Orthonormal constraint of the first parameter; 0 = none (spec:
  /// components.md 5).
  float orthonormalConstraint = 0;
  /// Whether learning rate 0 skips the whole update, as in TDNN and time-height
  /// convolution. Other components still update their preconditioners (spec:
  /// components.md 6.1, 6.11.3).
  bool skipsRateZero = false;
};

/// A part of a composite, and the positions of its first parameter and
/// preconditioner among those of the composite.
struct PartInfo {
  UpdateOptions options;
  size_t firstParameter, firstPreconditioner;
};

/// One component of a network, immutable.
class Component {
public:
  virtual ~Component();

  int32_t inputDim() const { return inDim; }
  int32_t outputDim() const { return outDim; }
  uint32_t properties() const { return propertyBits; }
  const std::vector<ParameterInfo> &parameters() const { return params; }
  const std::vector<StatisticInfo> &statistics() const { return stats; }
  /// The number of doubles in all statistics.
  uint64_t countStatistics() const {
    uint64_t count = 0;
    for (const StatisticInfo &info : stats)
      count += info.size;
    return count;
  }
  const UpdateOptions &updateOptions() const { return options; }
  /// The parts of a composite; empty for other components.
  const std::vector<PartInfo> &partInfos() const { return partsDeclared; }
  const std::vector<NaturalGradientOptions> &preconditioners() const {
    return naturalGradients;
  }

  /// Whether propagate() reads its input. If not, the input may be a view
  /// without rows and data.
  virtual bool readsInput() const { return true; }

  /// Checks the rows and the precomputed indexes of a propagate or backprop
  /// command; \p precomputed is null if it has none. Reports errors to
  /// \p errors. Returns null after an error, or if the component needs no plan.
  /// The default checks that simple components have equal numbers of rows.
  virtual std::unique_ptr<CommandPlan> plan(int32_t inRows, int32_t outRows,
                                            AttributeReader *precomputed,
                                            ErrorSink &errors) const;

  /// Checks the attributes that only programs with a backward pass use.
  virtual void checkTraining(ErrorSink &errors) const;

  /// Whether preconditioners get one row per row of the minibatch. Otherwise
  /// they get a gradient, after sumGradient().
  virtual bool preconditionsRows() const { return true; }
  /// Whether natural gradient works if each process has a part of the
  /// minibatch.
  virtual bool sharesMinibatches() const { return true; }

  /// Computes \p out from \p in, or adds to it (kPropagateAdds). The views
  /// never overlap, except that they may be the same with kPropagateInPlace.
  /// Strides may exceed the columns, also of components flagged contiguous.
  /// \p memo has the size that the plan requests; null if no command reads it.
  virtual void propagate(const CommandPlan *plan, ConstMatrixView in,
                         MatrixView out, void *memo,
                         const RunContext &context) const = 0;

  /// Adds the statistics of one propagate command to \p state (kStoresStats).
  /// \p in has no data if the command ran in place; \p memo is null without
  /// kUsesMemo.
  virtual void storeStats(ConstMatrixView in, ConstMatrixView out,
                          const void *memo, ComponentState &state,
                          const RunContext &context) const;

  /// Computes the derivative of the input, or adds to it (kBackpropAdds, unless
  /// the derivatives of input and output are the same matrix), and updates
  /// \p operands.update.
  virtual void backprop(const CommandPlan *plan,
                        const BackpropOperands &operands,
                        const RunContext &context) const = 0;

  /// Writes the statistics as attributes of a model file. The default writes
  /// each under its name, as a number if it has one element.
  virtual void exportStatistics(const ComponentState &state,
                                AttributeWriter &writer) const;

protected:
  Component(int32_t inputDim, int32_t outputDim, uint32_t properties)
      : inDim(inputDim), outDim(outputDim), propertyBits(properties) {}
  /// Takes the dims and properties from a class of ComponentAttributes.h.
  template <typename Attributes>
  explicit Component(const Attributes &attributes)
      : Component(static_cast<int32_t>(attributes.componentInputDim()),
                  static_cast<int32_t>(attributes.componentOutputDim()),
                  attributes.properties()) {}

  /// The add functions declare the component's state. The component accesses it
  /// by position in the order of declaration.
  void addMatrix(const char *name, ConstMatrixView initial) {
    params.push_back({name, initial, /*isVector=*/false});
  }
  void addVector(const char *name, const float *initial, int32_t dim) {
    params.push_back({name, ConstMatrixView(initial, 1, dim, dim), true});
  }
  void addStatistic(const char *name, std::vector<double> initial,
                    bool isPerCommand = false) {
    const size_t size = initial.size();
    addStatistic(name, size, std::move(initial), isPerCommand);
  }
  /// \p initial has \p size elements or is empty.
  void addStatistic(const char *name, size_t size, std::vector<double> initial,
                    bool isPerCommand = false) {
    stats.push_back({name, size, std::move(initial), isPerCommand});
  }
  void addPreconditioner(const NaturalGradientOptions &ngOptions) {
    naturalGradients.push_back(ngOptions);
  }
  void setUpdateOptions(const UpdateOptions &updateOptions) {
    options = updateOptions;
  }
  void addPart(const PartInfo &part) { partsDeclared.push_back(part); }

private:
  int32_t inDim;
  int32_t outDim;
  uint32_t propertyBits;
  std::vector<ParameterInfo> params;
  std::vector<StatisticInfo> stats;
  UpdateOptions options;
  std::vector<PartInfo> partsDeclared;
  std::vector<NaturalGradientOptions> naturalGradients;
};

/// Reads the attributes of updatable components.
UpdateOptions readUpdateOptions(AttributeReader &attributes);

/// Creates the component of Kaldi type \p type ("TanhComponent") from its
/// attributes. Returns null, with the error in \p attributes, if the type is
/// unknown or an attribute is missing or wrong.
std::unique_ptr<Component> createComponent(std::string_view type,
                                           AttributeReader &attributes);

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CORE_COMPONENT_H
