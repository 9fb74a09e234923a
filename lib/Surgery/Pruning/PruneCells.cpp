//===- PruneCells.cpp - Remove cells of LSTMs -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../NetworkEdits.h"
#include "../Parameters.h"
#include "CellGraph.h"
#include "Moments.h"
#include "nnet3/Dialect/Nnet3/Analysis/PassCount.h"
#include "nnet3/Surgery/Passes.h"
#include "nnet3/Surgery/Pruning.h"

#include <numeric>

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3PRUNECELLS
#include "nnet3/Surgery/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;
using namespace mlir::nnet3;

/// Returns the LSTMs whose cells can be removed. Reports the reason for each of
/// the others with `onSkip`.
static std::vector<CellGraph>
findAll(NetworkOp network, StringRef pattern,
        llvm::function_ref<void(StringRef reason)> onSkip) {
  std::vector<CellGraph> found;
  for (auto node : network.getOps<ComponentNodeOp>()) {
    if (!matchesPattern(pattern, node.getName()) ||
        !isa_and_nonnull<LstmNonlinearityOp>(
            findComponent(network, node.getComponent()).getOperation()))
      continue;
    if (auto graph = followCells(network, node))
      found.push_back(*graph);
    else
      onSkip("node '" + node.getName().str() +
             "' keeps its cells: " + llvm::toString(graph.takeError()));
  }
  return found;
}

SmallVector<Value> mlir::nnet3::findCellOutputs(
    NetworkOp network, StringRef pattern,
    llvm::function_ref<void(StringRef reason)> onSkip) {
  SmallVector<Value> nodes;
  for (CellGraph &graph : findAll(network, pattern, onSkip))
    nodes.push_back(graph.outputs.getResult());
  return nodes;
}

namespace {
/// The kept and the removed cells, in increasing order.
struct Choice {
  SmallVector<int64_t> kept, removed;
  /// The outputs of removed cells are estimated as `estimate` times those of
  /// kept cells.
  DoubleMatrix estimate;
};
} // namespace

/// Returns the submatrix of some rows and columns.
static DoubleMatrix select(const DoubleMatrix &matrix, ArrayRef<int64_t> rows,
                           ArrayRef<int64_t> cols) {
  DoubleMatrix part(rows.size(), cols.size());
  for (int64_t r = 0; r < part.rows; ++r)
    for (int64_t c = 0; c < part.cols; ++c)
      part(r, c) = matrix(rows[r], cols[c]);
  return part;
}

/// Returns the indices `first` to `first` + `count` - 1.
static SmallVector<int64_t> getRange(int64_t first, int64_t count) {
  SmallVector<int64_t> range(count);
  std::iota(range.begin(), range.end(), first);
  return range;
}

namespace {
struct PruneCells : public mlir::nnet3::impl::Nnet3PruneCellsBase<PruneCells> {
  using Base::Base;
  void runOnOperation() override;

private:
  FailureOr<std::vector<double>> getContributions(const CellGraph &graph,
                                                  const DoubleMatrix &moments);
  FailureOr<Choice> choose(CellGraph &graph, const Moments &table,
                           int64_t count);
  LogicalResult changeTensor(
      ComponentOpInterface component, StringRef name,
      llvm::function_ref<DoubleMatrix(const DoubleMatrix &matrix)> change);
  LogicalResult pruneNonlinearity(CellGraph &graph, const Choice &choice);
  LogicalResult pruneGates(CellGraph &graph, const Choice &choice);
  LogicalResult pruneReaders(CellGraph &graph, const Choice &choice);
  void prunePasses(CellGraph &graph, int64_t kept);
  LogicalResult prune(CellGraph &graph, const Moments &table);

  PassCount numRemoved{"cells of LSTMs removed"};
};
} // namespace

/// Returns for each cell the power of its output times the squared norm of the
/// weights that read it.
FailureOr<std::vector<double>>
PruneCells::getContributions(const CellGraph &graph,
                             const DoubleMatrix &moments) {
  std::vector<double> contributions(graph.numCells);
  for (const CellColumns &reader : graph.readers) {
    auto matrix =
        getParameters(reader.component, getMatrixName(reader.component));
    if (failed(matrix))
      return failure();
    for (int64_t r = 0; r < matrix->rows; ++r)
      for (int64_t cell = 0; cell < graph.numCells; ++cell) {
        const double weight = (*matrix)(r, reader.first + cell);
        contributions[cell] += weight * weight;
      }
  }
  for (int64_t cell = 0; cell < graph.numCells; ++cell)
    contributions[cell] *= moments(cell, cell);
  return contributions;
}

FailureOr<Choice> PruneCells::choose(CellGraph &graph, const Moments &table,
                                     int64_t count) {
  Location loc = getOperation().getLoc();
  StringRef name = graph.outputs.getName();
  auto moments = table.get(name, graph.numCells, loc);
  if (failed(moments))
    return failure();
  auto contributions = getContributions(graph, *moments);
  if (failed(contributions))
    return failure();
  SmallVector<int64_t> order = getRange(0, graph.numCells);
  llvm::sort(order, [&](int64_t a, int64_t b) {
    return std::pair(-(*contributions)[a], a) <
           std::pair(-(*contributions)[b], b);
  });
  Choice choice;
  choice.kept.append(order.begin(), order.begin() + count);
  choice.removed.append(order.begin() + count, order.end());
  llvm::sort(choice.kept);
  llvm::sort(choice.removed);
  // The least squares estimate is M_rk M_kk^+, with the pseudo-inverse from its
  // square root.
  auto roots = takeRoots(select(*moments, choice.kept, choice.kept));
  if (failed(roots))
    return emitError(loc) << "the moments of node '" << name
                          << "' have no singular value decomposition";
  choice.estimate = multiply(select(*moments, choice.removed, choice.kept),
                             multiply(roots->inverse, roots->inverse));
  double all = 0, left = 0;
  for (double value : *contributions)
    all += value;
  for (int64_t cell : choice.kept)
    left += (*contributions)[cell];
  emitRemark(loc) << "node '" << graph.node.getName() << "' keeps " << count
                  << " of " << graph.numCells << " cells with "
                  << formatReal(float(all > 0 ? left / all : 1))
                  << " of what they contribute";
  return choice;
}

/// Replaces a tensor, if the component has it.
LogicalResult PruneCells::changeTensor(
    ComponentOpInterface component, StringRef name,
    llvm::function_ref<DoubleMatrix(const DoubleMatrix &matrix)> change) {
  auto tensor = component->getAttrOfType<ElementsAttr>(name);
  if (!tensor)
    return success();
  auto matrix = getParameters(component, name);
  if (failed(matrix))
    return failure();
  const bool isVector = tensor.getShapedType().getRank() == 1;
  component->setAttr(name, (isVector ? makeVector : makeParameters)(
                               &getContext(), getComponentName(component), name,
                               change(*matrix)));
  return success();
}

LogicalResult PruneCells::pruneNonlinearity(CellGraph &graph,
                                            const Choice &choice) {
  for (const TensorSpec &spec : graph.component.getTensors())
    if (spec.shape.size() == 2 && spec.shape.back() == graph.numCells)
      if (failed(changeTensor(
              graph.component, spec.name, [&](const DoubleMatrix &matrix) {
                return select(matrix, getRange(0, matrix.rows), choice.kept);
              })))
        return failure();
  const int64_t kept = choice.kept.size();
  setInteger(graph.component, "cell_dim", kept);
  setColumns(graph.node.getResult(), 2 * kept);
  setColumns(graph.outputs.getResult(), kept);
  graph.outputs.setDimOffset(kept);
  if (graph.states)
    setColumns(graph.states.getResult(), kept);
  return success();
}

LogicalResult PruneCells::pruneGates(CellGraph &graph, const Choice &choice) {
  SmallVector<int64_t> rows;
  for (int64_t gate = 0; gate < 4; ++gate)
    for (int64_t cell : choice.kept)
      rows.push_back(gate * graph.numCells + cell);
  for (StringRef name :
       {getMatrixName(graph.gatesComponent), StringRef("bias_params")})
    if (failed(changeTensor(
            graph.gatesComponent, name, [&](const DoubleMatrix &matrix) {
              return select(matrix, rows, getRange(0, matrix.cols));
            })))
      return failure();
  setInteger(graph.gatesComponent, "output_dim", rows.size());
  setColumns(graph.gates.getResult(), rows.size());
  return success();
}

/// Removes the columns of removed cells from the readers, and adds their
/// estimate to the other columns.
LogicalResult PruneCells::pruneReaders(CellGraph &graph, const Choice &choice) {
  // Start from the last columns, so that earlier column numbers stay valid.
  llvm::sort(graph.readers, [](const CellColumns &a, const CellColumns &b) {
    return a.first > b.first;
  });
  const int64_t count = graph.numCells, kept = choice.kept.size();
  for (CellColumns &reader : graph.readers) {
    auto change = [&](const DoubleMatrix &matrix) {
      const SmallVector<int64_t> rows = getRange(0, matrix.rows);
      const DoubleMatrix cells = getColumns(matrix, reader.first, count);
      DoubleMatrix left = select(cells, rows, choice.kept);
      const DoubleMatrix replaced =
          multiply(select(cells, rows, choice.removed), choice.estimate);
      DoubleMatrix result(matrix.rows, matrix.cols - count + kept);
      for (int64_t r : rows) {
        ArrayRef<double> from = matrix.row(r);
        double *to = result.row(r).data();
        to = llvm::copy(from.take_front(reader.first), to);
        for (int64_t c = 0; c < kept; ++c)
          *to++ = left(r, c) + replaced(r, c);
        llvm::copy(from.drop_front(reader.first + count), to);
      }
      return result;
    };
    if (failed(changeTensor(reader.component, getMatrixName(reader.component),
                            change)))
      return failure();
    setInteger(reader.component, "input_dim",
               reader.component.getComponentInputDim() - count + kept);
  }
  return success();
}

/// Narrows the nodes that pass cells on, and adjusts their dim-ranges.
void PruneCells::prunePasses(CellGraph &graph, int64_t kept) {
  const int64_t less = graph.numCells - kept;
  for (auto &[node, columns] : graph.passes) {
    for (Operation *op : findReaders(getOperation(), node.getResult())) {
      auto range = cast<DimRangeNodeOp>(op);
      const int64_t offset = range.getDimOffset();
      range.setDimOffset(offset -
                         less * llvm::count_if(columns, [&](int64_t first) {
                           return first < offset;
                         }));
    }
    const int64_t dim =
        node.getResult().getType().getDim() - less * int64_t(columns.size());
    setInteger(findComponent(getOperation(), node.getComponent()), "dim", dim);
    setColumns(node.getResult(), dim);
  }
  for (DimRangeNodeOp range : graph.passedRanges)
    setColumns(range.getResult(), kept);
}

LogicalResult PruneCells::prune(CellGraph &graph, const Moments &table) {
  const int64_t kept = countKept(graph.numCells, keep, multiple);
  if (kept == graph.numCells)
    return success();
  FailureOr<Choice> choice = choose(graph, table, kept);
  if (failed(choice) || failed(pruneGates(graph, *choice)) ||
      failed(pruneReaders(graph, *choice)) ||
      failed(pruneNonlinearity(graph, *choice)))
    return failure();
  prunePasses(graph, kept);
  numRemoved += graph.numCells - kept;
  return success();
}

void PruneCells::runOnOperation() {
  NetworkOp network = getOperation();
  if (failed(checkKept(keep, multiple, network.getLoc())))
    return signalPassFailure();
  FailureOr<Moments> table = Moments::read(moments, network.getLoc());
  if (failed(table))
    return signalPassFailure();
  bool isSkipped = false;
  auto graphs = findAll(network, pattern, [&](StringRef reason) {
    isSkipped = true;
    emitWarning(network.getLoc()) << reason;
  });
  if (graphs.empty() && !isSkipped)
    emitWarning(network.getLoc())
        << "no node that matches '" << pattern << "' has cells of an LSTM";
  InputRebuilder inputs(network);
  for (CellGraph &graph : graphs)
    if (failed(prune(graph, *table)))
      return signalPassFailure();
  inputs.rebuild();
  removeOrphanNodes(network, /*removesInputs=*/false);
}
