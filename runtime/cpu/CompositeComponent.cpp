//===- CompositeComponent.cpp - Components one after another --------------===//
//
// Spec: components.md 6.46. Values between the parts live in scratch memory;
// the backward pass computes them once more.
//
//===----------------------------------------------------------------------===//

#include "CompositePart.h"
#include "Registry.h"
#include "RowCommands.h"

#include <algorithm>
#include <deque>

namespace nnet3 {
namespace runtime {
namespace {

using Parts = std::vector<CompositePart>;

/// Where in scratch memory things are, in bytes.
struct ScratchLayout {
  uint64_t size = 0;
  std::vector<uint64_t> values; ///< of what the parts compute
  uint64_t partScratch = 0;
  // Of the backward pass alone:
  std::vector<uint64_t> memos;
  uint64_t derivs[2] = {0, 0}; ///< of the values, in turns

  uint64_t take(uint64_t bytes) {
    const uint64_t offset = size;
    size += (bytes + 63) / 64 * 64;
    return offset;
  }
};

/// The plans of all parts for so many rows.
struct Pass {
  int32_t rows = 0;
  std::vector<std::unique_ptr<CommandPlan>> plans;
};

struct CompositePlan : CommandPlan {
  Pass full;
  Pass rest; ///< for the rows that are left over, perhaps none
  ScratchLayout layout;
};

/// Some rows of a matrix; none of one that is absent.
template <typename Scalar>
BasicMatrixView<Scalar> someRows(const BasicMatrixView<Scalar> &matrix,
                                 int64_t first, int32_t rows) {
  if (!matrix.data)
    return {};
  return BasicMatrixView<Scalar>(matrix.row(first), rows, matrix.cols,
                                 matrix.stride);
}

class CompositeComponent : public Component {
public:
  CompositeComponent(Parts parts, uint32_t properties, int32_t maxRows,
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
  void backprop(const CommandPlan *plan, const BackpropOperands &operands,
                const RunContext &context) const override;
  void exportStatistics(const ComponentState &state,
                        AttributeWriter &writer) const override {
    for (const CompositePart &part : parts)
      exportPart(part, state, writer);
  }

private:
  void declare(CompositePart &part);
  Pass planPass(int32_t rows, ErrorSink &errors) const;
  template <typename Function>
  static void forEachPass(const CompositePlan &plan, int32_t rows, Function f);
  /// How many parts the backward pass runs forward: the last only for its memo.
  size_t numRepeated() const {
    return parts.size() - (parts.back().has(kUsesMemo) ? 0 : 1);
  }
  MatrixView valueOf(const CompositePlan &plan, size_t i, int32_t rows,
                     void *scratch) const;
  void runPart(const CompositePlan &plan, const Pass &pass, size_t i,
               ConstMatrixView in, MatrixView out, void *memo,
               const RunContext &context) const;
  void propagatePart(const CompositePlan &plan, const Pass &pass, size_t i,
                     ConstMatrixView in, MatrixView out, void *memo,
                     const RunContext &context) const;
  void backpropPass(const CompositePlan &plan, const Pass &pass,
                    const BackpropOperands &operands,
                    const RunContext &context) const;
  void backpropPart(const CompositePart &part, const CommandPlan *plan,
                    BackpropOperands operands, const BackpropOperands &whole,
                    const RunContext &context) const;

  Parts parts;
  int32_t maxRows;
  /// Of parameters and statistics; the declarations refer to them.
  std::deque<std::string> names;
};

} // namespace

static char *at(void *scratch, uint64_t offset) {
  return static_cast<char *>(scratch) + offset;
}

//===----------------------------------------------------------------------===//
// Parts and plans
//===----------------------------------------------------------------------===//

CompositeComponent::CompositeComponent(Parts allParts, uint32_t properties,
                                       int32_t maxRows,
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
    addStatistic(fullName(info.name), info.size, info.initial);
  for (const NaturalGradientOptions &options : component.preconditioners())
    addPreconditioner(options);
  addPartOptions(component.updateOptions());
}

Pass CompositeComponent::planPass(int32_t rows, ErrorSink &errors) const {
  Pass pass;
  pass.rows = rows;
  for (const CompositePart &part : parts)
    pass.plans.push_back(part.component->plan(rows, rows, nullptr, errors));
  return pass;
}

std::unique_ptr<CommandPlan>
CompositeComponent::plan(int32_t inRows, int32_t outRows,
                         AttributeReader *precomputed,
                         ErrorSink &errors) const {
  Component::plan(inRows, outRows, precomputed, errors);
  auto plan = std::make_unique<CompositePlan>();
  const int32_t rows = maxRows > 0 ? std::min(maxRows, outRows) : outRows;
  plan->full = planPass(rows, errors);
  if (outRows % rows != 0)
    plan->rest = planPass(outRows % rows, errors);

  ScratchLayout &layout = plan->layout;
  uint64_t scratch = 0, backpropScratch = 0, widest = 0;
  for (size_t i = 0; i < numRepeated(); ++i) {
    const uint64_t bytes =
        sizeof(float) * uint64_t(parts[i].component->outputDim()) * rows;
    // Sums of such numbers fit 64 bits.
    if (bytes > uint64_t(1) << 48) {
      errors.fail("has too many rows for the values between its parts");
      return nullptr;
    }
    widest = std::max(widest, bytes);
    layout.values.push_back(layout.take(bytes));
  }
  for (const Pass *pass : {&plan->full, &plan->rest})
    for (const auto &part : pass->plans)
      if (part) {
        scratch = std::max(scratch, part->scratchBytes);
        backpropScratch = std::max(backpropScratch, part->backpropScratchBytes);
      }
  layout.partScratch = layout.take(std::max(scratch, backpropScratch));
  plan->scratchBytes = layout.size;
  for (uint64_t &deriv : layout.derivs)
    deriv = layout.take(widest);
  for (const auto &part : plan->full.plans)
    layout.memos.push_back(layout.take(part ? part->memoBytes : 0));
  plan->backpropScratchBytes = layout.size;
  return plan;
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

/// What part \p i computes, in scratch memory.
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

void CompositeComponent::runPart(const CompositePlan &plan, const Pass &pass,
                                 size_t i, ConstMatrixView in, MatrixView out,
                                 void *memo, const RunContext &context) const {
  const CompositePart &part = parts[i];
  part.component->propagate(
      pass.plans[i].get(), in, out, part.has(kUsesMemo) ? memo : nullptr,
      part.contextOf(context, at(context.scratch, plan.layout.partScratch)));
}

/// Computes \p out, also where the part adds. \p memo is where the part's memo
/// goes, if it has one.
void CompositeComponent::propagatePart(const CompositePlan &plan,
                                       const Pass &pass, size_t i,
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
  forEachPass(plan, out.rows, [&](const Pass &pass, int32_t first) {
    ConstMatrixView from = someRows(in, first, pass.rows);
    for (size_t i = 0; i + 1 < parts.size(); ++i) {
      const MatrixView to = valueOf(plan, i, pass.rows, context.scratch);
      propagatePart(plan, pass, i, from, to, nullptr, context);
      from = to;
    }
    // The last part adds where the whole does.
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
              [&](const Pass &pass, int32_t first) {
                BackpropOperands some = operands;
                some.inValue = someRows(operands.inValue, first, pass.rows);
                some.outValue = someRows(operands.outValue, first, pass.rows);
                some.outDeriv = someRows(operands.outDeriv, first, pass.rows);
                some.inDeriv = someRows(operands.inDeriv, first, pass.rows);
                backpropPass(plan, pass, some, context);
              });
}

void CompositeComponent::backpropPass(const CompositePlan &plan,
                                      const Pass &pass,
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

/// The statistics of the part's activations, then its backward pass.
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

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

/// The bits of the whole (spec: components.md 6.46).
static uint32_t getProperties(const Parts &parts) {
  const uint32_t first = parts.front().component->properties();
  const uint32_t last = parts.back().component->properties();
  uint32_t bits = kSimpleComponent | kBackpropNeedsInput;
  bits |= last & (kPropagateAdds | kBackpropNeedsOutput | kOutputContiguous);
  bits |= first & (kBackpropAdds | kInputContiguous);
  if (last & kStoresStats)
    bits |= kBackpropNeedsOutput;
  for (const CompositePart &part : parts)
    bits |= part.component->properties() & kUpdatableComponent;
  return bits;
}

/// Part \p number; false after an error.
static bool readPart(AttributeReader &attributes, int32_t number,
                     Parts &parts) {
  AttributeReader reader = attributes.part(number);
  const std::string_view type = reader.text("type");
  if (type == "CompositeComponent")
    reader.fail("cannot be part of a composite component");
  CompositePart part;
  if (reader.ok())
    part.component = createComponent(type, reader);
  attributes.take(reader);
  if (!attributes.ok())
    return false;
  part.prefix = "component" + std::to_string(number) + ".";
  part.index = parts.size();
  const Component &component = *part.component;
  if (!part.has(kSimpleComponent) || part.has(kRandomComponent))
    attributes.fail("has a part that is not simple, or random");
  else if (!parts.empty() &&
           parts.back().component->outputDim() != component.inputDim())
    attributes.fail("has parts whose dims do not fit");
  parts.push_back(std::move(part));
  return attributes.ok();
}

static std::unique_ptr<Component> createComposite(AttributeReader &attributes) {
  const int32_t count = attributes.dim("num_components");
  const double maxRows = attributes.real("max_rows_process", 4096);
  const UpdateOptions options = readUpdateOptions(attributes);
  Parts parts;
  for (int32_t number = 1; number <= count; ++number)
    if (!attributes.ok() || !readPart(attributes, number, parts))
      return nullptr;
  const uint32_t properties = getProperties(parts);
  return std::make_unique<CompositeComponent>(
      std::move(parts), properties,
      static_cast<int32_t>(std::min(std::max(maxRows, 0.0), 2147483647.0)),
      options);
}

static constexpr ComponentFactory kFactories[] = {
    {"CompositeComponent", createComposite}};

FactoryTable compositeFactories() { return makeTable(kFactories); }

} // namespace runtime
} // namespace nnet3
