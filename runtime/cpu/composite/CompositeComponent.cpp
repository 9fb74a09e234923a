//===- CompositeComponent.cpp - Composites of components ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CompositeComponent.h"

#include "cpu/RowCommands.h"

namespace nnet3 {
namespace rt {

/// Returns \p rows rows of a matrix from \p first on; an absent matrix stays
/// absent.
template <typename Scalar>
static BasicMatrixView<Scalar> someRows(const BasicMatrixView<Scalar> &matrix,
                                        int64_t first, int32_t rows) {
  if (!matrix.data)
    return {};
  return BasicMatrixView<Scalar>(matrix.row(first), rows, matrix.cols,
                                 matrix.stride);
}

static char *at(void *scratch, uint64_t offset) {
  return static_cast<char *>(scratch) + offset;
}

//===----------------------------------------------------------------------===//
// Parts and plans
//===----------------------------------------------------------------------===//

CompositeComponent::CompositeComponent(CompositeParts allParts,
                                       uint32_t properties, int32_t maxRows,
                                       const UpdateOptions &updateOptions)
    : Component(allParts.front().component->inputDim(),
                allParts.back().component->outputDim(), properties),
      parts(std::move(allParts)), maxRows(maxRows) {
  for (CompositePart &part : parts)
    declare(part);
  setUpdateOptions(updateOptions);
}

void CompositeComponent::declare(CompositePart &part) {
  auto fullName = [&](const char *name) {
    names.push_back(part.prefix + name);
    return names.back().c_str();
  };
  part.firstParameter = parameters().size();
  part.firstStatistic = statistics().size();
  part.firstPreconditioner = preconditioners().size();
  const Component &component = *part.component;
  for (const ParameterInfo &info : component.parameters()) {
    if (info.isVector)
      addVector(fullName(info.name), info.initial.data, info.initial.cols);
    else
      addMatrix(fullName(info.name), info.initial);
  }
  for (const StatisticInfo &info : component.statistics())
    addStatistic(fullName(info.name), info.size, info.initial,
                 info.isPerCommand);
  for (const NaturalGradientOptions &options : component.preconditioners())
    addPreconditioner(options);
  addPart({component.updateOptions(), part.firstParameter,
           part.firstPreconditioner});
}

std::unique_ptr<CommandPlan>
CompositeComponent::plan(int32_t inRows, int32_t outRows,
                         AttributeReader *precomputed,
                         ErrorSink &errors) const {
  Component::plan(inRows, outRows, precomputed, errors);
  return planComposite(parts, numRepeated(), maxRows, outRows, errors);
}

template <typename Function>
void CompositeComponent::forEachPass(const CompositePlan &plan, int32_t rows,
                                     Function f) {
  int32_t first = 0;
  for (; first + plan.full.rows <= rows; first += plan.full.rows)
    f(plan.full, first);
  if (plan.rest.rows > 0)
    f(plan.rest, first);
}

/// Returns the output of part \p i in the scratch buffer.
MatrixView CompositeComponent::valueOf(const CompositePlan &plan, size_t i,
                                       int32_t rows, void *scratch) const {
  const int32_t cols = parts[i].component->outputDim();
  return MatrixView(
      reinterpret_cast<float *>(at(scratch, plan.layout.values[i])), rows, cols,
      cols);
}

//===----------------------------------------------------------------------===//
// Forward
//===----------------------------------------------------------------------===//

void CompositeComponent::runPart(const CompositePlan &plan,
                                 const CompositePass &pass, size_t i,
                                 ConstMatrixView in, MatrixView out, void *memo,
                                 const RunContext &context) const {
  const CompositePart &part = parts[i];
  part.component->propagate(
      pass.plans[i].get(), in, out, part.has(kUsesMemo) ? memo : nullptr,
      part.contextOf(context, at(context.scratch, plan.layout.partScratch)));
}

/// Computes \p out; zero-fills it first if the part adds. \p memo receives the
/// part's memo, if it has one.
void CompositeComponent::propagatePart(const CompositePlan &plan,
                                       const CompositePass &pass, size_t i,
                                       ConstMatrixView in, MatrixView out,
                                       void *memo,
                                       const RunContext &context) const {
  if (parts[i].has(kPropagateAdds))
    setConst(out, 0);
  runPart(plan, pass, i, in, out, memo, context);
}

void CompositeComponent::propagate(const CommandPlan *anyPlan,
                                   ConstMatrixView in, MatrixView out, void *,
                                   const RunContext &context) const {
  const auto &plan = static_cast<const CompositePlan &>(*anyPlan);
  forEachPass(plan, out.rows, [&](const CompositePass &pass, int32_t first) {
    ConstMatrixView from = someRows(in, first, pass.rows);
    for (size_t i = 0; i + 1 < parts.size(); ++i) {
      const MatrixView to = valueOf(plan, i, pass.rows, context.scratch);
      propagatePart(plan, pass, i, from, to, nullptr, context);
      from = to;
    }
    // The last part adds if the composite does.
    runPart(plan, pass, parts.size() - 1, from, someRows(out, first, pass.rows),
            nullptr, context);
  });
}

//===----------------------------------------------------------------------===//
// Backward
//===----------------------------------------------------------------------===//

void CompositeComponent::backprop(const CommandPlan *anyPlan,
                                  const BackpropOperands &operands,
                                  const RunContext &context) const {
  const auto &plan = static_cast<const CompositePlan &>(*anyPlan);
  forEachPass(plan, operands.outDeriv.rows,
              [&](const CompositePass &pass, int32_t first) {
                BackpropOperands some = operands;
                some.inValue = someRows(operands.inValue, first, pass.rows);
                some.outValue = someRows(operands.outValue, first, pass.rows);
                some.outDeriv = someRows(operands.outDeriv, first, pass.rows);
                some.inDeriv = someRows(operands.inDeriv, first, pass.rows);
                backpropPass(plan, pass, some, context);
              });
}

void CompositeComponent::backpropPass(const CompositePlan &plan,
                                      const CompositePass &pass,
                                      const BackpropOperands &operands,
                                      const RunContext &context) const {
  void *scratch = context.scratch;
  auto inputOf = [&](size_t i) {
    return i == 0 ? operands.inValue
                  : ConstMatrixView(valueOf(plan, i - 1, pass.rows, scratch));
  };
  auto memoOf = [&](size_t i) { return at(scratch, plan.layout.memos[i]); };
  for (size_t i = 0; i < numRepeated(); ++i)
    propagatePart(plan, pass, i, inputOf(i),
                  valueOf(plan, i, pass.rows, scratch), memoOf(i), context);

  BackpropOperands some;
  some.outDeriv = operands.outDeriv;
  some.outValue = operands.outValue;
  for (size_t i = parts.size(); i-- > 0;) {
    some.inValue = inputOf(i);
    some.memo = memoOf(i);
    some.inDeriv = operands.inDeriv;
    if (i > 0) {
      some.inDeriv = MatrixView(
          reinterpret_cast<float *>(at(scratch, plan.layout.derivs[i % 2])),
          pass.rows, some.inValue.cols, some.inValue.cols);
      setConst(some.inDeriv, 0);
    }
    backpropPart(
        parts[i], pass.plans[i].get(), some, operands,
        parts[i].contextOf(context, at(scratch, plan.layout.partScratch)));
    some.outDeriv = some.inDeriv;
    some.outValue = some.inValue;
  }
}

/// Stores the statistics of the part's activations, then runs its backward
/// pass.
void CompositeComponent::backpropPart(const CompositePart &part,
                                      const CommandPlan *plan,
                                      BackpropOperands operands,
                                      const BackpropOperands &whole,
                                      const RunContext &context) const {
  const ComponentState self =
      whole.self ? copyStatistics(part, *whole.self) : ComponentState();
  operands.self = whole.self ? &self : nullptr;
  if (!whole.update)
    return part.component->backprop(plan, operands, context);
  LentState lent(part, *whole.update);
  operands.update = &lent.state;
  if (part.has(kStoresStats))
    part.component->storeStats(operands.inValue, operands.outValue,
                               operands.memo, lent.state, context);
  part.component->backprop(plan, operands, context);
}

} // namespace rt
} // namespace nnet3
