//===- ComposeAffineMaps.cpp - Multiply weights with weights --------------===//

#include "NetworkEdits.h"

#include "nnet3/Dialect/Nnet3/Analysis/Descriptor.h"
#include "nnet3/Dialect/Nnet3/Analysis/PassCount.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"
#include "nnet3/Fusion/KernelInterfaces.h"
#include "nnet3/Fusion/Passes.h"

#include "llvm/ADT/SetVector.h"

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3COMPOSEAFFINEMAPS
#include "nnet3/Fusion/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;
using namespace mlir::nnet3;
using Kind = Descriptor::Kind;

/// What a sequence multiplies once, it does instead of at least so many rows.
static constexpr double kRowsPerSequence = 16;

namespace {

/// What some columns of a reader's old weights become.
struct Piece {
  size_t term;       ///< which term of the new input they belong to
  int64_t column;    ///< the first of the old columns
  int64_t mapColumn; ///< of the map's weights; -1: they stay as they are
};

/// A reader of a map, as it reads what the map reads.
struct Reader {
  ComponentNodeOp node;
  std::vector<Descriptor> terms; ///< distinct ones
  SmallVector<Piece> pieces;
  SmallVector<int64_t> mapUses; ///< columns where the map's rows began
  double oldCost = 0, newCost = 0;
  bool readsEachRow = true;
};

struct ComposeAffineMaps
    : public nnet3::impl::Nnet3ComposeAffineMapsBase<ComposeAffineMaps> {
  void runOnOperation() override;

private:
  LogicalResult compose(ComponentNodeOp map);

  PassCount numComposed{"maps composed with their readers"};
};

} // namespace

//===----------------------------------------------------------------------===//
// Descriptors
//===----------------------------------------------------------------------===//

static InFlightDiagnostic ignore(Location loc) {
  InFlightDiagnostic diag = emitError(loc);
  diag.abandon();
  return diag;
}

/// The terms that `descriptor` puts side by side; none if it has no normal
/// form.
static std::vector<Descriptor> getTerms(const Descriptor &descriptor,
                                        Location loc) {
  auto normal =
      normalize(descriptor, [&](LocationAttr) { return ignore(loc); });
  if (failed(normal))
    return {};
  if (normal->kind != Kind::Append)
    return {*normal};
  return normal->operands;
}

static int64_t getColumns(const Descriptor &term, Location loc) {
  return *getDim(term, [&](LocationAttr) { return ignore(loc); });
}

static bool isForwarding(const Descriptor &term) {
  return term.kind == Kind::Offset || term.kind == Kind::Round ||
         term.kind == Kind::ReplaceIndex;
}

/// Where `term` names the node `rows`, which it moves in time and nothing else;
/// null if it is another.
static Descriptor *findNode(Descriptor &term, Value rows) {
  Descriptor *leaf = &term;
  while (isForwarding(*leaf))
    leaf = &leaf->operands.front();
  return leaf->kind == Kind::Node && leaf->value == rows ? leaf : nullptr;
}

/// Whether several readers of `term` cost as much as one: it is read where it
/// is. Not a sum, which is computed for each.
static bool isRead(const Descriptor &term, Value except) {
  if (term.kind == Kind::Node)
    return term.value != except;
  return (isForwarding(term) || term.kind == Kind::IfDefined ||
          term.kind == Kind::Failover) &&
         llvm::all_of(term.operands, [&](const Descriptor &operand) {
           return isRead(operand, except);
         });
}

/// Whether all rows of a sequence are the same.
static bool isConstant(const Descriptor &term) {
  if (term.kind == Kind::Node)
    return false;
  return (term.kind == Kind::ReplaceIndex &&
          term.variable == IndexVariable::T) ||
         llvm::all_of(term.operands, isConstant);
}

/// What a row costs for each column of the output.
static double getCost(ArrayRef<Descriptor> terms, Location loc) {
  double cost = 0;
  for (const Descriptor &term : terms)
    cost += getColumns(term, loc) / (isConstant(term) ? kRowsPerSequence : 1.0);
  return cost;
}

//===----------------------------------------------------------------------===//
// Readers
//===----------------------------------------------------------------------===//

/// Finds the nodes that read `rows`; false where one is no affine map, or where
/// a row may be missing: zeros stand there, not what the map makes of them.
static bool findReaders(Value rows, llvm::SetVector<Operation *> &readers) {
  return llvm::all_of(rows.getUsers(), [&](Operation *user) {
    if (isa<AppendOp, OffsetOp, RoundOp, ReplaceIndexOp>(user))
      return findReaders(user->getResult(0), readers);
    auto node = dyn_cast<ComponentNodeOp>(user);
    if (!node || !isPlainAffine(node))
      return false;
    readers.insert(node);
    return true;
  });
}

/// Adds `term`, if it is new, and returns its number.
static size_t addTerm(std::vector<Descriptor> &terms, Descriptor term) {
  auto found = llvm::find(terms, term);
  if (found != terms.end())
    return found - terms.begin();
  terms.push_back(std::move(term));
  return terms.size() - 1;
}

/// `node` with the terms `mapTerms` in place of the node `map`, which has them
/// as its input; fails where that has no normal form.
static FailureOr<Reader> inlineMap(ComponentNodeOp node, ComponentNodeOp map,
                                   const std::vector<Descriptor> &mapTerms) {
  Location loc = node.getLoc();
  Reader reader;
  reader.node = node;
  std::vector<Descriptor> old = getTerms(readDescriptor(node.getInput()), loc);
  int64_t column = 0;
  for (const Descriptor &term : old) {
    Descriptor inlined = term;
    const int64_t columns = getColumns(term, loc);
    Descriptor *leaf = findNode(inlined, map.getResult());
    if (!leaf) {
      reader.pieces.push_back({addTerm(reader.terms, term), column, -1});
      column += columns;
      continue;
    }
    reader.readsEachRow &= term.kind == Kind::Node || term.kind == Kind::Offset;
    leaf->kind = Kind::Append;
    leaf->operands = mapTerms;
    std::vector<Descriptor> parts = getTerms(inlined, loc);
    if (parts.size() != mapTerms.size())
      return failure();
    reader.mapUses.push_back(column);
    int64_t mapColumn = 0;
    for (Descriptor &part : parts) {
      const int64_t width = getColumns(part, loc);
      reader.pieces.push_back(
          {addTerm(reader.terms, std::move(part)), column, mapColumn});
      mapColumn += width;
    }
    column += columns;
  }
  auto parameters = cast<ComponentOpInterface>(getComponent(node));
  const double rows = double(parameters.getComponentOutputDim());
  reader.oldCost = rows * getCost(old, loc);
  reader.newCost = rows * getCost(reader.terms, loc);
  return reader;
}

//===----------------------------------------------------------------------===//
// Weights
//===----------------------------------------------------------------------===//

/// sums += `factor` * `values`.
static void addScaled(MutableArrayRef<double> sums, double factor,
                      const float *values) {
  for (size_t i = 0; i < sums.size(); ++i)
    sums[i] += factor * values[i];
}

/// Gives the component of `reader` the weights for its new terms. Those of each
/// time offset stand in a block of columns.
static LogicalResult setWeights(Reader &reader, const AffineParameters &map) {
  Operation *component = getComponent(reader.node);
  auto old = getAffineParameters(component);
  if (failed(old))
    return failure();
  SmallVector<int64_t> firsts = {0};
  for (const Descriptor &term : reader.terms)
    firsts.push_back(firsts.back() + getColumns(term, reader.node.getLoc()));
  const int64_t oldWidth = getDim(reader.node.getInput());
  const int64_t width = firsts.back(), blocks = old->columns / oldWidth;
  AffineParameters result;
  result.rows = old->rows;
  result.columns = blocks * width;
  result.bias = old->bias;
  result.weights.resize(result.rows * result.columns);
  std::vector<double> sums(width);
  for (int64_t row = 0; row < result.rows; ++row)
    for (int64_t block = 0; block < blocks; ++block) {
      const float *weights =
          &old->weights[row * old->columns + block * oldWidth];
      llvm::fill(sums, 0);
      for (const Piece &piece : reader.pieces) {
        const int64_t first = firsts[piece.term];
        auto part =
            MutableArrayRef(sums).slice(first, firsts[piece.term + 1] - first);
        if (piece.mapColumn < 0)
          addScaled(part, 1, weights + piece.column);
        else
          for (int64_t i = 0; i < map.rows; ++i)
            addScaled(part, weights[piece.column + i],
                      &map.weights[i * map.columns + piece.mapColumn]);
      }
      llvm::copy(sums, &result.weights[row * result.columns + block * width]);
      if (map.bias.empty())
        continue;
      double bias = result.bias[row];
      for (int64_t column : reader.mapUses)
        for (int64_t i = 0; i < map.rows; ++i)
          bias += double(weights[column + i]) * map.bias[i];
      result.bias[row] = float(bias);
    }
  setAffineParameters(component, result);
  component->setAttr("input_dim",
                     Builder(component->getContext()).getI64IntegerAttr(width));
  return success();
}

/// Lets the node of `reader` read the new terms.
static void setInput(Reader &reader) {
  Descriptor input;
  if (reader.terms.size() == 1) {
    input = std::move(reader.terms.front());
  } else {
    input.kind = Kind::Append;
    input.operands = std::move(reader.terms);
  }
  OpBuilder builder(reader.node);
  Value old = reader.node.getInput();
  reader.node.getInputMutable().assign(
      buildDescriptor(builder, input, reader.node.getLoc()));
  eraseUnusedDescriptors(old);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

LogicalResult ComposeAffineMaps::compose(ComponentNodeOp map) {
  auto component = cast<ComponentOpInterface>(getComponent(map));
  llvm::SetVector<Operation *> nodes;
  if (map->use_empty() || !isPlainAffine(map) ||
      !has(component.getComponentProperties(), ComponentProperties::Simple) ||
      isSupplied(getOperation(), map.getName()) ||
      !findReaders(map.getResult(), nodes) || nodes.contains(map))
    return success();
  const std::vector<Descriptor> terms =
      getTerms(readDescriptor(map.getInput()), map.getLoc());
  if (terms.empty() || !llvm::all_of(terms, [&](const Descriptor &term) {
        return isRead(term, map.getResult());
      }))
    return success();
  auto parameters = getAffineParameters(component);
  if (failed(parameters))
    return failure();
  SmallVector<Reader> readers;
  bool readsEachRow = true;
  double gain = parameters->rows * getCost(terms, map.getLoc());
  for (Operation *node : nodes) {
    auto reader = inlineMap(cast<ComponentNodeOp>(node), map, terms);
    if (failed(reader))
      return success();
    readsEachRow &= reader->readsEachRow;
    gain += reader->oldCost - reader->newCost;
    readers.push_back(std::move(*reader));
  }
  // The map may be computed for fewer rows than those that read it.
  if (!readsEachRow)
    gain -= parameters->rows * getCost(terms, map.getLoc());
  if (gain <= 0)
    return success();
  for (const Reader &reader : readers)
    if (!parameters->bias.empty() &&
        !cast<AffineKernelInterface>(getComponent(reader.node)).getBiasName())
      return success();
  for (Reader &reader : readers) {
    if (failed(setWeights(reader, *parameters)))
      return failure();
    setInput(reader);
  }
  if (map->use_empty()) {
    Value input = map.getInput();
    map.erase();
    component.erase();
    eraseUnusedDescriptors(input);
  }
  ++numComposed;
  return success();
}

void ComposeAffineMaps::runOnOperation() {
  if (!isEditable(getOperation()))
    return;
  for (auto node : llvm::make_early_inc_range(
           getOperation().getBody().getOps<ComponentNodeOp>()))
    if (failed(compose(node)))
      return signalPassFailure();
}
