//===- ShrinkNetwork.cpp - Networks with a node removed -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Execution/Execution.h"
#include "Shrink.h"

#include "mlir/Parser/Parser.h"

using namespace mlir::nnet3::property;
using namespace mlir::nnet3;

namespace {
/// The network of a sample, for changes.
class Network {
public:
  explicit Network(const Sample &sample)
      : sample(sample), context(makeContext()),
        module(mlir::parseSourceString<mlir::ModuleOp>(sample.network.text,
                                                       context.get())),
        network(*module->getOps<NetworkOp>().begin()) {}

  /// The operations, in an order that every copy has.
  std::vector<mlir::Operation *> getOps() {
    std::vector<mlir::Operation *> ops;
    for (mlir::Operation &op : network.getBody().front())
      ops.push_back(&op);
    return ops;
  }
  /// What may take the place of what `op` gives.
  std::vector<mlir::Value> getReplacements(mlir::Operation *op);
  /// The sample, without what its outputs do not need.
  Sample take();

private:
  static llvm::StringRef getNodeName(mlir::Operation *op) {
    auto name = op->getAttrOfType<mlir::StringAttr>("name");
    return name ? name.getValue() : "";
  }
  /// What the outputs of the request, and component nodes that the request
  /// supplies, refer to.
  std::set<mlir::Operation *> findNeeded();

  const Sample &sample;
  std::unique_ptr<mlir::MLIRContext> context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  NetworkOp network;
};
} // namespace

std::vector<mlir::Value> Network::getReplacements(mlir::Operation *op) {
  std::vector<mlir::Value> values;
  if (op->getNumResults() != 1 || mlir::isa<InputNodeOp>(op))
    return values;
  auto add = [&](mlir::Value value) {
    if (value.getType() == op->getResult(0).getType() &&
        value.getDefiningOp() != op && !llvm::is_contained(values, value))
      values.push_back(value);
  };
  for (mlir::Value operand : op->getOperands())
    add(operand);
  for (auto input : network.getBody().getOps<InputNodeOp>())
    add(input->getResult(0));
  return values;
}

std::set<mlir::Operation *> Network::findNeeded() {
  std::set<llvm::StringRef> names;
  for (const auto *list : {&sample.request.inputs, &sample.request.outputs})
    for (const RandomIo &io : *list)
      names.insert(io.node);
  std::vector<mlir::Operation *> open;
  for (mlir::Operation *op : getOps())
    if (names.count(getNodeName(op)))
      open.push_back(op);
  std::set<mlir::Operation *> needed;
  while (!open.empty()) {
    mlir::Operation *op = open.back();
    open.pop_back();
    if (!needed.insert(op).second)
      continue;
    for (mlir::Value operand : op->getOperands())
      open.push_back(operand.getDefiningOp());
    for (mlir::NamedAttribute attribute : op->getAttrs())
      if (auto symbol =
              mlir::dyn_cast<mlir::FlatSymbolRefAttr>(attribute.getValue()))
        if (mlir::Operation *component = network.lookupSymbol(symbol))
          open.push_back(component);
  }
  return needed;
}

Sample Network::take() {
  std::set<mlir::Operation *> needed = findNeeded();
  std::vector<mlir::Operation *> unneeded;
  for (mlir::Operation *op : getOps())
    if (!needed.count(op))
      unneeded.push_back(op);
  for (mlir::Operation *op : unneeded)
    op->dropAllReferences();
  for (mlir::Operation *op : unneeded)
    op->erase();
  Sample result = sample;
  result.network.text = print(network) + "\n";
  return result;
}

std::vector<Sample> mlir::nnet3::property::shrinkNetwork(const Sample &sample) {
  std::vector<Sample> samples;
  size_t numOps = Network(sample).getOps().size();
  // All that is not needed.
  samples.push_back(Network(sample).take());
  if (samples.back().network.text.size() >= sample.network.text.size())
    samples.pop_back();
  for (size_t i = 0; i < numOps; ++i)
    for (size_t k = 0;; ++k) {
      Network network(sample);
      mlir::Operation *op = network.getOps()[i];
      std::vector<mlir::Value> values = network.getReplacements(op);
      if (k >= values.size())
        break;
      if (op->use_empty())
        continue;
      op->getResult(0).replaceAllUsesWith(values[k]);
      samples.push_back(network.take());
    }
  return samples;
}
