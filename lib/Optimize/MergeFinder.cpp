//===- MergeFinder.cpp - Find matrices that can be merged -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MergeFinder.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::nnet3;
using P = ComponentProperties;

/// One side of a candidate.
struct MergeFinder::Operand {
  MatrixWindow window;
  WindowVariables variables;
  const MatrixAccesses &accesses;

  Operand(const CommandAnalysis &analysis, Value value)
      : window(MatrixWindow::get(value)),
        variables(analysis.getVariables(window)),
        accesses(analysis.getMatrixAccesses(variables.matrix)) {}
};

MergeFinder::MergeFinder(CommandAnalysis &analysis,
                         const Nnet3MergeVariablesOptions &options)
    : options(options), analysis(analysis),
      contiguous(analysis.getNumMatrices()) {
  if (analysis.getNumCommands() > 0)
    one = Builder(analysis.getCommand(0)->getContext()).getF32FloatAttr(1);
  findContiguous();
}

void MergeFinder::findContiguous() {
  auto mark = [&](SymbolRefAttr component, P property, ValueRange values) {
    if (has(analysis.getComponents().getProperties(component), property))
      for (Value value : values)
        if (value)
          contiguous.set(
              analysis.getMatrixNumber(MatrixWindow::get(value).matrix));
  };
  for (int32_t c = 0; c < analysis.getNumCommands(); ++c)
    TypeSwitch<Operation *>(analysis.getCommand(c))
        .Case<PropagateOp, StoreStatsOp>([&](auto op) {
          mark(op.getComponent(), P::InputContiguous, op.getInput());
          mark(op.getComponent(), P::OutputContiguous, op.getOutput());
        })
        .Case([&](BackpropOp op) {
          mark(op.getComponent(), P::InputContiguous,
               {op.getInputValue(), op.getInputDeriv()});
          mark(op.getComponent(), P::OutputContiguous,
               {op.getOutputValue(), op.getOutputDeriv()});
        });
}

std::optional<MergeCandidate> MergeFinder::getCandidate(int32_t command) {
  Operation *op = analysis.getCommand(command);
  auto properties = [&](SymbolRefAttr name) {
    return analysis.getComponents().getProperties(name);
  };
  if (auto copy = dyn_cast_if_present<MatrixCopyOp>(op)) {
    if (options.removeAssignments)
      return MergeCandidate{command, copy.getSource(), copy.getDest(),
                            copy.getAlphaAttr() == one};
  } else if (auto propagate = dyn_cast_if_present<PropagateOp>(op)) {
    if (options.propagateInPlace && propagate.getInput() &&
        has(properties(propagate.getComponent()), P::PropagateInPlace))
      return MergeCandidate{
          command, propagate.getInput(), propagate.getOutput(),
          /*isAssignment=*/false, getStats(propagate, command)};
  } else if (auto backprop = dyn_cast_if_present<BackpropOp>(op)) {
    Value outDeriv = backprop.getOutputDeriv();
    Value inDeriv = backprop.getInputDeriv();
    auto isValue = [&](Value value) {
      return value == backprop.getInputValue() ||
             value == backprop.getOutputValue();
    };
    if (options.backpropInPlace && inDeriv && !isValue(outDeriv) &&
        !isValue(inDeriv) &&
        has(properties(backprop.getComponent()), P::BackpropInPlace))
      return MergeCandidate{command, outDeriv, inDeriv};
  }
  return std::nullopt;
}

/// Returns the command after a propagate that stores its statistics; -1 if
/// none.
int32_t MergeFinder::getStats(PropagateOp propagate, int32_t command) const {
  for (int32_t next = command + 1; next < analysis.getNumCommands(); ++next)
    if (Operation *op = analysis.getCommand(next)) {
      auto stats = dyn_cast<StoreStatsOp>(op);
      return stats && stats.getInput() == propagate.getInput() ? next : -1;
    }
  return -1;
}

/// Whether merging overwrites no value that is still needed.
bool MergeFinder::hasRightTimes(const MergeCandidate &candidate,
                                const Operand &source,
                                const Operand &dest) const {
  int32_t c = candidate.command;
  if (analysis.getFirstNontrivialAccess(dest.variables) != c)
    return false;
  int32_t last = analysis.getLastAccess(source.variables);
  if (!candidate.isAssignment)
    return last == std::max(c, candidate.stats);
  return analysis.getLastWriteAccess(source.variables) < c &&
         last < analysis.getDataInvalidatedCommand(c, dest.variables);
}

/// Whether merging `dest` into `source` only adds reads to `source`: then any
/// number of copies of one matrix can be merged in one round.
bool MergeFinder::onlyAddsReads(const MergeCandidate &candidate,
                                const Operand &source,
                                const Operand &dest) const {
  if (!candidate.isAssignment ||
      source.accesses.allocate >= dest.accesses.allocate ||
      analysis.getLastWriteAccess(dest.variables) != candidate.command)
    return false;
  int32_t last = analysis.getLastAccess(dest.variables);
  auto reads = lastReads.find(source.variables.matrix);
  if (reads != lastReads.end())
    last = std::max(last, reads->second);
  int32_t end = analysis.getNumCommands();
  for (int32_t dealloc : {source.accesses.deallocate, dest.accesses.deallocate})
    end = dealloc >= 0 ? std::min(end, dealloc) : end;
  return last < end;
}

bool MergeFinder::isClean(const Operand &operand, bool readsAreClean) const {
  bool clean = true;
  operand.variables.forEach([&](int32_t variable) {
    clean &=
        dirty[variable] != round && (readsAreClean || read[variable] != round);
  });
  return clean;
}

/// Records a merge of `dest` into `source` that only adds reads.
void MergeFinder::setRead(const Operand &source, const Operand &dest) {
  source.variables.forEach([&](int32_t variable) { read[variable] = round; });
  int32_t &last = lastReads[source.variables.matrix];
  last = std::max(last, analysis.getLastAccess(dest.variables));
}

void MergeFinder::setDirty(const Operand &operand) {
  operand.variables.forEach([&](int32_t variable) { dirty[variable] = round; });
}

/// Conditions c6 and c7: rows that must be adjacent stay adjacent.
bool MergeFinder::mayBecome(const Operand &discarded,
                            const Operand &kept) const {
  return kept.window.cols == kept.window.matrixCols() ||
         !contiguous.test(discarded.variables.matrix);
}

std::optional<Merge> MergeFinder::tryMerge(const MergeCandidate &candidate) {
  Operand source(analysis, candidate.source), dest(analysis, candidate.dest);
  if (source.window.matrix == dest.window.matrix)
    return std::nullopt;
  const MatrixAccesses &from = source.accesses, &to = dest.accesses;
  if ((from.isInput && to.isInput) || (from.isOutput && to.isOutput))
    return std::nullopt;
  bool isSourceWhole = source.window.isWhole();
  bool isDestWhole = dest.window.isWhole();
  bool isIo = from.isInput || from.isOutput || to.isInput || to.isOutput;
  if (isIo && !(isSourceWhole && isDestWhole))
    return std::nullopt;
  bool left = options.allowLeftMerge && isDestWhole && mayBecome(dest, source);
  bool right =
      options.allowRightMerge && isSourceWhole && mayBecome(source, dest);
  bool addsReads = left && onlyAddsReads(candidate, source, dest);
  if ((!left && !right) || !isClean(source, addsReads) || !isClean(dest) ||
      !hasRightTimes(candidate, source, dest))
    return std::nullopt;
  if (addsReads)
    setRead(source, dest);
  else
    setDirty(source);
  setDirty(dest);
  bool isSourceFirst = from.allocate < to.allocate;
  auto getDealloc = [](const MatrixAccesses &discarded,
                       const MatrixAccesses &kept) {
    return discarded.deallocate >= 0 ? discarded.deallocate : kept.deallocate;
  };
  if (left)
    return Merge{candidate, dest.window.matrix, source.window, !isSourceFirst,
                 getDealloc(to, from)};
  return Merge{candidate, source.window.matrix, dest.window, isSourceFirst,
               getDealloc(from, to)};
}

SmallVector<Merge> MergeFinder::find(ArrayRef<int32_t> commands) {
  ++round;
  dirty.resize(analysis.getNumVariables());
  read.resize(analysis.getNumVariables());
  lastReads.clear();
  SmallVector<Merge> merges;
  for (int32_t command : commands)
    if (std::optional<MergeCandidate> candidate = getCandidate(command))
      if (std::optional<Merge> merge = tryMerge(*candidate))
        merges.push_back(*merge);
  return merges;
}
