//===- NeededDerivatives.cpp - Which steps have derivatives ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Compile/NeededDerivatives.h"

using namespace mlir;
using namespace mlir::nnet3;

DerivativeRequest mlir::nnet3::getDerivativeRequest(RequestOp request,
                                                    const RequestRows &rows) {
  DerivativeRequest result;
  result.modelDerivative = request.getNeedModelDerivative();
  for (const IoRows &io : rows.inputs)
    if (io.op->hasAttr("has_deriv"))
      result.inputs.insert(io.node);
  for (const IoRows &io : rows.outputs)
    if (io.op->hasAttr("has_deriv"))
      result.outputs.insert(io.node);
  return result;
}

/// Whether training changes the component of a node: depends on the component's
/// own learning rate, not on the factor for new components.
static bool isTrained(const Node &node) {
  if (!has(node.properties, ComponentProperties::Updatable))
    return false;
  ComponentOpInterface component = node.component;
  auto rate = component->getAttrOfType<FloatAttr>("learning_rate");
  return !rate || rate.getValueAsDouble() != 0;
}

namespace {
class Finder {
public:
  Finder(const ComputationGraph &graph, const StepList &list,
         const DerivativeRequest &request)
      : graph(graph), nodes(graph.getNodes()), list(list), request(request),
        needed(list.steps.size()) {}

  std::vector<bool> run() {
    for (size_t s = 0; s < needed.size(); ++s) {
      needed[s] = list.steps[s].rows.size() > 0 && isNeeded(s);
      anyNeeded = anyNeeded || needed[s];
    }
    return std::move(needed);
  }

private:
  bool isNeeded(size_t s) const;
  bool dependsOnNeeded(size_t s) const;

  const ComputationGraph &graph;
  const NodeTable &nodes;
  const StepList &list;
  const DerivativeRequest &request;
  std::vector<bool> needed;
  /// Whether any earlier step has a derivative.
  bool anyNeeded = false;
};
} // namespace

bool Finder::isNeeded(size_t s) const {
  const Step &step = list.steps[s];
  const Node &node = nodes[step.node];
  if (step.isInput)
    return request.inputs.contains(step.node);
  if (node.isOutput)
    return request.outputs.contains(step.node);
  if (step.source >= 0)
    return needed[step.source];
  if (node.kind == Node::Kind::Component)
    return needed[s - 1] || (request.modelDerivative && isTrained(node));
  return dependsOnNeeded(s);
}

/// Whether a descriptor step reads a step with a derivative.
bool Finder::dependsOnNeeded(size_t s) const {
  if (!anyNeeded)
    return false;
  SmallVector<int32_t> used;
  for (int32_t id : list.getIds(s)) {
    if (id < 0)
      continue;
    used.clear();
    graph.getUsedRows(id, used);
    for (int32_t row : used)
      if (needed[list.locations[row].step])
        return true;
  }
  return false;
}

std::vector<bool>
mlir::nnet3::computeNeededDerivatives(const ComputationGraph &graph,
                                      const StepList &steps,
                                      const DerivativeRequest &request) {
  return Finder(graph, steps, request).run();
}
