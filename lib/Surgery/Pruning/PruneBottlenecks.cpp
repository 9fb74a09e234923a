//===- PruneBottlenecks.cpp - Make bottlenecks narrower -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../NetworkEdits.h"
#include "../NodeInputs.h"
#include "../Parameters.h"
#include "Moments.h"
#include "nnet3/Dialect/Nnet3/Analysis/PassCount.h"
#include "nnet3/Surgery/Passes.h"
#include "nnet3/Surgery/Pruning.h"

#include <numeric>

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3PRUNEBOTTLENECKS
#include "nnet3/Surgery/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;
using namespace mlir::nnet3;

namespace {
struct Bottleneck {
  ComponentNodeOp node;
  ComponentOpInterface component;
  SmallVector<ComponentOpInterface> readers;

  int64_t getDim() { return node.getResult().getType().getDim(); }
};
} // namespace

/// Returns the component of a node that reads only rows of `source` and has
/// more columns; null for other operations.
static ComponentOpInterface getReader(NetworkOp network, Operation *op,
                                      ComponentNodeOp source) {
  auto node = dyn_cast<ComponentNodeOp>(op);
  if (!node || node.getResult().getType().getDim() <=
                   source.getResult().getType().getDim())
    return nullptr;
  ComponentOpInterface component = getOwnComponent(network, node);
  if (!component || !isMatrix(component))
    return nullptr;
  for (const AppendedTerm &term : getTerms(readDescriptor(node.getInput())))
    if (term.node != source.getResult())
      return nullptr;
  return component;
}

static std::optional<Bottleneck> findBottleneck(NetworkOp network,
                                                ComponentNodeOp node) {
  Bottleneck result{node, getOwnComponent(network, node), {}};
  if (!result.component || !isMatrix(result.component) ||
      result.component.getComponentInputDim() <= result.getDim())
    return std::nullopt;
  for (Operation *op : findReaders(network, node.getResult())) {
    ComponentOpInterface reader = getReader(network, op, node);
    if (!reader)
      return std::nullopt;
    result.readers.push_back(reader);
  }
  return result.readers.empty() ? std::nullopt : std::optional(result);
}

static SmallVector<Bottleneck> findAll(NetworkOp network, StringRef pattern) {
  SmallVector<Bottleneck> found;
  for (auto node : network.getOps<ComponentNodeOp>())
    if (matchesPattern(pattern, node.getName()))
      if (auto bottleneck = findBottleneck(network, node))
        found.push_back(*bottleneck);
  return found;
}

SmallVector<Value> mlir::nnet3::findBottlenecks(NetworkOp network,
                                                StringRef pattern) {
  SmallVector<Value> nodes;
  for (Bottleneck &bottleneck : findAll(network, pattern))
    nodes.push_back(bottleneck.node.getResult());
  return nodes;
}

namespace {
struct PruneBottlenecks
    : public mlir::nnet3::impl::Nnet3PruneBottlenecksBase<PruneBottlenecks> {
  using Base::Base;
  void runOnOperation() override;

private:
  /// z is replaced by `down` z, and `up` maps that back to the kept part of z.
  struct Directions {
    DoubleMatrix down, up;
  };

  FailureOr<DoubleMatrix> readMatrix(ComponentOpInterface component);
  void writeMatrix(ComponentOpInterface component, const DoubleMatrix &matrix);
  FailureOr<DoubleMatrix> addReaders(const Bottleneck &bottleneck, int64_t dim);
  FailureOr<Directions> chooseDirections(Bottleneck &bottleneck,
                                         const Moments &moments, int64_t kept);
  LogicalResult narrowComponent(ComponentOpInterface component,
                                const DoubleMatrix &down);
  LogicalResult narrowReader(ComponentOpInterface reader,
                             const DoubleMatrix &up);
  LogicalResult narrow(Bottleneck &bottleneck, const Moments &moments);

  PassCount numRemoved{"columns of bottlenecks removed"};
};
} // namespace

FailureOr<DoubleMatrix>
PruneBottlenecks::readMatrix(ComponentOpInterface component) {
  return getParameters(component, getMatrixName(component));
}

void PruneBottlenecks::writeMatrix(ComponentOpInterface component,
                                   const DoubleMatrix &matrix) {
  StringRef name = getMatrixName(component);
  component->setAttr(
      name,
      makeParameters(&getContext(), getComponentName(component), name, matrix));
}

/// Returns the sum of W^T W over the column blocks of all readers' matrices.
FailureOr<DoubleMatrix>
PruneBottlenecks::addReaders(const Bottleneck &bottleneck, int64_t dim) {
  DoubleMatrix sum(dim, dim);
  for (ComponentOpInterface reader : bottleneck.readers) {
    FailureOr<DoubleMatrix> matrix = readMatrix(reader);
    if (failed(matrix))
      return failure();
    for (int64_t first = 0; first < matrix->cols; first += dim) {
      const DoubleMatrix block = getColumns(*matrix, first, dim);
      const DoubleMatrix square = multiply(transpose(block), block);
      for (auto [value, part] : llvm::zip_equal(sum.data, square.data))
        value += part;
    }
  }
  return sum;
}

FailureOr<PruneBottlenecks::Directions>
PruneBottlenecks::chooseDirections(Bottleneck &bottleneck,
                                   const Moments &moments, int64_t kept) {
  const int64_t dim = bottleneck.getDim();
  StringRef name = bottleneck.node.getName();
  Location loc = getOperation().getLoc();
  FailureOr<DoubleMatrix> matrix = moments.get(name, dim, loc);
  FailureOr<DoubleMatrix> weights = addReaders(bottleneck, dim);
  if (failed(matrix) || failed(weights))
    return failure();
  FailureOr<Roots> roots = takeRoots(*matrix);
  FailureOr<SingularValues> powers = failure();
  if (succeeded(roots))
    powers = decompose(multiply(multiply(roots->root, *weights), roots->root));
  if (failed(powers))
    return emitError(loc) << "the moments of node '" << name
                          << "' have no singular value decomposition";
  ArrayRef<double> all = powers->s;
  const double sum = std::accumulate(all.begin(), all.end(), 0.0);
  const double left = std::accumulate(all.begin(), all.begin() + kept, 0.0);
  emitRemark(loc) << "node '" << name << "' keeps " << kept << " of " << dim
                  << " columns with "
                  << formatReal(float(sum > 0 ? left / sum : 1))
                  << " of what they contribute";
  const DoubleMatrix basis = takeColumns(powers->u, kept);
  return Directions{multiply(transpose(basis), roots->inverse),
                    multiply(roots->root, basis)};
}

LogicalResult PruneBottlenecks::narrowComponent(ComponentOpInterface component,
                                                const DoubleMatrix &down) {
  FailureOr<DoubleMatrix> matrix = readMatrix(component);
  if (failed(matrix))
    return failure();
  writeMatrix(component, multiply(down, *matrix));
  setInteger(component, "output_dim", down.rows);
  if (!component->hasAttr("bias_params"))
    return success();
  FailureOr<DoubleMatrix> bias = getParameters(component, "bias_params");
  if (failed(bias))
    return failure();
  component->setAttr("bias_params",
                     makeVector(&getContext(), getComponentName(component),
                                "bias_params", multiply(down, *bias)));
  return success();
}

LogicalResult PruneBottlenecks::narrowReader(ComponentOpInterface reader,
                                             const DoubleMatrix &up) {
  FailureOr<DoubleMatrix> matrix = readMatrix(reader);
  if (failed(matrix))
    return failure();
  const int64_t numBlocks = matrix->cols / up.rows;
  DoubleMatrix narrow(matrix->rows, numBlocks * up.cols);
  for (int64_t i = 0; i < numBlocks; ++i) {
    const DoubleMatrix block =
        multiply(getColumns(*matrix, i * up.rows, up.rows), up);
    for (int64_t r = 0; r < narrow.rows; ++r)
      llvm::copy(block.row(r), narrow.row(r).begin() + i * up.cols);
  }
  writeMatrix(reader, narrow);
  setInteger(reader, "input_dim",
             reader.getComponentInputDim() / up.rows * up.cols);
  return success();
}

LogicalResult PruneBottlenecks::narrow(Bottleneck &bottleneck,
                                       const Moments &moments) {
  const int64_t dim = bottleneck.getDim();
  const int64_t kept = countKept(dim, keep, multiple);
  if (kept == dim)
    return success();
  auto directions = chooseDirections(bottleneck, moments, kept);
  if (failed(directions) ||
      failed(narrowComponent(bottleneck.component, directions->down)))
    return failure();
  for (ComponentOpInterface reader : bottleneck.readers)
    if (failed(narrowReader(reader, directions->up)))
      return failure();
  setColumns(bottleneck.node.getResult(), kept);
  numRemoved += dim - kept;
  return success();
}

void PruneBottlenecks::runOnOperation() {
  NetworkOp network = getOperation();
  if (failed(checkKept(keep, multiple, network.getLoc())))
    return signalPassFailure();
  FailureOr<Moments> table = Moments::read(moments, network.getLoc());
  if (failed(table))
    return signalPassFailure();
  SmallVector<Bottleneck> bottlenecks = findAll(network, pattern);
  if (bottlenecks.empty())
    emitWarning(network.getLoc())
        << "no node that matches '" << pattern << "' is a bottleneck";
  InputRebuilder inputs(network);
  for (Bottleneck &bottleneck : bottlenecks)
    if (failed(narrow(bottleneck, *table)))
      return signalPassFailure();
  inputs.rebuild();
  removeOrphanNodes(network, /*removesInputs=*/false);
}
