//===- SplitAffineOutputs.cpp - Split affine outputs by reader ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NetworkEdits.h"

#include "nnet3/Dialect/Nnet3/Analysis/PassCount.h"
#include "nnet3/Dialect/Nnet3/Analysis/UnusedName.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"
#include "nnet3/Fusion/Passes.h"

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3SPLITAFFINEOUTPUTS
#include "nnet3/Fusion/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;
using namespace mlir::nnet3;

namespace {

/// The kind of readers of columns; several readers combine to the largest.
enum class Reader { None, Outside, Recurrence };

/// Neighbouring columns with the same kind of readers.
struct Columns {
  int64_t first, count;
  Reader reader;
  Value rows; ///< the node that computes them
};

struct SplitAffineOutputs
    : public nnet3::impl::Nnet3SplitAffineOutputsBase<SplitAffineOutputs> {
  void runOnOperation() override;

private:
  void split(ComponentNodeOp node, MutableArrayRef<Columns> ranges,
             const AffineParameters &parameters);

  PassCount numSplit{"nodes split"};
  PassCount numDropped{"columns dropped"};
};

} // namespace

/// Splits the columns of `node` by their readers.
static SmallVector<Columns> getColumns(ComponentNodeOp node) {
  const int64_t dim = getDim(node.getResult());
  SmallVector<Columns> uses;
  SmallVector<int64_t> ends = {dim};
  for (Operation *user : node->getUsers()) {
    Columns use = {0,
                   dim,
                   dependsOn(node, user) ? Reader::Recurrence : Reader::Outside,
                   {}};
    if (auto range = dyn_cast<DimRangeNodeOp>(user)) {
      use.first = range.getDimOffset();
      use.count = getDim(range.getResult());
    }
    uses.push_back(use);
    ends.append({use.first, use.first + use.count});
  }
  llvm::sort(ends);
  SmallVector<Columns> result;
  int64_t first = 0;
  for (int64_t end : ends) {
    if (end == first)
      continue;
    Reader reader = Reader::None;
    for (const Columns &use : uses)
      if (use.first <= first && end <= use.first + use.count)
        reader = std::max(reader, use.reader);
    if (!result.empty() && result.back().reader == reader)
      result.back().count += end - first;
    else
      result.push_back({first, end - first, reader, {}});
    first = end;
  }
  return result;
}

static Columns *findColumns(DimRangeNodeOp range,
                            MutableArrayRef<Columns> ranges) {
  const int64_t first = range.getDimOffset();
  const int64_t end = first + getDim(range.getResult());
  Columns *found = llvm::find_if(ranges, [&](const Columns &columns) {
    return columns.first <= first && end <= columns.first + columns.count;
  });
  return found == ranges.end() ? nullptr : found;
}

/// Whether `node` can be split into one node for each of `ranges` that is read.
static bool isSplittable(ComponentNodeOp node,
                         MutableArrayRef<Columns> ranges) {
  return ranges.size() > 1 && isReadByNodes(node.getResult()) &&
         llvm::all_of(node->getUsers(), [&](Operation *user) {
           auto range = dyn_cast<DimRangeNodeOp>(user);
           return !range || findColumns(range, ranges);
         });
}

/// Returns the rows of W and b that compute `range`.
static AffineParameters takeRows(const AffineParameters &parameters,
                                 const Columns &range) {
  AffineParameters result;
  result.rows = range.count;
  result.columns = parameters.columns;
  llvm::append_range(result.weights, ArrayRef(parameters.weights)
                                         .slice(range.first * result.columns,
                                                range.count * result.columns));
  if (!parameters.bias.empty())
    llvm::append_range(
        result.bias, ArrayRef(parameters.bias).slice(range.first, range.count));
  return result;
}

void SplitAffineOutputs::split(ComponentNodeOp node,
                               MutableArrayRef<Columns> ranges,
                               const AffineParameters &parameters) {
  Operation *component = getComponent(node);
  OpBuilder builder(node);
  SmallVector<Value> parts;
  for (Columns &range : ranges) {
    if (range.reader == Reader::None) {
      numDropped += range.count;
      continue;
    }
    const std::string name = getUnusedName(
        getOperation(), (node.getName() + "." + Twine(range.first)).str());
    builder.setInsertionPoint(component);
    Operation *part = builder.clone(*component);
    SymbolTable::setSymbolName(part, name);
    part->setAttr("output_dim", builder.getI64IntegerAttr(range.count));
    setAffineParameters(part, takeRows(parameters, range));
    builder.setInsertionPoint(node);
    range.rows = ComponentNodeOp::create(
        builder, node.getLoc(), RowsType::get(&getContext(), range.count), name,
        name, node.getInput());
    parts.push_back(range.rows);
  }
  for (Operation *user : llvm::make_early_inc_range(node->getUsers()))
    if (auto range = dyn_cast<DimRangeNodeOp>(user)) {
      const Columns &columns = *findColumns(range, ranges);
      range.getSourceMutable().assign(columns.rows);
      range.setDimOffset(range.getDimOffset() - columns.first);
    }
  if (!node->use_empty())
    node.getResult().replaceAllUsesWith(AppendOp::create(
        builder, node.getLoc(), node.getResult().getType(), parts));
  node.erase();
  component->erase();
  ++numSplit;
}

void SplitAffineOutputs::runOnOperation() {
  NetworkOp network = getOperation();
  if (!isEditable(network))
    return;
  for (auto range :
       llvm::make_early_inc_range(network.getBody().getOps<DimRangeNodeOp>()))
    if (range->use_empty())
      range.erase();
  auto nodes = llvm::to_vector(network.getBody().getOps<ComponentNodeOp>());
  for (ComponentNodeOp node : nodes) {
    if (llvm::none_of(
            node->getUsers(),
            [](Operation *user) { return isa<DimRangeNodeOp>(user); }) ||
        !isPlainAffine(node) || isSupplied(network, node.getName()))
      continue;
    SmallVector<Columns> ranges = getColumns(node);
    if (!isSplittable(node, ranges))
      continue;
    auto parameters = getAffineParameters(getComponent(node));
    if (failed(parameters))
      return signalPassFailure();
    split(node, ranges, *parameters);
  }
}
