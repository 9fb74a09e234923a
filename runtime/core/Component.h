//===- Component.h - What the executor knows of a component -----*- C++ -*-===//
//
// A component is made from the attributes of the program by the registry, and
// then run through this interface alone.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_RUNTIME_CORE_COMPONENT_H
#define NNET3_RUNTIME_CORE_COMPONENT_H

#include "Attributes.h"
#include "nnet3/runtime/MatrixView.h"
#include "nnet3/runtime/Status.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

namespace nnet3 {
namespace runtime {

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

/// What a component made of one propagate command at load time: its checked
/// precomputed indexes, and how much scratch memory it needs.
struct PropagatePlan {
  virtual ~PropagatePlan() = default;
  /// Bytes of scratch that propagate() uses, aligned to 64.
  uint64_t scratchBytes = 0;
};

/// What surrounds one propagate command at run time.
struct RunContext {
  /// The bytes that the plan asked for.
  void *scratch = nullptr;
  /// Together they select the random numbers. Propagate commands are counted
  /// alone, so that the other commands of a program do not matter.
  uint64_t seed = 0;
  uint32_t run = 0;
  uint32_t propagateNumber = 0;
};

/// One component of a network, immutable.
class Component {
public:
  virtual ~Component();

  int32_t inputDim() const { return inDim; }
  int32_t outputDim() const { return outDim; }
  uint32_t properties() const { return propertyBits; }

  /// Checks one propagate command: its rows, and its precomputed indexes, which
  /// are null where the command has none. Errors go to \p errors. May return
  /// null, both then and where there is nothing to keep. Here: the rule of
  /// simple components, equal rows.
  virtual std::unique_ptr<PropagatePlan> plan(int32_t inRows, int32_t outRows,
                                              AttributeReader *precomputed,
                                              ErrorSink &errors) const;

  /// Computes \p out from \p in, or adds to it (kPropagateAdds). The views
  /// never overlap, except that they may be the same with kPropagateInPlace.
  /// Strides may exceed the columns, also of components flagged contiguous.
  virtual void propagate(const PropagatePlan *plan, ConstMatrixView in,
                         MatrixView out, const RunContext &context) const = 0;

protected:
  Component(int32_t inputDim, int32_t outputDim, uint32_t properties)
      : inDim(inputDim), outDim(outputDim), propertyBits(properties) {}

private:
  int32_t inDim;
  int32_t outDim;
  uint32_t propertyBits;
};

/// Makes the component of Kaldi type \p type ("TanhComponent") from its
/// attributes. Null, with the error in \p attributes, where the type is unknown
/// or an attribute is missing or wrong.
std::unique_ptr<Component> createComponent(std::string_view type,
                                           AttributeReader &attributes);

} // namespace runtime
} // namespace nnet3

#endif // NNET3_RUNTIME_CORE_COMPONENT_H
