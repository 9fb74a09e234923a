//===- Dataflow.cpp - Dataflow between commands ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Target/Report/Dataflow.h"

using namespace mlir::nnet3;

namespace {
/// Visits the commands in order, with the writes that are not overwritten yet.
class FlowFinder {
public:
  explicit FlowFinder(const ComputationSummary &computation)
      : computation(computation), matrices(computation.matrices.size()) {}

  std::vector<Flow> find();

private:
  struct Write {
    int32_t command;
    SummaryOperand part;
  };
  struct MatrixState {
    /// Disjoint parts.
    std::vector<Write> writes;
    /// The first and the last command that uses the matrix.
    int32_t first = -1, last = -1;
  };

  void addSources(int32_t command, const SummaryOperand &operand);
  void addTargets(int32_t command, const SummaryOperand &operand);
  void addFlow(Flow flow);

  const ComputationSummary &computation;
  std::vector<MatrixState> matrices;
  std::vector<Flow> flows;
  /// The first flow to the current command.
  size_t firstFlow = 0;
};
} // namespace

void FlowFinder::addFlow(Flow flow) {
  for (size_t i = firstFlow; i < flows.size(); ++i)
    if (flows[i].from == flow.from && flows[i].matrix == flow.matrix)
      return;
  flows.push_back(flow);
}

/// Adds the sources of an operand: the commands that wrote it, else the command
/// that allocated it. A command that frees it follows its last use.
void FlowFinder::addSources(int32_t command, const SummaryOperand &operand) {
  const MatrixState &state = matrices[operand.matrix];
  if (operand.reads)
    for (const Write &write : state.writes)
      if (write.part.overlaps(operand))
        addFlow({write.command, command, operand.matrix});
  bool accesses = operand.reads || operand.writes;
  int32_t giver = accesses ? state.first : state.last;
  auto isOperand = [&](const Flow &flow) {
    return flow.matrix == operand.matrix;
  };
  if (giver >= 0 &&
      std::none_of(flows.begin() + firstFlow, flows.end(), isOperand))
    addFlow({giver, command, operand.matrix, /*isStorage=*/true});
}

/// Calls `fn` for up to four parts of `from` without `hole`, which overlaps it.
static void subtract(const SummaryOperand &from, const SummaryOperand &hole,
                     llvm::function_ref<void(const SummaryOperand &)> fn) {
  auto add = [&](int64_t row, int64_t rowEnd, int64_t col, int64_t colEnd) {
    if (row < rowEnd && col < colEnd)
      fn({from.matrix, row, rowEnd - row, col, colEnd - col, false, true});
  };
  int64_t rowEnd = from.row + from.rows, colEnd = from.col + from.cols;
  int64_t top = std::max(from.row, hole.row);
  int64_t bottom = std::min(rowEnd, hole.row + hole.rows);
  add(from.row, top, from.col, colEnd);
  add(bottom, rowEnd, from.col, colEnd);
  add(top, bottom, from.col, hole.col);
  add(top, bottom, hole.col + hole.cols, colEnd);
}

/// A write hides earlier writes.
void FlowFinder::addTargets(int32_t command, const SummaryOperand &operand) {
  MatrixState &state = matrices[operand.matrix];
  if (state.first < 0)
    state.first = command;
  state.last = command;
  if (!operand.writes)
    return;
  std::vector<Write> writes;
  for (const Write &write : state.writes)
    if (write.part.overlaps(operand))
      subtract(write.part, operand, [&](const SummaryOperand &part) {
        writes.push_back({write.command, part});
      });
    else
      writes.push_back(write);
  writes.push_back({command, operand});
  state.writes = std::move(writes);
}

std::vector<Flow> FlowFinder::find() {
  for (size_t command = 0; command < computation.commands.size(); ++command) {
    const SummaryCommand &summary = computation.commands[command];
    firstFlow = flows.size();
    for (const SummaryOperand &operand : summary.operands)
      addSources(command, operand);
    for (int32_t maker : summary.makers)
      addFlow({maker, int32_t(command), -1});
    for (const SummaryOperand &operand : summary.operands)
      addTargets(command, operand);
  }
  return std::move(flows);
}

std::vector<Flow>
mlir::nnet3::getDataflow(const ComputationSummary &computation) {
  return FlowFinder(computation).find();
}
