//===- DistributeComponent.cpp - Blocks of a row as rows ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spec: components.md 6.45: each output row is a block of the columns of an
// input row.
//
//===----------------------------------------------------------------------===//

#include "core/ComponentAttributes.h"
#include "cpu/RowCommands.h"
#include "cpu/math/VectorMath.h"

#include <string>

namespace nnet3 {
namespace rt {
namespace {

/// For each output row its input row and block.
struct DistributePlan : CommandPlan {
  RowEntries rows;
  RowEntries blocks;
};

class DistributeComponent : public Component {
public:
  explicit DistributeComponent(const DistributeAttributes &attributes)
      : Component(attributes) {}

  std::unique_ptr<CommandPlan> plan(int32_t inRows, int32_t outRows,
                                    AttributeReader *precomputed,
                                    ErrorSink &errors) const override;

  void propagate(const CommandPlan *plan, ConstMatrixView in, MatrixView out,
                 void *, const RunContext &) const override {
    forEachRow(plan, out.rows, [&](int32_t row, int64_t from, int64_t col) {
      vecScale(out.cols, 1.0f, in.row(from) + col, out.row(row));
    });
  }

  /// Adds no derivative for blocks without an output row.
  void backprop(const CommandPlan *plan, const BackpropOperands &operands,
                const RunContext &) const override {
    const ConstMatrixView &outDeriv = operands.outDeriv;
    if (!operands.inDeriv.data)
      return;
    setConst(operands.inDeriv, 0);
    forEachRow(plan, outDeriv.rows,
               [&](int32_t row, int64_t from, int64_t col) {
                 vecScale(outDeriv.cols, 1.0f, outDeriv.row(row),
                          operands.inDeriv.row(from) + col);
               });
  }

private:
  /// Calls f(output row, input row, first column there).
  template <typename Function>
  void forEachRow(const CommandPlan *anyPlan, int32_t outRows,
                  Function f) const {
    const auto &plan = static_cast<const DistributePlan &>(*anyPlan);
    for (int32_t row = 0; row < outRows; ++row)
      f(row, plan.rows[row], int64_t(plan.blocks[row]) * outputDim());
  }
};

std::unique_ptr<CommandPlan>
DistributeComponent::plan(int32_t inRows, int32_t outRows,
                          AttributeReader *precomputed,
                          ErrorSink &errors) const {
  if (!precomputed) {
    errors.fail("needs precomputed indexes");
    return nullptr;
  }
  auto plan = std::make_unique<DistributePlan>();
  plan->rows = precomputed->entries("rows", outRows);
  plan->blocks = precomputed->entries("blocks", outRows);
  if (!precomputed->ok())
    return nullptr;
  const int32_t numBlocks = inputDim() / outputDim();
  for (int32_t i = 0; i < outRows; ++i)
    if (plan->rows[i] < 0 || plan->rows[i] >= inRows || plan->blocks[i] < 0 ||
        plan->blocks[i] >= numBlocks) {
      errors.fail("has row " + std::to_string(plan->rows[i]) + " and block " +
                  std::to_string(plan->blocks[i]) + ", but there are " +
                  std::to_string(inRows) + " rows and " +
                  std::to_string(numBlocks) + " blocks");
      return nullptr;
    }
  return plan;
}

} // namespace

std::unique_ptr<Component> create(const DistributeAttributes &attributes) {
  return std::make_unique<DistributeComponent>(attributes);
}

} // namespace rt
} // namespace nnet3
