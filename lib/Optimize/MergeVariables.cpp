//===- MergeVariables.cpp - Let two matrices be one -----------------------===//
//
// Spec: optimize.md 4.6. Goes in rounds: each finds merges that do not touch
// one another, on an analysis that is valid for all of them, and then makes
// them.
//
//===----------------------------------------------------------------------===//

#include "nnet3/Dialect/Nnet3/Analysis/CommandAnalysis.h"
#include "nnet3/Optimize/Passes.h"
#include "nnet3/Optimize/Views.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3MERGEVARIABLES
#include "nnet3/Optimize/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;
using namespace mlir::nnet3;
using P = ComponentProperties;

namespace {
/// A command whose operands may be the same: it writes `dest` from `source`.
struct Candidate {
  Operation *op;
  int32_t command;
  Value source, dest;
  /// A copy times 1: both hold the same afterwards.
  bool isAssignment = false;
  /// The command that stores the statistics of a component, which comes next
  /// and does without the input of a component that ran in place.
  StoreStatsOp stats = nullptr;
};

/// The matrix `discarded` becomes the part `kept` of another one.
struct Merge {
  Candidate candidate;
  Value discarded;
  MatrixWindow kept;
  /// The matrix that is kept is defined behind the other one.
  bool isKeptLater = false;
  /// The command that frees the one that is discarded, or else the other one:
  /// it goes. The matrix that is left lives as long as both did.
  Operation *dealloc = nullptr;
};

/// Finds the merges of one round.
class Round {
public:
  Round(CommandAnalysis &analysis, const Nnet3MergeVariablesOptions &options)
      : options(options), analysis(analysis), dirty(analysis.getNumVariables()),
        contiguous(analysis.getNumMatrices()) {
    findContiguous();
  }

  SmallVector<Merge> find();

private:
  std::optional<Candidate> getCandidate(int32_t command);
  StoreStatsOp getStats(int32_t command) const;
  bool hasRightTimes(const Candidate &candidate) const;
  bool isClean(const MatrixWindow &window) const;
  void findContiguous();
  bool mayBecome(Value discarded, const MatrixWindow &kept) const;
  const MatrixAccesses &accesses(const MatrixWindow &window) const {
    return analysis.getMatrixAccesses(analysis.getMatrixNumber(window.matrix));
  }
  Operation *getDealloc(const MatrixAccesses &discarded,
                        const MatrixAccesses &kept) const {
    int32_t command =
        discarded.deallocate >= 0 ? discarded.deallocate : kept.deallocate;
    return command >= 0 ? analysis.getCommand(command) : nullptr;
  }
  std::optional<Merge> tryMerge(const Candidate &candidate);

  const Nnet3MergeVariablesOptions &options;
  CommandAnalysis &analysis;
  /// Variables that a merge of this round has to do with.
  llvm::BitVector dirty;
  /// Matrices whose rows a component needs to be adjacent.
  llvm::BitVector contiguous;
};
} // namespace

std::optional<Candidate> Round::getCandidate(int32_t command) {
  Operation *op = analysis.getCommand(command);
  auto properties = [&](SymbolRefAttr name) {
    return analysis.getComponents().getProperties(name);
  };
  if (auto copy = dyn_cast<MatrixCopyOp>(op)) {
    if (options.removeAssignments)
      return Candidate{op, command, copy.getSource(), copy.getDest(),
                       copy.getAlpha().isExactlyValue(1.0)};
  } else if (auto propagate = dyn_cast<PropagateOp>(op)) {
    if (options.propagateInPlace && propagate.getInput() &&
        has(properties(propagate.getComponent()), P::PropagateInPlace))
      return Candidate{op,
                       command,
                       propagate.getInput(),
                       propagate.getOutput(),
                       /*isAssignment=*/false,
                       getStats(command)};
  } else if (auto backprop = dyn_cast<BackpropOp>(op)) {
    Value outDeriv = backprop.getOutputDeriv();
    Value inDeriv = backprop.getInputDeriv();
    auto isValue = [&](Value value) {
      return value == backprop.getInputValue() ||
             value == backprop.getOutputValue();
    };
    if (options.backpropInPlace && inDeriv && !isValue(outDeriv) &&
        !isValue(inDeriv) &&
        has(properties(backprop.getComponent()), P::BackpropInPlace))
      return Candidate{op, command, outDeriv, inDeriv};
  }
  return std::nullopt;
}

/// The command behind a propagate command that stores its statistics.
StoreStatsOp Round::getStats(int32_t command) const {
  if (command + 1 == analysis.getNumCommands())
    return nullptr;
  auto stats = dyn_cast<StoreStatsOp>(analysis.getCommand(command + 1));
  auto propagate = cast<PropagateOp>(analysis.getCommand(command));
  return stats && stats.getInput() == propagate.getInput() ? stats : nullptr;
}

/// Whether no value that is still needed would be overwritten.
bool Round::hasRightTimes(const Candidate &candidate) const {
  int32_t c = candidate.command;
  if (analysis.getFirstNontrivialAccess(candidate.dest) != c)
    return false;
  int32_t last = analysis.getLastAccess(candidate.source);
  if (!candidate.isAssignment)
    return last == c + bool(candidate.stats);
  return analysis.getLastWriteAccess(candidate.source) < c &&
         last < analysis.getDataInvalidatedCommand(c, candidate.dest);
}

bool Round::isClean(const MatrixWindow &window) const {
  bool clean = true;
  analysis.forEachVariable(
      window, [&](int32_t variable) { clean &= !dirty.test(variable); });
  return clean;
}

void Round::findContiguous() {
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

/// Conditions c6 and c7: rows that are adjacent stay so.
bool Round::mayBecome(Value discarded, const MatrixWindow &kept) const {
  return kept.cols == kept.matrixCols() ||
         !contiguous.test(analysis.getMatrixNumber(discarded));
}

std::optional<Merge> Round::tryMerge(const Candidate &candidate) {
  MatrixWindow source = MatrixWindow::get(candidate.source);
  MatrixWindow dest = MatrixWindow::get(candidate.dest);
  if (source.matrix == dest.matrix)
    return std::nullopt;
  const MatrixAccesses &from = accesses(source), &to = accesses(dest);
  if ((from.isInput && to.isInput) || (from.isOutput && to.isOutput))
    return std::nullopt;
  bool isIo = from.isInput || from.isOutput || to.isInput || to.isOutput;
  if (isIo && !(source.isWhole() && dest.isWhole()))
    return std::nullopt;
  bool left = options.allowLeftMerge && dest.isWhole() &&
              mayBecome(dest.matrix, source);
  bool right = options.allowRightMerge && source.isWhole() &&
               mayBecome(source.matrix, dest);
  if ((!left && !right) || !isClean(source) || !isClean(dest) ||
      !hasRightTimes(candidate))
    return std::nullopt;
  bool isSourceFirst = from.allocate < to.allocate;
  if (left)
    return Merge{candidate, dest.matrix, source, !isSourceFirst,
                 getDealloc(to, from)};
  return Merge{candidate, source.matrix, dest, isSourceFirst,
               getDealloc(from, to)};
}

SmallVector<Merge> Round::find() {
  SmallVector<Merge> merges;
  for (int32_t c = 0; c < analysis.getNumCommands(); ++c) {
    std::optional<Candidate> candidate = getCandidate(c);
    if (!candidate)
      continue;
    std::optional<Merge> merge = tryMerge(*candidate);
    if (!merge)
      continue;
    for (Value value : {candidate->source, candidate->dest})
      analysis.forEachVariable(MatrixWindow::get(value),
                               [&](int32_t variable) { dirty.set(variable); });
    merges.push_back(*merge);
  }
  return merges;
}

//===----------------------------------------------------------------------===//
// Making a merge
//===----------------------------------------------------------------------===//

/// Makes every use of `discarded` one of the part `kept` of another matrix.
static void replaceUses(Value discarded, const MatrixWindow &kept) {
  Operation *definition = kept.matrix.getDefiningOp();
  OpBuilder builder(definition->getContext());
  builder.setInsertionPointAfter(definition);
  auto part = [&](const MatrixWindow &window) {
    return createView(builder, definition->getLoc(),
                      {kept.matrix, kept.row + window.row, window.rows,
                       kept.col + window.col, window.cols});
  };
  Value whole;
  for (OpOperand &use : llvm::make_early_inc_range(discarded.getUses())) {
    if (auto view = dyn_cast<SubMatrixOp>(use.getOwner())) {
      view.getResult().replaceAllUsesWith(part(MatrixWindow::get(view)));
      view.erase();
      continue;
    }
    if (!whole)
      whole = part(MatrixWindow::get(discarded));
    use.set(whole);
  }
}

static void apply(Merge merge) {
  if (merge.dealloc)
    merge.dealloc->erase();
  // What the caller supplies stays; both matrices are whole then.
  if (isa<AcceptInputOp>(merge.discarded.getDefiningOp()))
    std::swap(merge.discarded, merge.kept.matrix);
  Operation *definition = merge.discarded.getDefiningOp();
  Operation *kept = merge.kept.matrix.getDefiningOp();
  if (merge.isKeptLater && !isa<AcceptInputOp>(definition) &&
      !isa<AcceptInputOp>(kept))
    kept->moveBefore(definition);
  replaceUses(merge.discarded, merge.kept);
  definition->erase();
  if (merge.candidate.isAssignment)
    merge.candidate.op->erase();
  if (merge.candidate.stats)
    merge.candidate.stats.getInputMutable().clear();
}

namespace {
struct MergeVariables
    : public nnet3::impl::Nnet3MergeVariablesBase<MergeVariables> {
  using Base::Base;

  void runOnOperation() override {
    Nnet3MergeVariablesOptions options{removeAssignments, propagateInPlace,
                                       backpropInPlace, allowLeftMerge,
                                       allowRightMerge};
    auto &analysis = getAnalysis<CommandAnalysis>();
    bool changed = normalizeViews(getOperation());
    SmallVector<Merge> merges = Round(analysis, options).find();
    if (!changed && merges.empty())
      markAllAnalysesPreserved();
    while (!merges.empty()) {
      apply(merges);
      normalizeViews(getOperation());
      CommandAnalysis next(getOperation());
      merges = Round(next, options).find();
    }
  }

private:
  void apply(ArrayRef<Merge> merges) {
    ++numRounds;
    for (const Merge &merge : merges) {
      auto type = cast<MemRefType>(merge.discarded.getType());
      ++numMatrices;
      numBytes += type.getNumElements() * sizeof(float);
      numCommands += merge.candidate.isAssignment;
      ::apply(merge);
    }
  }
};
} // namespace
