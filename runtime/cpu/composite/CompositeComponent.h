//===- CompositeComponent.h - Composites of components ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spec: components.md 6.46. Values between the parts are in the scratch buffer;
// the backward pass recomputes them.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_RUNTIME_CPU_COMPOSITE_COMPOSITECOMPONENT_H
#define NNET3_RUNTIME_CPU_COMPOSITE_COMPOSITECOMPONENT_H

#include "CompositePlan.h"

#include <deque>

namespace nnet3 {
namespace rt {

class CompositeComponent : public Component {
public:
  CompositeComponent(CompositeParts parts, uint32_t properties, int32_t maxRows,
                     const UpdateOptions &updateOptions);

  std::unique_ptr<CommandPlan> plan(int32_t inRows, int32_t outRows,
                                    AttributeReader *precomputed,
                                    ErrorSink &errors) const override;
  void checkTraining(ErrorSink &errors) const override {
    for (const CompositePart &part : parts)
      part.component->checkTraining(errors);
  }

  void propagate(const CommandPlan *plan, ConstMatrixView in, MatrixView out,
                 void *, const RunContext &context) const override;
  /// The parts precondition the rows a few at a time, and parts of a minibatch
  /// have other numbers of rows.
  bool sharesMinibatches() const override { return false; }

  void backprop(const CommandPlan *plan, const BackpropOperands &operands,
                const RunContext &context) const override;
  void exportStatistics(const ComponentState &state,
                        AttributeWriter &writer) const override {
    for (const CompositePart &part : parts)
      exportPart(part, state, writer);
  }

private:
  void declare(CompositePart &part);
  template <typename Function>
  static void forEachPass(const CompositePlan &plan, int32_t rows, Function f);
  /// Number of parts whose forward pass the backward pass repeats; the last
  /// part is repeated only for its memo.
  size_t numRepeated() const {
    return parts.size() - (parts.back().has(kUsesMemo) ? 0 : 1);
  }
  MatrixView valueOf(const CompositePlan &plan, size_t i, int32_t rows,
                     void *scratch) const;
  void runPart(const CompositePlan &plan, const CompositePass &pass, size_t i,
               ConstMatrixView in, MatrixView out, void *memo,
               const RunContext &context) const;
  void propagatePart(const CompositePlan &plan, const CompositePass &pass,
                     size_t i, ConstMatrixView in, MatrixView out, void *memo,
                     const RunContext &context) const;
  void backpropPass(const CompositePlan &plan, const CompositePass &pass,
                    const BackpropOperands &operands,
                    const RunContext &context) const;
  void backpropPart(const CompositePart &part, const CommandPlan *plan,
                    BackpropOperands operands, const BackpropOperands &whole,
                    const RunContext &context) const;

  CompositeParts parts;
  int32_t maxRows;
  /// Names of parameters and statistics, which the declarations refer to.
  std::deque<std::string> names;
};

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CPU_COMPOSITE_COMPOSITECOMPONENT_H
