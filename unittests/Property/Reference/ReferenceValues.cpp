//===- ReferenceValues.cpp - The values of rows ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Networks/Random.h"
#include "ReferenceEvaluator.h"

using namespace mlir::nnet3;
using namespace mlir::nnet3::property;
using mlir::Operation;
using mlir::Value;

Vector ReferenceEvaluator::descriptorValue(Value value, Index index) {
  auto available = [&](const Row &row) { return isComputable(row); };
  Vector result;
  for (int64_t part = 0, end = countParts(value); part < end; ++part) {
    Vector columns = partValue(value, part, index, available);
    result.insert(result.end(), columns.begin(), columns.end());
  }
  return result;
}

void ReferenceEvaluator::forget() {
  values.clear();
  kinks = Kinks();
}

/// Computes all rows of a node together, except given ones.
void ReferenceEvaluator::evaluateBatch(int node,
                                       const ReferenceComponent &component) {
  Value input = llvm::cast<ComponentNodeOp>(nodes[node]).getInput();
  std::vector<Row> rows;
  std::vector<Vector> inputs;
  for (const Row &row : used)
    if (row.node == node && !supplied.count(row)) {
      rows.push_back(row);
      inputs.push_back(descriptorValue(input, row.index));
    }
  std::vector<Vector> outputs =
      mlir::nnet3::property::evaluateBatch(component, inputs);
  for (size_t i = 0; i < rows.size(); ++i) {
    round(rows[i], outputs[i]);
    values[rows[i]] = std::move(outputs[i]);
  }
}

void ReferenceEvaluator::round(const Row &row, Vector &values) const {
  if (rounding == 0)
    return;
  uint64_t seed = rounding;
  for (int32_t part : {row.node, row.index.n, row.index.t, row.index.x})
    seed = seed * 0x9E3779B97F4A7C15 + uint32_t(part);
  Random random(seed);
  for (double &value : values)
    value *= 1 + std::ldexp(random.real(-1, 1), -24);
}

Vector ReferenceEvaluator::evaluate(Row row) {
  if (auto it = supplied.find(row); it != supplied.end())
    return it->second;
  if (auto it = values.find(row); it != values.end())
    return it->second;
  Operation *op = nodes[row.node];
  Vector result;
  if (auto node = llvm::dyn_cast<ComponentNodeOp>(op)) {
    const ReferenceComponent &component =
        components.at(node.getComponent().str());
    if (dependsOnBatch(component.op)) {
      evaluateBatch(row.node, component);
      return values.at(row);
    }
    auto available = [&](const Row &source) { return isComputable(source); };
    std::vector<Vector> inputs;
    for (const ReferenceInput &input :
         getReferenceInputs(component.op, row.index))
      inputs.push_back(
          isDescriptorComputable(node.getInput(), input.index, available)
              ? descriptorValue(node.getInput(), input.index)
              : Vector());
    result = evaluateComponent(component, row.index, inputs, kinks);
    round(row, result);
  } else if (auto node = llvm::dyn_cast<DimRangeNodeOp>(op)) {
    Vector source = evaluate({numbers.lookup(node.getSource()), row.index});
    auto first = source.begin() + node.getDimOffset();
    result.assign(first, first + getDim(row.node));
  } else if (auto node = llvm::dyn_cast<OutputNodeOp>(op)) {
    result = descriptorValue(node.getInput(), row.index);
  }
  values[row] = result;
  return result;
}
