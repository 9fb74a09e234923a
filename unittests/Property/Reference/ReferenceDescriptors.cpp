//===- ReferenceDescriptors.cpp - Descriptor expressions at one index -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluates the general form as written, outermost operator first. Append is
// distributed over the other operators part by part (descriptors.md 5.1): part
// i of an operator applies to part i of each of its arguments.
//
//===----------------------------------------------------------------------===//

#include "ReferenceEvaluator.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir::nnet3;
using namespace mlir::nnet3::property;
using mlir::Operation;
using mlir::Value;

int64_t ReferenceEvaluator::countParts(Value value) {
  Operation *op = value.getDefiningOp();
  if (llvm::isa<InputNodeOp, ComponentNodeOp, DimRangeNodeOp, ConstOp>(op))
    return 1;
  if (!llvm::isa<AppendOp>(op))
    return countParts(op->getOperand(0));
  int64_t count = 0;
  for (Value operand : op->getOperands())
    count += countParts(operand);
  return count;
}

/// Returns the operand of `append` that contains `part`; `part` becomes the
/// number within that operand.
static Value findPart(AppendOp append, int64_t &part,
                      llvm::function_ref<int64_t(Value)> count) {
  for (Value operand : append.getOperands()) {
    if (part < count(operand))
      return operand;
    part -= count(operand);
  }
  llvm_unreachable("the part exists");
}

int64_t ReferenceEvaluator::partDim(Value value, int64_t part) {
  Operation *op = value.getDefiningOp();
  if (auto append = llvm::dyn_cast<AppendOp>(op)) {
    Value operand = findPart(append, part, countParts);
    return partDim(operand, part);
  }
  if (countParts(value) == 1)
    return llvm::cast<RowsType>(value.getType()).getDim();
  return partDim(op->getOperand(0), part);
}

/// Returns the largest multiple of `m` that is at most `a`.
static int64_t roundDown(int64_t a, int64_t m) {
  int64_t quotient = a / m;
  if (quotient * m > a)
    --quotient;
  return quotient * m;
}

/// Returns the index at which `op` reads its argument for `index`, and the
/// argument, which Switch selects.
static std::pair<Value, Index> forward(Operation *op, Index index) {
  return llvm::TypeSwitch<Operation *, std::pair<Value, Index>>(op)
      .Case([&](OffsetOp offset) {
        index.t += int32_t(offset.getT());
        index.x += int32_t(offset.getX());
        return std::make_pair(offset.getInput(), index);
      })
      .Case([&](RoundOp round) {
        index.t = roundDown(index.t, int32_t(round.getModulus()));
        return std::make_pair(round.getInput(), index);
      })
      .Case([&](ReplaceIndexOp replace) {
        int32_t value = replace.getValue();
        (replace.getVariable() == IndexVariable::T ? index.t : index.x) = value;
        return std::make_pair(replace.getInput(), index);
      })
      .Case([&](ScaleOp scale) {
        return std::make_pair(scale.getInput(), index);
      })
      .Case([&](SwitchOp choice) {
        int64_t count = choice.getCases().size();
        Value chosen = choice.getCases()[index.t - roundDown(index.t, count)];
        return std::make_pair(chosen, index);
      });
}

void ReferenceEvaluator::visitLeaves(Value value, int64_t part, Index index,
                                     const Visit &visit) const {
  if (auto it = numbers.find(value); it != numbers.end())
    return visit({it->second, index});
  Operation *op = value.getDefiningOp();
  if (llvm::isa<ConstOp>(op))
    return;
  if (auto append = llvm::dyn_cast<AppendOp>(op)) {
    Value operand = findPart(append, part, countParts);
    return visitLeaves(operand, part, index, visit);
  }
  if (llvm::isa<SumOp, FailoverOp, IfDefinedOp>(op)) {
    for (Value operand : op->getOperands())
      visitLeaves(operand, part, index, visit);
    return;
  }
  auto [source, at] = forward(op, index);
  visitLeaves(source, part, at, visit);
}

bool ReferenceEvaluator::isPartComputable(Value value, int64_t part,
                                          Index index,
                                          const Available &available) const {
  if (auto it = numbers.find(value); it != numbers.end())
    return available({it->second, index});
  Operation *op = value.getDefiningOp();
  if (llvm::isa<ConstOp, IfDefinedOp>(op))
    return true;
  if (auto append = llvm::dyn_cast<AppendOp>(op)) {
    Value operand = findPart(append, part, countParts);
    return isPartComputable(operand, part, index, available);
  }
  auto isOperandComputable = [&](Value operand) {
    return isPartComputable(operand, part, index, available);
  };
  if (llvm::isa<SumOp>(op))
    return llvm::all_of(op->getOperands(), isOperandComputable);
  if (llvm::isa<FailoverOp>(op))
    return llvm::any_of(op->getOperands(), isOperandComputable);
  auto [source, at] = forward(op, index);
  return isPartComputable(source, part, at, available);
}

void ReferenceEvaluator::visitTerms(Value value, int64_t part, Index index,
                                    const Available &available,
                                    const Visit &visit) const {
  if (auto it = numbers.find(value); it != numbers.end())
    return visit({it->second, index});
  Operation *op = value.getDefiningOp();
  if (llvm::isa<ConstOp>(op))
    return;
  if (auto append = llvm::dyn_cast<AppendOp>(op)) {
    Value operand = findPart(append, part, countParts);
    return visitTerms(operand, part, index, available, visit);
  }
  if (llvm::isa<SumOp, FailoverOp, IfDefinedOp>(op)) {
    for (Value operand : op->getOperands()) {
      if (!isPartComputable(operand, part, index, available))
        continue;
      visitTerms(operand, part, index, available, visit);
      if (llvm::isa<FailoverOp>(op))
        return;
    }
    return;
  }
  auto [source, at] = forward(op, index);
  visitTerms(source, part, at, available, visit);
}

Vector ReferenceEvaluator::partValue(Value value, int64_t part, Index index,
                                     const Available &available) {
  if (auto it = numbers.find(value); it != numbers.end())
    return evaluate({it->second, index});
  Operation *op = value.getDefiningOp();
  Vector result(partDim(value, part), 0.0);
  if (auto constant = llvm::dyn_cast<ConstOp>(op)) {
    result.assign(result.size(), constant.getValue().convertToFloat());
    return result;
  }
  if (auto append = llvm::dyn_cast<AppendOp>(op)) {
    Value operand = findPart(append, part, countParts);
    return partValue(operand, part, index, available);
  }
  if (llvm::isa<SumOp, FailoverOp, IfDefinedOp>(op)) {
    for (Value operand : op->getOperands()) {
      if (!isPartComputable(operand, part, index, available))
        continue;
      Vector term = partValue(operand, part, index, available);
      for (size_t i = 0; i < result.size(); ++i)
        result[i] += term[i];
      if (llvm::isa<FailoverOp>(op))
        break;
    }
    return result;
  }
  auto [source, at] = forward(op, index);
  result = partValue(source, part, at, available);
  if (auto scale = llvm::dyn_cast<ScaleOp>(op))
    for (double &element : result)
      element *= scale.getAlpha().convertToFloat();
  return result;
}
