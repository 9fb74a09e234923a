//===- CommandEmitter.cpp - Commands of a computation ---------------------===//

#include "nnet3/Compile/CommandEmitter.h"
#include "nnet3/Compile/RowTableBuilder.h"

using namespace mlir;
using namespace mlir::nnet3;

namespace {
class CommandEmitter {
public:
  CommandEmitter(OpBuilder &builder, NetworkOp network,
                 const ComputationGraph &graph, const StepList &steps,
                 const EmitOptions &options)
      : builder(builder), network(network), graph(graph),
        nodes(graph.getNodes()), list(steps), steps(steps.steps),
        options(options), values(this->steps.size()) {}

  void run() {
    acceptInputs();
    allocateMatrices();
    NoOperationPermanentOp::create(builder, network.getLoc());
    for (size_t s = 0; s < steps.size(); ++s)
      emitStep(s);
    provideOutputs();
    NoOperationMarkerOp::create(builder, network.getLoc());
    for (size_t s = 0; s < steps.size(); ++s)
      if (values[s] && steps[s].source < 0 && !isOutput(s))
        DeallocMatrixOp::create(builder, getLoc(s), values[s]);
  }

private:
  const Node &getNode(size_t s) const { return nodes[steps[s].node]; }
  Location getLoc(size_t s) const { return getNode(s).op->getLoc(); }
  bool isOutput(size_t s) const { return getNode(s).isOutput; }
  MemRefType getType(size_t s) const {
    return MemRefType::get({steps[s].rows.size(), getNode(s).dim},
                           builder.getF32Type());
  }

  void acceptInputs();
  void allocateMatrices();
  void provideOutputs();
  void attachDebugInfo(size_t s);
  void emitStep(size_t s);
  void emitPropagate(size_t s);
  void emitPart(size_t s, const DescriptorPart &part);
  void emitAdd(size_t s, const LocationVector &vector, Value dest, float alpha);

  OpBuilder &builder;
  NetworkOp network;
  const ComputationGraph &graph;
  const NodeTable &nodes;
  const StepList &list;
  ArrayRef<Step> steps;
  const EmitOptions &options;
  /// The matrix of each step; null for empty ones.
  std::vector<Value> values;
};
} // namespace

//===----------------------------------------------------------------------===//
// Matrices
//===----------------------------------------------------------------------===//

void CommandEmitter::attachDebugInfo(size_t s) {
  if (!options.debugInfo)
    return;
  Operation *op = values[s].getDefiningOp();
  op->setAttr(kDebugNodeAttr, builder.getStringAttr(getNode(s).name));
  op->setAttr(kDebugIndexesAttr,
              IndexesAttr::get(builder.getContext(), steps[s].rows.expand()));
}

void CommandEmitter::acceptInputs() {
  for (size_t s = 0; s < steps.size(); ++s)
    if (steps[s].isInput) {
      values[s] = AcceptInputOp::create(builder, getLoc(s), getType(s),
                                        getNode(s).name);
      attachDebugInfo(s);
    }
}

/// Dim-range steps, which are views, get theirs when their source has one.
void CommandEmitter::allocateMatrices() {
  for (size_t s = 0; s < steps.size(); ++s) {
    if (steps[s].isInput || steps[s].source >= 0 || steps[s].rows.size() == 0)
      continue;
    values[s] = AllocMatrixZeroedOp::create(builder, getLoc(s), getType(s));
    attachDebugInfo(s);
  }
}

void CommandEmitter::provideOutputs() {
  for (size_t s = 0; s < steps.size(); ++s)
    if (isOutput(s))
      ProvideOutputOp::create(builder, getLoc(s), getNode(s).name, values[s]);
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

void CommandEmitter::emitStep(size_t s) {
  const Step &step = steps[s];
  const Node &node = getNode(s);
  if (step.isInput)
    return;
  switch (node.kind) {
  case Node::Kind::Input:
    return;
  case Node::Kind::DimRange:
    values[s] = SubMatrixOp::create(builder, getLoc(s), values[step.source], 0,
                                    step.rows.size(), node.dimOffset, node.dim);
    return;
  case Node::Kind::Component:
    emitPropagate(s);
    return;
  case Node::Kind::Descriptor:
    if (values[s])
      for (const DescriptorPart &part : node.parts)
        emitPart(s, part);
    return;
  }
}

void CommandEmitter::emitPropagate(size_t s) {
  const Node &node = getNode(s);
  ComponentOpInterface component = node.component;
  DictionaryAttr precomputed = component.precomputeIndexes(
      steps[s - 1].rows, steps[s].rows, /*needBackprop=*/false);
  auto name = SymbolRefAttr::get(
      network.getSymNameAttr(),
      {FlatSymbolRefAttr::get(SymbolTable::getSymbolName(component))});
  PropagateOp::create(builder, getLoc(s), Type(), name, values[s - 1],
                      values[s], precomputed);
  if (options.storeStats &&
      has(node.properties, ComponentProperties::StoresStats))
    StoreStatsOp::create(builder, getLoc(s), name, values[s - 1], values[s],
                         Value());
}

void CommandEmitter::emitPart(size_t s, const DescriptorPart &part) {
  const Step &step = steps[s];
  Value dest = values[s];
  if (getNode(s).parts.size() > 1)
    dest = SubMatrixOp::create(builder, getLoc(s), dest, 0, step.rows.size(),
                               part.colOffset, part.dim);
  if (float constant = part.sum.getConstant(); constant != 0)
    SetConstOp::create(builder, getLoc(s), dest,
                       builder.getF32FloatAttr(constant));
  for (auto &[alpha, lists] : getLocations(graph, list, step, part))
    for (const LocationVector &vector : splitLocations(lists))
      emitAdd(s, vector, dest, alpha);
}

void CommandEmitter::emitAdd(size_t s, const LocationVector &vector, Value dest,
                             float alpha) {
  SmallVector<Value> sources;
  SmallVector<const IndexRows *> sourceRows;
  SmallVector<RowRef> entries(vector.size());
  DenseMap<int32_t, int32_t> numbers; // of the steps among the sources
  for (auto [entry, location] : llvm::zip_equal(entries, vector)) {
    if (location.step < 0)
      continue;
    auto [number, inserted] =
        numbers.try_emplace(location.step, int32_t(sources.size()));
    if (inserted) {
      sources.push_back(values[location.step]);
      sourceRows.push_back(&steps[location.step].rows);
    }
    entry = {number->second, location.entry};
  }
  const IndexRows &rows = steps[s].rows;
  FloatAttr factor = builder.getF32FloatAttr(alpha);
  if (sources.size() == 1 && isIdentity(entries, rows, *sourceRows.front())) {
    MatrixAddOp::create(builder, getLoc(s), sources.front(), dest, factor);
    return;
  }
  RowTableAttr table =
      buildRowTable(builder.getContext(), entries, rows, sourceRows);
  if (sources.size() == 1)
    AddRowsOp::create(builder, getLoc(s), sources.front(), table, dest, factor);
  else
    AddRowsMultiOp::create(builder, getLoc(s), sources, table, dest, factor);
}

void mlir::nnet3::emitCommands(OpBuilder &builder, NetworkOp network,
                               const ComputationGraph &graph,
                               const StepList &steps,
                               const EmitOptions &options) {
  CommandEmitter(builder, network, graph, steps, options).run();
}
