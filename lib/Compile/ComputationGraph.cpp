//===- ComputationGraph.cpp - Dependencies between rows -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Compile/ComputationGraph.h"

using namespace mlir;
using namespace mlir::nnet3;

/// Kaldi's limit on the number of generations.
static constexpr int32_t kMaxGenerations = 10000;

//===----------------------------------------------------------------------===//
// Rows and arcs
//===----------------------------------------------------------------------===//

int32_t ComputationGraph::getId(const Cindex &cindex, bool &isNew) {
  int32_t id = table.findOrInsert(cindex, size());
  isNew = id == size();
  if (!isNew)
    return id;
  cindexes.push_back(cindex);
  input.push_back(false);
  computable.push_back(Computable::Unknown);
  growth.emplace_back();
  return id;
}

bool ComputationGraph::addInput(const Cindex &cindex) {
  bool isNew;
  int32_t id = getId(cindex, isNew);
  if (!isNew)
    return false;
  input[id] = true;
  computable[id] = Computable::Yes;
  return true;
}

bool ComputationGraph::addOutput(const Cindex &cindex) {
  bool isNew;
  int32_t id = getId(cindex, isNew);
  if (!isNew)
    return false;
  growth[id].usable = 1;
  queue(id);
  return true;
}

void ComputationGraph::queue(int32_t id) {
  if (growth[id].queued)
    return;
  growth[id].queued = true;
  next.push_back(id);
}

void ComputationGraph::setDependencies(int32_t id,
                                       SmallVectorImpl<int32_t> &list) {
  // Numbers follow the order of discovery, which differs from frame to frame.
  if (list.size() > 1) {
    llvm::sort(list, [&](int32_t a, int32_t b) {
      return a != b && cindexes[a] < cindexes[b];
    });
    list.erase(llvm::unique(list), list.end());
  }
  Growth &row = growth[id];
  if (list.size() > row.numEdges) {
    row.firstEdge = edges.size();
    edges.resize(edges.size() + list.size());
  }
  row.numEdges = list.size();
  llvm::copy(list, edges.begin() + row.firstEdge);
}

//===----------------------------------------------------------------------===//
// Growing
//===----------------------------------------------------------------------===//

void mlir::nnet3::getSourceRows(const NodeTable &nodes, const Cindex &cindex,
                                SmallVectorImpl<Cindex> &sources) {
  const Node &node = nodes[cindex.node];
  switch (node.kind) {
  case Node::Kind::Input:
    return;
  case Node::Kind::DimRange:
    sources.push_back({node.source, cindex.index});
    return;
  case Node::Kind::Descriptor:
    for (const DescriptorPart &part : node.parts)
      part.sum.getDependencies(cindex.index, sources);
    return;
  case Node::Kind::Component: {
    if (has(node.properties, ComponentProperties::Simple)) {
      sources.push_back({cindex.node - 1, cindex.index});
      return;
    }
    SmallVector<Index> inputs;
    ComponentOpInterface component = node.component;
    component.getInputIndexes(cindex.index, inputs);
    for (const Index &index : inputs)
      sources.push_back({cindex.node - 1, index});
    return;
  }
  }
}

void ComputationGraph::expand(int32_t id) {
  growth[id].expanded = true;
  if (input[id])
    return;
  ++evaluations;
  SmallVector<Cindex, 16> sources;
  getSourceRows(nodes, Cindex(cindexes[id]), sources);
  SmallVector<int32_t, 16> list;
  for (const Cindex &source : sources) {
    bool isNew;
    int32_t dependency = getId(source, isNew);
    if (isNew)
      queue(dependency);
    list.push_back(dependency);
  }
  setDependencies(id, list);
  for (int32_t dependency : list) {
    links.push_back({id, growth[dependency].users});
    growth[dependency].users = links.size() - 1;
    increment(dependency);
  }
}

void ComputationGraph::increment(int32_t id) {
  if (growth[id].usable > 0) {
    ++growth[id].usable;
    return;
  }
  SmallVector<int32_t, 16> stack = {id};
  while (!stack.empty()) {
    int32_t top = stack.pop_back_val();
    if (growth[top].usable++ > 0)
      continue;
    if (computable[top] != Computable::No)
      llvm::append_range(stack, getDependencies(top));
    if (computable[top] == Computable::Unknown)
      queue(top);
  }
}

void ComputationGraph::decrement(int32_t id) {
  SmallVector<int32_t, 16> stack = {id};
  while (!stack.empty()) {
    int32_t top = stack.pop_back_val();
    if (--growth[top].usable == 0 && computable[top] != Computable::No)
      llvm::append_range(stack, getDependencies(top));
  }
}

ComputationGraph::Result ComputationGraph::compute() {
  std::swap(current, next);
  for (generations = 0; !current.empty(); ++generations) {
    if (generations == kMaxGenerations)
      return Result::TooDeep;
    while (!current.empty()) {
      if (size() > kMaxRows)
        return Result::TooLarge;
      int32_t id = current.back();
      current.pop_back();
      Growth &row = growth[id];
      row.queued = false;
      if (!row.expanded && row.usable != 0) {
        expand(id);
        queue(id);
      } else if (computable[id] == Computable::Unknown) {
        decide(id);
      }
    }
    std::swap(current, next);
  }
  return Result::Done;
}

//===----------------------------------------------------------------------===//
// Computability
//===----------------------------------------------------------------------===//

bool mlir::nnet3::isComputable(const NodeTable &nodes, const Cindex &cindex,
                               function_ref<bool(const Cindex &)> available,
                               SmallVectorImpl<Cindex> *used) {
  const Node &node = nodes[cindex.node];
  if (node.kind == Node::Kind::Descriptor) {
    SmallVector<Term, 16> terms;
    for (const DescriptorPart &part : node.parts)
      if (!part.sum.isComputable(cindex.index, available,
                                 used ? &terms : nullptr))
        return false;
    for (const Term &term : terms)
      used->push_back(term.source);
    return true;
  }
  int32_t source = cindex.node - 1;
  SmallVector<Index> usedIndexes;
  ComponentOpInterface component = node.component;
  if (!component.isComputable(
          cindex.index, [&](Index index) { return available({source, index}); },
          used ? &usedIndexes : nullptr))
    return false;
  for (const Index &index : usedIndexes)
    used->push_back({source, index});
  return true;
}

Computable ComputationGraph::evaluate(int32_t id) const {
  const Cindex &cindex = cindexes[id];
  const Node &node = nodes[cindex.node];
  if (node.kind == Node::Kind::Input)
    return input[id] ? Computable::Yes : Computable::No;
  if (node.needsAllDependencies) {
    Computable result = Computable::Yes;
    for (int32_t dependency : getDependencies(id)) {
      if (computable[dependency] == Computable::No)
        return Computable::No;
      if (computable[dependency] == Computable::Unknown)
        result = Computable::Unknown;
    }
    return result;
  }
  bool sawUnknown = false;
  auto isYes = [&](const Cindex &source) {
    int32_t s = find(source);
    sawUnknown |= s >= 0 && computable[s] == Computable::Unknown;
    return s >= 0 && computable[s] == Computable::Yes;
  };
  auto isNotNo = [&](const Cindex &source) {
    int32_t s = find(source);
    return s >= 0 && computable[s] != Computable::No;
  };
  if (isComputable(nodes, cindex, isYes, nullptr))
    return Computable::Yes;
  if (!sawUnknown || !isComputable(nodes, cindex, isNotNo, nullptr))
    return Computable::No;
  return Computable::Unknown;
}

void ComputationGraph::decide(int32_t id) {
  if (growth[id].usable == 0)
    return;
  ++evaluations;
  Computable result = evaluate(id);
  if (result == Computable::Unknown)
    return;
  computable[id] = result;
  for (int32_t link = growth[id].users; link >= 0; link = links[link].second)
    if (computable[links[link].first] == Computable::Unknown)
      queue(links[link].first);
  if (result == Computable::No)
    for (int32_t dependency : SmallVector<int32_t>(getDependencies(id)))
      decrement(dependency);
}

//===----------------------------------------------------------------------===//
// Pruning
//===----------------------------------------------------------------------===//

void ComputationGraph::pruneDependencies(int32_t id) {
  const Cindex &cindex = cindexes[id];
  const Node &node = nodes[cindex.node];
  if (input[id] || node.kind == Node::Kind::Input || node.needsAllDependencies)
    return;
  SmallVector<Cindex, 16> used;
  auto isYes = [&](const Cindex &source) {
    int32_t s = find(source);
    return s >= 0 && computable[s] == Computable::Yes;
  };
  bool ok = isComputable(nodes, cindex, isYes, &used);
  assert(ok && "only computable rows are kept");
  (void)ok;
  SmallVector<int32_t, 16> list;
  for (const Cindex &source : used)
    list.push_back(find(source));
  setDependencies(id, list);
}

void ComputationGraph::prune() {
  kept = input;
  SmallVector<int32_t> stack;
  for (int32_t id = 0; id < size(); ++id) {
    if (nodes[cindexes[id].node].isOutput) {
      kept[id] = true;
      stack.push_back(id);
    }
  }
  while (!stack.empty()) {
    int32_t id = stack.pop_back_val();
    pruneDependencies(id);
    for (int32_t dependency : getDependencies(id))
      if (!kept[dependency]) {
        kept[dependency] = true;
        stack.push_back(dependency);
      }
  }
}
