//===- Component.h - What the executor knows of a component -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A component is made from the attributes of the program by the registry, and
// then run through this interface alone. It is immutable: what training changes
// is in a ComponentState.
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

/// What a component made of one propagate or backprop command at load time: its
/// checked precomputed indexes, and how much memory it needs. Both commands of
/// a pair have equal plans.
struct CommandPlan {
  virtual ~CommandPlan() = default;
  /// Bytes of scratch that propagate() uses, aligned to 64.
  uint64_t scratchBytes = 0;
  /// Bytes of scratch that backprop() uses, aligned to 64.
  uint64_t backpropScratchBytes = 0;
  /// Bytes that propagate() leaves for backprop() and storeStats(), aligned to
  /// 64 (kUsesMemo).
  uint64_t memoBytes = 0;
};

/// What surrounds one command at run time.
struct RunContext {
  /// The bytes that the plan asked for.
  void *scratch = nullptr;
  /// The component's parameters, in the order of Component::parameters().
  const ConstMatrixView *parameters = nullptr;
  /// Together they select the random numbers. Commands are counted apart from
  /// those of other kinds, so that these do not matter; backward, components
  /// with parameters are not counted, and are to draw the same in all commands
  /// of a run.
  uint64_t seed = 0;
  RandomDraws draws = RandomDraws::Normal;
  uint32_t run = 0;
  uint32_t commandNumber = 0;
  /// Sums over the processes that have other rows; null for none.
  Exchange *exchange = nullptr;
};

/// The operands of a backprop command. Views without data are absent.
struct BackpropOperands {
  ConstMatrixView inValue;  ///< with kBackpropNeedsInput only
  ConstMatrixView outValue; ///< with kBackpropNeedsOutput only
  ConstMatrixView outDeriv;
  MatrixView inDeriv; ///< absent where not wanted
  const void *memo = nullptr;
  /// The statistics of the network itself; null where none are kept.
  const ComponentState *self = nullptr;
  /// What gets the parameters' gradient, or is updated, and the statistics of
  /// the backward pass; null for neither.
  ComponentState *update = nullptr;
};

/// A tensor that training changes. A vector has one row.
struct ParameterInfo {
  const char *name; ///< of the attribute
  ConstMatrixView initial;
  bool isVector;
};

/// Accumulated numbers that training changes, beginning with those of the
/// program's attributes, or with zeros where \p initial is empty.
struct StatisticInfo {
  const char *name;
  size_t size;
  std::vector<double> initial;
};

/// The attributes that all updatable components have (spec: components.md 3.1).
struct UpdateOptions {
  float learningRate = 0.001f;
  float learningRateFactor = 1;
  float maxChange = 0;
  float l2Regularize = 0;
  bool isGradient = false;
  /// Of the first parameter; 0 = none (spec: components.md 5).
  float orthonormalConstraint = 0;
  /// Whether learning rate 0 suppresses the whole update, as in TDNN and
  /// time-height convolution. In other components the preconditioners still
  /// learn (spec: components.md 6.1, 6.11.3).
  bool skipsRateZero = false;
};

/// A part of a composite component, and where what it declares begins in what
/// the whole declares.
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
  const UpdateOptions &updateOptions() const { return options; }
  /// Those of a composite component's parts; none otherwise.
  const std::vector<PartInfo> &partInfos() const { return partsDeclared; }
  const std::vector<NaturalGradientOptions> &preconditioners() const {
    return naturalGradients;
  }

  /// Whether propagate() reads its input. Where it does not, there may be none:
  /// no rows, and no data.
  virtual bool readsInput() const { return true; }

  /// Checks one propagate or backprop command: its rows, and its precomputed
  /// indexes, which are null where the command has none. Errors go to \p
  /// errors. May return null, both then and where there is nothing to keep.
  /// Here: the rule of simple components, equal rows.
  virtual std::unique_ptr<CommandPlan> plan(int32_t inRows, int32_t outRows,
                                            AttributeReader *precomputed,
                                            ErrorSink &errors) const;

  /// Checks the attributes that matter to programs with a backward pass only.
  virtual void checkTraining(ErrorSink &errors) const;

  /// Whether preconditioners see a row for each row of the minibatch, so that
  /// processes with other rows can share what they learn.
  virtual bool preconditionsRows() const { return true; }

  /// Computes \p out from \p in, or adds to it (kPropagateAdds). The views
  /// never overlap, except that they may be the same with kPropagateInPlace.
  /// Strides may exceed the columns, also of components flagged contiguous.
  /// \p memo has the bytes that the plan asked for; null where nobody wants
  /// them.
  virtual void propagate(const CommandPlan *plan, ConstMatrixView in,
                         MatrixView out, void *memo,
                         const RunContext &context) const = 0;

  /// Adds the statistics of one propagate command to \p state (kStoresStats).
  /// \p in has no data where the command ran in place; \p memo is null without
  /// kUsesMemo.
  virtual void storeStats(ConstMatrixView in, ConstMatrixView out,
                          const void *memo, ComponentState &state,
                          const RunContext &context) const;

  /// Computes the derivative of the input, or adds to it (kBackpropAdds, unless
  /// it is the same matrix as the derivative of the output), and updates
  /// \p operands.update.
  virtual void backprop(const CommandPlan *plan,
                        const BackpropOperands &operands,
                        const RunContext &context) const = 0;

  /// Writes the attributes that hold the statistics, as in a model file.
  /// Here: each under its name, a number if it has one element.
  virtual void exportStatistics(const ComponentState &state,
                                AttributeWriter &writer) const;

protected:
  Component(int32_t inputDim, int32_t outputDim, uint32_t properties)
      : inDim(inputDim), outDim(outputDim), propertyBits(properties) {}
  /// With the dims and properties of a class of ComponentAttributes.h.
  template <typename Attributes>
  explicit Component(const Attributes &attributes)
      : Component(static_cast<int32_t>(attributes.componentInputDim()),
                  static_cast<int32_t>(attributes.componentOutputDim()),
                  attributes.properties()) {}

  /// Declares what the component's state has. The order is that of the
  /// positions under which the component finds them.
  void addMatrix(const char *name, ConstMatrixView initial) {
    params.push_back({name, initial, /*isVector=*/false});
  }
  void addVector(const char *name, const float *initial, int32_t dim) {
    params.push_back({name, ConstMatrixView(initial, 1, dim, dim), true});
  }
  void addStatistic(const char *name, std::vector<double> initial) {
    const size_t size = initial.size();
    addStatistic(name, size, std::move(initial));
  }
  /// \p initial has \p size elements or none.
  void addStatistic(const char *name, size_t size,
                    std::vector<double> initial) {
    stats.push_back({name, size, std::move(initial)});
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

/// Makes the component of Kaldi type \p type ("TanhComponent") from its
/// attributes. Null, with the error in \p attributes, where the type is unknown
/// or an attribute is missing or wrong.
std::unique_ptr<Component> createComponent(std::string_view type,
                                           AttributeReader &attributes);

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CORE_COMPONENT_H
