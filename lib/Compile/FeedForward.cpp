//===- FeedForward.cpp - The graph of a network without recurrences -------===//
//
// When the nodes are gone through from the outputs to the inputs, all rows that
// anybody may read of a node are known before the node's own turn comes. What
// they read in turn is found for all rows at once: rows whose times are equal
// modulo the node's modulus read the same rows, moved on in time. Then in the
// other direction the rows are found to be computable or not, and once more
// from the outputs to the inputs those that are used are kept. What
// `ComputationGraph::compute` remembers of each row to do it all together is
// not needed.
//
//===----------------------------------------------------------------------===//

#include "ComponentReads.h"
#include "TimeBounds.h"
#include "nnet3/Compile/ComputationGraph.h"

using namespace mlir;
using namespace mlir::nnet3;

namespace mlir::nnet3 {
class FeedForwardGrower {
public:
  explicit FeedForwardGrower(ComputationGraph &graph)
      : graph(graph), nodes(graph.getNodes()), epochs(computeEpochs(nodes)),
        table(nodes.size()), firstRow(nodes.size()), numRows(nodes.size()),
        isSupplied(nodes.size()), needsAll(nodes.size(), true) {
    for (const Node &node : nodes.getNodes()) {
      ComponentOpInterface component = node.component;
      // At 0 no period leaves anything out.
      isOptional.push_back(component &&
                           component.getOptionalTimes({0, 0, 0}).has_value());
      reads.push_back(component && !isOptional.back()
                          ? std::optional(ComponentReads(component))
                          : std::nullopt);
    }
  }

  bool run();

private:
  using Lane = CindexTable::Lane;

  bool collect();
  bool isInput(const Cindex &cindex) const;
  void addRow(const Cindex &cindex);
  bool addRowsAtOnce(int32_t node, const Lane &lane, size_t begin, size_t end,
                     size_t step);
  void findTimeBounds();
  std::optional<TimeRange> getTimes(int32_t node, const Index &index) const;
  void insert(int32_t node, const Lane &lane, const TimeRange &times);
  void addOptionalRows(int32_t node, const Lane &lane, size_t begin, size_t end,
                       size_t step);
  void addClass(int32_t node, const Lane &lane, size_t residue);
  void addSources(int32_t node);
  void number();
  bool decide();
  bool isAnyComputable(const Cindex &cindex) const;
  bool decideRow(int32_t id);
  void decideNode(int32_t node);
  void prune();
  void keepOptionalRows(int32_t node);
  void pruneNode(int32_t node);
  void install();

  const ReadPattern *getPattern(const Cindex &cindex);
  bool needsAllSources(const Cindex &cindex);
  void getSources(const Cindex &cindex);
  bool isYes(const Cindex &cindex) const {
    int32_t id = table.find(cindex);
    return id >= 0 && computable[id] == Computable::Yes;
  }

  ComputationGraph &graph;
  const NodeTable &nodes;
  NodeEpochs epochs;
  CindexTable table;
  std::vector<int32_t> firstRow, numRows;
  /// Number of rows.
  int32_t size = 0;
  std::vector<Cindex> cindexes;
  std::vector<uint8_t> input, kept;
  std::vector<Computable> computable;
  /// Nodes of which the caller supplies rows.
  std::vector<bool> isSupplied;
  std::vector<std::optional<ComponentReads>> reads;
  /// Components that can do with any of the rows they ask for.
  std::vector<bool> isOptional;
  /// Of each node; empty if no component is so.
  std::vector<TimeBounds> bounds;
  /// Nodes whose rows are computable if and only if all they read are.
  std::vector<bool> needsAll;
  /// Whether all rows so far are computable.
  bool allComputable = true;
  int64_t evaluations = 0;
  /// What one row reads; kept for its memory.
  SmallVector<Cindex, 16> sources;
};
} // namespace mlir::nnet3

//===----------------------------------------------------------------------===//
// What a row reads
//===----------------------------------------------------------------------===//

const ReadPattern *FeedForwardGrower::getPattern(const Cindex &cindex) {
  std::optional<ComponentReads> &component = reads[cindex.node];
  return component ? component->get(cindex.index) : nullptr;
}

bool FeedForwardGrower::needsAllSources(const Cindex &cindex) {
  if (nodes[cindex.node].needsAllDependencies)
    return true;
  if (isOptional[cindex.node])
    return false;
  const ReadPattern *pattern = getPattern(cindex);
  return pattern && pattern->needsAll;
}

/// Sets `sources` to the rows that a row may read.
void FeedForwardGrower::getSources(const Cindex &cindex) {
  ++evaluations;
  sources.clear();
  const ReadPattern *pattern = getPattern(cindex);
  if (!pattern)
    return getSourceRows(nodes, cindex, sources);
  const Index &index = cindex.index;
  for (const ReadPattern::Source &source : pattern->sources)
    sources.push_back(
        {cindex.node - 1, {index.n, index.t + source.distance, source.x}});
}

//===----------------------------------------------------------------------===//
// All rows that may be read
//===----------------------------------------------------------------------===//

bool FeedForwardGrower::isInput(const Cindex &cindex) const {
  if (!isSupplied[cindex.node])
    return false;
  int32_t id = graph.find(cindex);
  return id >= 0 && graph.isInput(id);
}

/// Notes the rows that one row may read.
void FeedForwardGrower::addRow(const Cindex &cindex) {
  if (isInput(cindex))
    return;
  getSources(cindex);
  for (const Cindex &source : sources)
    table.findOrInsert(source, 0);
  needsAll[cindex.node] = needsAll[cindex.node] && needsAllSources(cindex);
}

/// Notes the rows that those in slots `begin`, `begin` + `step`, ... of a lane
/// may read: those of the first one, moved on in time. False if there is
/// more to it.
bool FeedForwardGrower::addRowsAtOnce(int32_t node, const Lane &lane,
                                      size_t begin, size_t end, size_t step) {
  int32_t distance = end - 1 - begin;
  if (isSupplied[node] || !isOrdinary(lane.at(begin).t) ||
      !isOrdinary(lane.at(end - 1).t))
    return false;
  Cindex first{node, lane.at(begin)};
  getSources({node, lane.at(end - 1)});
  SmallVector<Cindex, 16> ofLast(sources);
  getSources(first);
  // A time of its own, as the i-vector's, stays.
  auto isFixed = [&](size_t i) {
    return distance > 0 && sources[i] == ofLast[i];
  };
  if (sources.size() != ofLast.size())
    return false;
  for (size_t i = 0; i < sources.size(); ++i) {
    Cindex moved = sources[i];
    moved.index.t += isFixed(i) ? 0 : distance;
    if (!isOrdinary(sources[i].index.t) || !(moved == ofLast[i]))
      return false;
  }
  for (auto [i, source] : llvm::enumerate(sources)) {
    if (isFixed(i))
      table.findOrInsert(source, 0);
    else if (!table.insertShifted(lane, begin, end, step, source))
      return false;
  }
  needsAll[node] = needsAll[node] && needsAllSources(first);
  return true;
}

/// Finds where there is anything to compute for components that can do with
/// any rows.
void FeedForwardGrower::findTimeBounds() {
  if (!llvm::is_contained(isOptional, true))
    return;
  std::vector<std::optional<TimeBounds>> supplied(nodes.size());
  for (int32_t id = 0; id < graph.size(); ++id) {
    if (!graph.isInput(id))
      continue;
    const Cindex &cindex = graph.getCindex(id);
    std::optional<TimeBounds> &times = supplied[cindex.node];
    int64_t t = cindex.index.t;
    // What is cut off at the end of the range of integers knows no bounds.
    if (!isOrdinary(t))
      times = TimeBounds();
    else if (!times)
      times = TimeBounds{t, t};
    else
      times = TimeBounds{std::min(times->first, t), std::max(times->last, t)};
  }
  SmallVector<int32_t> order;
  for (ArrayRef<int32_t> epoch : epochs.nodes)
    order.push_back(epoch.front());
  bounds = computeTimeBounds(nodes, order, supplied);
}

/// The times that an optional component reads for a row, if any of them may be
/// computable.
std::optional<TimeRange> FeedForwardGrower::getTimes(int32_t node,
                                                     const Index &index) const {
  ComponentOpInterface component = nodes[node].component;
  std::optional<TimeRange> times = component.getOptionalTimes(index);
  return times ? bounds[node - 1].clamp(*times) : std::nullopt;
}

/// Notes the rows of `node` at `times` in the lane like `lane`.
void FeedForwardGrower::insert(int32_t node, const Lane &lane,
                               const TimeRange &times) {
  for (int64_t t = times.first; t <= times.last; t += times.step)
    table.findOrInsert({node, {lane.n, int32_t(t), lane.x}}, 0);
}

/// Notes the rows that those of an optional component may read. Their ranges
/// overlap: each time is noted once.
void FeedForwardGrower::addOptionalRows(int32_t node, const Lane &lane,
                                        size_t begin, size_t end, size_t step) {
  needsAll[node] = false;
  std::optional<TimeRange> all;
  for (size_t slot = begin; slot < end; slot += step) {
    if (lane.ids[slot] < 0 || isInput({node, lane.at(slot)}))
      continue;
    ++evaluations;
    std::optional<TimeRange> times = getTimes(node, lane.at(slot));
    if (!times)
      continue;
    bool continues = all && times->first >= all->first &&
                     int64_t(times->first) <= int64_t(all->last) + all->step &&
                     (times->first - all->first) % all->step == 0;
    if (continues) {
      all->last = std::max(all->last, times->last);
      continue;
    }
    if (all)
      insert(node - 1, lane, *all);
    all = times;
  }
  if (all)
    insert(node - 1, lane, *all);
}

/// Notes the rows that those of a lane whose times are `residue` modulo the
/// node's modulus, counted from the lane's first, may read.
void FeedForwardGrower::addClass(int32_t node, const Lane &lane,
                                 size_t residue) {
  size_t step = nodes[node].modulus;
  size_t begin = residue, end = lane.ids.size();
  end -= (end - 1 - residue) % step; // behind the last of the class
  while (begin < end && lane.ids[begin] < 0)
    begin += step;
  while (begin < end && lane.ids[end - 1] < 0)
    end -= step;
  if (begin < end && isOptional[node])
    return addOptionalRows(node, lane, begin, end, step);
  if (begin >= end || addRowsAtOnce(node, lane, begin, end, step))
    return;
  for (size_t slot = begin; slot < end; slot += step)
    if (lane.ids[slot] >= 0)
      addRow({node, lane.at(slot)});
}

/// Notes the rows that those of a node may read.
void FeedForwardGrower::addSources(int32_t node) {
  if (nodes[node].kind == Node::Kind::Input)
    return;
  if (has(nodes[node].properties, ComponentProperties::Simple) &&
      !isSupplied[node]) {
    table.copyNode(node, node - 1);
    return;
  }
  for (const Lane &lane : table.getLanes(node)) {
    size_t numClasses = std::min<int64_t>(nodes[node].modulus, lane.ids.size());
    for (size_t residue = 0; residue < numClasses; ++residue)
      addClass(node, lane, residue);
  }
  for (const Index &index : table.getOutliers(node))
    addRow({node, index});
}

/// Numbers the rows, those of a node in their order.
void FeedForwardGrower::number() {
  cindexes.reserve(size);
  for (int32_t node = 0; node < nodes.size(); ++node) {
    firstRow[node] = cindexes.size();
    table.number(node, cindexes);
    numRows[node] = cindexes.size() - firstRow[node];
  }
  input.resize(size);
  for (int32_t id = 0; id < graph.size(); ++id)
    if (graph.isInput(id))
      input[table.find(graph.getCindex(id))] = true;
}

/// False if there are too many.
bool FeedForwardGrower::collect() {
  for (int32_t id = 0; id < graph.size(); ++id) {
    table.findOrInsert(graph.getCindex(id), 0);
    if (graph.isInput(id))
      isSupplied[graph.getCindex(id).node] = true;
  }
  findTimeBounds();
  for (ArrayRef<int32_t> epoch : llvm::reverse(epochs.nodes)) {
    addSources(epoch.front());
    size += table.count(epoch.front());
    if (size > ComputationGraph::kMaxRows)
      return false;
  }
  number();
  return true;
}

//===----------------------------------------------------------------------===//
// Computable rows
//===----------------------------------------------------------------------===//

/// Whether any row that a row of an optional component reads is computable.
bool FeedForwardGrower::isAnyComputable(const Cindex &cindex) const {
  std::optional<TimeRange> times = getTimes(cindex.node, cindex.index);
  const Index &index = cindex.index;
  for (int64_t t = times ? times->first : 1; t <= (times ? times->last : 0);
       t += times->step)
    if (isYes({cindex.node - 1, {index.n, int32_t(t), index.x}}))
      return true;
  return false;
}

bool FeedForwardGrower::decideRow(int32_t id) {
  const Cindex &cindex = cindexes[id];
  if (input[id] || nodes[cindex.node].kind == Node::Kind::Input)
    return input[id];
  if (isOptional[cindex.node]) {
    ++evaluations;
    return isAnyComputable(cindex);
  }
  auto isAvailable = [&](const Cindex &source) { return isYes(source); };
  if (!needsAllSources(cindex)) {
    ++evaluations;
    return isComputable(nodes, cindex, isAvailable);
  }
  getSources(cindex);
  return llvm::all_of(sources, isAvailable);
}

void FeedForwardGrower::decideNode(int32_t node) {
  int32_t first = firstRow[node], end = first + numRows[node];
  if (nodes[node].kind != Node::Kind::Input && allComputable &&
      needsAll[node]) {
    std::fill(computable.begin() + first, computable.begin() + end,
              Computable::Yes);
    return;
  }
  for (int32_t id = first; id < end; ++id) {
    bool yes = decideRow(id);
    computable[id] = yes ? Computable::Yes : Computable::No;
    allComputable = allComputable && yes;
  }
}

/// Whether all outputs are computable.
bool FeedForwardGrower::decide() {
  computable.resize(size);
  for (ArrayRef<int32_t> epoch : epochs.nodes)
    decideNode(epoch.front());
  if (allComputable)
    return true;
  for (int32_t id = 0; id < size; ++id)
    if (nodes[cindexes[id].node].isOutput && computable[id] != Computable::Yes)
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Used rows
//===----------------------------------------------------------------------===//

/// Keeps what the kept rows of an optional component read. Those of one
/// sequence follow each other in time, and so do the rows they read: those
/// that are kept already are not looked at again.
void FeedForwardGrower::keepOptionalRows(int32_t node) {
  DenseMap<std::pair<int32_t, int32_t>, int64_t> keptUpTo;
  for (int32_t id = firstRow[node]; id < firstRow[node] + numRows[node]; ++id) {
    const Index &index = cindexes[id].index;
    std::optional<TimeRange> times;
    if (kept[id] && !input[id])
      times = getTimes(node, index);
    if (!times)
      continue;
    auto [upTo, isFirst] =
        keptUpTo.try_emplace({index.n, index.x}, times->last);
    int64_t begin = times->first;
    if (!isFirst && upTo->second >= begin)
      begin += (upTo->second - begin) / times->step * times->step;
    upTo->second = std::max<int64_t>(upTo->second, times->last);
    for (int64_t t = begin; t <= times->last; t += times->step) {
      Cindex source{node - 1, {index.n, int32_t(t), index.x}};
      if (int32_t s = table.find(source);
          s >= 0 && computable[s] == Computable::Yes)
        kept[s] = true;
    }
  }
}

void FeedForwardGrower::pruneNode(int32_t node) {
  if (nodes[node].kind == Node::Kind::Input)
    return;
  if (isOptional[node])
    return keepOptionalRows(node);
  for (int32_t id = firstRow[node]; id < firstRow[node] + numRows[node]; ++id) {
    kept[id] |= nodes[node].isOutput;
    if (!kept[id] || input[id])
      continue;
    const Cindex &cindex = cindexes[id];
    if (needsAllSources(cindex)) {
      getSources(cindex);
    } else {
      sources.clear();
      isComputable(
          nodes, cindex, [&](const Cindex &c) { return isYes(c); }, &sources);
    }
    for (const Cindex &source : sources)
      kept[table.find(source)] = true;
  }
}

void FeedForwardGrower::prune() {
  if (allComputable && !llvm::is_contained(needsAll, false)) {
    kept.assign(size, true);
    return;
  }
  kept = input;
  for (ArrayRef<int32_t> epoch : llvm::reverse(epochs.nodes))
    pruneNode(epoch.front());
}

//===----------------------------------------------------------------------===//
// The graph
//===----------------------------------------------------------------------===//

void FeedForwardGrower::install() {
  graph.table = std::move(table);
  graph.cindexes = std::move(cindexes);
  graph.input = std::move(input);
  graph.kept = std::move(kept);
  graph.computable = std::move(computable);
  graph.firstRow = std::move(firstRow);
  graph.numRows = std::move(numRows);
  graph.evaluations = evaluations;
  // What growing row by row needs.
  graph.queued = graph.expanded = {};
  graph.usable = graph.users = graph.current = graph.next = {};
  graph.deps = {};
}

bool FeedForwardGrower::run() {
  if (llvm::any_of(epochs.nodes, [](const auto &e) { return e.size() > 1; }))
    return false;
  if (!collect() || !decide())
    return false;
  prune();
  install();
  return true;
}

bool ComputationGraph::computeFeedForward() {
  return FeedForwardGrower(*this).run();
}

void ComputationGraph::getUsedRows(int32_t id,
                                   SmallVectorImpl<int32_t> &rows) const {
  if (!isFeedForward()) {
    llvm::append_range(rows, getDependencies(id));
    return;
  }
  const Cindex &cindex = cindexes[id];
  if (input[id] || nodes[cindex.node].kind == Node::Kind::Input)
    return;
  SmallVector<Cindex, 16> sources;
  auto isUsable = [&](const Cindex &source) {
    int32_t s = find(source);
    return s >= 0 && kept[s];
  };
  if (nodes[cindex.node].needsAllDependencies)
    getSourceRows(nodes, cindex, sources);
  else
    isComputable(nodes, cindex, isUsable, &sources);
  for (const Cindex &source : sources)
    rows.push_back(find(source));
}
