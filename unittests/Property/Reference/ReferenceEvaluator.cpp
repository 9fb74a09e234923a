//===- ReferenceEvaluator.cpp - Rows and computability --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ReferenceEvaluator.h"

#include <deque>
#include <set>

using namespace mlir::nnet3;
using namespace mlir::nnet3::property;
using mlir::Operation;
using mlir::Value;

/// Distances from the rows of a request within which dependencies are searched.
static constexpr int64_t kMargins[] = {16, 64, 256};

ReferenceEvaluator::ReferenceEvaluator(NetworkOp network) : network(network) {
  for (Operation &op : network.getBody().front()) {
    if (llvm::isa<ComponentOpInterface>(op))
      components.emplace(mlir::SymbolTable::getSymbolName(&op).str(), &op);
    if (!op.hasAttr("name"))
      continue;
    for (Value result : op.getResults())
      numbers[result] = nodes.size();
    nodes.push_back(&op);
  }
}

int ReferenceEvaluator::find(llvm::StringRef name) const {
  for (size_t i = 0; i < nodes.size(); ++i)
    if (nodes[i]->getAttrOfType<mlir::StringAttr>("name").getValue() == name)
      return i;
  return -1;
}

static int64_t dimOf(Value value) {
  return llvm::cast<RowsType>(value.getType()).getDim();
}

int64_t ReferenceEvaluator::getDim(int node) const {
  Operation *op = nodes[node];
  return dimOf(op->getNumResults() ? op->getResult(0) : op->getOperand(0));
}

void ReferenceEvaluator::supply(const std::string &node,
                                llvm::ArrayRef<Index> rows,
                                llvm::ArrayRef<double> values) {
  int number = find(node);
  size_t dim = getDim(number);
  for (size_t i = 0; i < rows.size(); ++i)
    supply({number, rows[i]}, values.slice(i * dim, dim).vec());
}

bool ReferenceEvaluator::isComputable(Row row) const {
  auto it = computable.find(row);
  return it != computable.end() && it->second;
}

//===----------------------------------------------------------------------===//
// Rows of nodes
//===----------------------------------------------------------------------===//

static Operation *componentOf(ComponentNodeOp node) {
  return mlir::SymbolTable::lookupNearestSymbolFrom(node,
                                                    node.getComponentAttr());
}

void ReferenceEvaluator::visitMentioned(const Row &row,
                                        const Visit &visit) const {
  if (supplied.count(row))
    return;
  Operation *op = nodes[row.node];
  auto visitDescriptor = [&](Value value, Index index) {
    for (int64_t part = 0, end = countParts(value); part < end; ++part)
      visitLeaves(value, part, index, visit);
  };
  if (auto node = llvm::dyn_cast<ComponentNodeOp>(op)) {
    for (const ReferenceInput &input :
         getReferenceInputs(componentOf(node), row.index))
      visitDescriptor(node.getInput(), input.index);
  } else if (auto node = llvm::dyn_cast<DimRangeNodeOp>(op)) {
    visit({numbers.lookup(node.getSource()), row.index});
  } else if (auto node = llvm::dyn_cast<OutputNodeOp>(op)) {
    visitDescriptor(node.getInput(), row.index);
  }
}

bool ReferenceEvaluator::isDescriptorComputable(
    Value value, Index index, const Available &available) const {
  for (int64_t part = 0, end = countParts(value); part < end; ++part)
    if (!isPartComputable(value, part, index, available))
      return false;
  return true;
}

bool ReferenceEvaluator::isRowComputable(const Row &row,
                                         const Available &available) const {
  if (supplied.count(row))
    return true;
  Operation *op = nodes[row.node];
  if (auto node = llvm::dyn_cast<ComponentNodeOp>(op)) {
    Operation *component = componentOf(node);
    bool any = !needsAnyInput(component);
    for (const ReferenceInput &input :
         getReferenceInputs(component, row.index)) {
      bool isThere =
          isDescriptorComputable(node.getInput(), input.index, available);
      if (input.isRequired && !isThere)
        return false;
      any |= isThere;
    }
    return any;
  }
  if (auto node = llvm::dyn_cast<DimRangeNodeOp>(op))
    return available({numbers.lookup(node.getSource()), row.index});
  if (auto node = llvm::dyn_cast<OutputNodeOp>(op))
    return isDescriptorComputable(node.getInput(), row.index, available);
  return false;
}

void ReferenceEvaluator::visitReads(const Row &row, const Available &available,
                                    const Visit &visit) const {
  if (supplied.count(row))
    return;
  Operation *op = nodes[row.node];
  auto visitDescriptor = [&](Value value, Index index) {
    for (int64_t part = 0, end = countParts(value); part < end; ++part)
      visitTerms(value, part, index, available, visit);
  };
  if (auto node = llvm::dyn_cast<ComponentNodeOp>(op)) {
    for (const ReferenceInput &input :
         getReferenceInputs(componentOf(node), row.index))
      if (isDescriptorComputable(node.getInput(), input.index, available))
        visitDescriptor(node.getInput(), input.index);
  } else if (auto node = llvm::dyn_cast<DimRangeNodeOp>(op)) {
    visit({numbers.lookup(node.getSource()), row.index});
  } else if (auto node = llvm::dyn_cast<OutputNodeOp>(op)) {
    visitDescriptor(node.getInput(), row.index);
  }
}

//===----------------------------------------------------------------------===//
// Computability: the least fixpoint
//===----------------------------------------------------------------------===//

ReferenceEvaluator::Window
ReferenceEvaluator::getWindow(llvm::ArrayRef<Row> wanted,
                              int64_t margin) const {
  Window window = {0, 0, 0, 0};
  auto include = [&](int64_t t, int64_t x) {
    window.firstT = std::min(window.firstT, t);
    window.lastT = std::max(window.lastT, t);
    window.firstX = std::min(window.firstX, x);
    window.lastX = std::max(window.lastX, x);
  };
  for (const Row &row : wanted)
    include(row.index.t, row.index.x);
  for (const auto &entry : supplied)
    include(entry.first.index.t, entry.first.index.x);
  NetworkOp(network).walk([&](ReplaceIndexOp op) {
    int64_t value = int32_t(op.getValue());
    include(value, value);
  });
  return {window.firstT - margin, window.lastT + margin, window.firstX - margin,
          window.lastX + margin};
}

/// Returns true if the reads have a cycle.
static bool hasCycle(const std::map<Row, std::vector<Row>> &reads) {
  enum class State { New, Open, Done };
  std::map<Row, State> states;
  for (const auto &root : reads) {
    // Rows to visit; an entry seen again, open, is finished.
    std::vector<Row> stack = {root.first};
    while (!stack.empty()) {
      Row row = stack.back();
      State &state = states[row];
      if (state != State::New) {
        state = State::Done;
        stack.pop_back();
        continue;
      }
      state = State::Open;
      auto it = reads.find(row);
      if (it == reads.end())
        continue;
      for (const Row &source : it->second) {
        State sourceState = states[source];
        if (sourceState == State::Open)
          return true;
        if (sourceState == State::New)
          stack.push_back(source);
      }
    }
  }
  return false;
}

void ReferenceEvaluator::close(llvm::ArrayRef<Row> wanted, Analysis &analysis,
                               const Available &available,
                               const Window &window) const {
  std::deque<Row> queue;
  auto add = [&](const Row &row) {
    if (!window.contains(row.index))
      analysis.reachesOutside = true;
    else if (analysis.reads.try_emplace(row).second)
      queue.push_back(row);
  };
  for (const Row &row : wanted)
    if (available(row))
      add(row);
  while (!queue.empty()) {
    Row row = queue.front();
    queue.pop_front();
    std::set<Row> sources;
    visitReads(row, available,
               [&](const Row &source) { sources.insert(source); });
    analysis.reads[row].assign(sources.begin(), sources.end());
    for (const Row &source : sources)
      add(source);
  }
  analysis.cyclic = hasCycle(analysis.reads);
}

ReferenceEvaluator::Analysis
ReferenceEvaluator::analyzeWithin(llvm::ArrayRef<Row> wanted,
                                  const Window &window, bool outside) const {
  Analysis analysis;
  // Every row that is mentioned, directly or not, and who mentions it.
  std::map<Row, std::vector<Row>> users;
  std::deque<Row> queue;
  auto add = [&](const Row &row) {
    if (analysis.computable.try_emplace(row, false).second)
      queue.push_back(row);
  };
  for (const Row &row : wanted)
    add(row);
  while (!queue.empty()) {
    Row row = queue.front();
    queue.pop_front();
    visitMentioned(row, [&](const Row &source) {
      users[source].push_back(row);
      if (window.contains(source.index))
        add(source);
    });
  }

  auto available = [&](const Row &row) {
    if (!window.contains(row.index))
      return outside;
    auto it = analysis.computable.find(row);
    return it != analysis.computable.end() && it->second;
  };
  // A row that becomes computable may make those that mention it computable.
  for (const auto &entry : analysis.computable)
    queue.push_back(entry.first);
  while (!queue.empty()) {
    Row row = queue.front();
    queue.pop_front();
    bool &known = analysis.computable[row];
    if (known || !isRowComputable(row, available))
      continue;
    known = true;
    for (const Row &user : users[row])
      queue.push_back(user);
  }
  close(wanted, analysis, available, window);
  analysis.tangled = hasCycle(users);
  return analysis;
}

bool ReferenceEvaluator::mayReadEndlessly(llvm::ArrayRef<Row> wanted) const {
  const Window window = getWindow(wanted, *std::rbegin(kMargins));
  std::set<Row> seen(wanted.begin(), wanted.end());
  std::vector<Row> stack(wanted.begin(), wanted.end());
  bool isEndless = false;
  while (!stack.empty() && !isEndless) {
    const Row row = stack.back();
    stack.pop_back();
    visitMentioned(row, [&](const Row &source) {
      isEndless |= !window.contains(source.index);
      if (seen.insert(source).second)
        stack.push_back(source);
    });
  }
  return isEndless;
}

Outcome ReferenceEvaluator::analyze(llvm::ArrayRef<Row> wanted) {
  forget();
  used.clear();
  computable.clear();
  for (int64_t margin : kMargins) {
    // Computability is monotone in what is available, so whatever is the same
    // whether rows outside of the window are computable or not, is so.
    Window window = getWindow(wanted, margin);
    Analysis least = analyzeWithin(wanted, window, /*outside=*/false);
    Analysis most = analyzeWithin(wanted, window, /*outside=*/true);
    bool same = !most.reachesOutside && least.reads == most.reads;
    for (const Row &row : wanted)
      same &= least.computable[row] == most.computable[row];
    if (!same)
      continue;
    computable = std::move(least.computable);
    tangled = least.tangled;
    for (const auto &entry : least.reads)
      used.push_back(entry.first);
    for (const Row &row : wanted)
      if (!isComputable(row))
        return Outcome::NotComputable;
    return least.cyclic ? Outcome::Cyclic : Outcome::Computable;
  }
  return Outcome::Unbounded;
}
