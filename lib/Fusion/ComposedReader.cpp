//===- ComposedReader.cpp - Compose an affine map into its reader ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ComposedReader.h"

#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"

using namespace mlir;
using namespace mlir::nnet3;
using Kind = Descriptor::Kind;

/// Assumed number of rows per sequence, for costs of rows that a sequence
/// computes once.
static constexpr double kRowsPerSequence = 16;

//===----------------------------------------------------------------------===//
// Descriptors
//===----------------------------------------------------------------------===//

static InFlightDiagnostic ignore(Location loc) {
  InFlightDiagnostic diag = emitError(loc);
  diag.abandon();
  return diag;
}

/// Returns the Append terms of `descriptor`; none if it has no normal form.
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

int64_t mlir::nnet3::getTermColumns(const Descriptor &term, Location loc) {
  return *getDim(term, [&](LocationAttr) { return ignore(loc); });
}

static bool isForwarding(const Descriptor &term) {
  return term.kind == Kind::Offset || term.kind == Kind::Round ||
         term.kind == Kind::ReplaceIndex;
}

/// Returns the leaf of `term` if it is the node `rows` and `term` only changes
/// the time; else null.
static Descriptor *findNode(Descriptor &term, Value rows) {
  Descriptor *leaf = &term;
  while (isForwarding(*leaf))
    leaf = &leaf->operands.front();
  return leaf->kind == Kind::Node && leaf->value == rows ? leaf : nullptr;
}

/// Whether the term has the same row for all times of a sequence.
static bool isConstant(const Descriptor &term) {
  if (term.kind == Kind::Node)
    return false;
  return (term.kind == Kind::ReplaceIndex &&
          term.variable == IndexVariable::T) ||
         llvm::all_of(term.operands, isConstant);
}

double mlir::nnet3::getCost(ArrayRef<Descriptor> terms, Location loc) {
  double cost = 0;
  for (const Descriptor &term : terms)
    cost +=
        getTermColumns(term, loc) / (isConstant(term) ? kRowsPerSequence : 1.0);
  return cost;
}

std::vector<Descriptor> mlir::nnet3::getInputTerms(ComponentNodeOp node) {
  return getTerms(readDescriptor(node.getInput()), node.getLoc());
}

//===----------------------------------------------------------------------===//
// Readers
//===----------------------------------------------------------------------===//

/// Adds `term` unless it is present, and returns its number.
static size_t addTerm(std::vector<Descriptor> &terms, Descriptor term) {
  auto found = llvm::find(terms, term);
  if (found != terms.end())
    return found - terms.begin();
  terms.push_back(std::move(term));
  return terms.size() - 1;
}

FailureOr<ComposedReader>
ComposedReader::get(ComponentNodeOp node, ComponentNodeOp map,
                    const std::vector<Descriptor> &mapTerms) {
  Location loc = node.getLoc();
  ComposedReader reader;
  reader.node = node;
  const std::vector<Descriptor> old = getInputTerms(node);
  if (old.empty())
    return failure();
  int64_t column = 0;
  for (const Descriptor &term : old) {
    Descriptor inlined = term;
    const int64_t columns = getTermColumns(term, loc);
    Descriptor *leaf = findNode(inlined, map.getResult());
    if (!leaf) {
      reader.pieces.push_back({addTerm(reader.terms, term), column, -1});
      column += columns;
      continue;
    }
    reader.readsRows &= term.kind == Kind::Node || term.kind == Kind::Offset;
    leaf->kind = Kind::Append;
    leaf->operands = mapTerms;
    std::vector<Descriptor> parts = getTerms(inlined, loc);
    if (parts.size() != mapTerms.size())
      return failure();
    reader.mapUses.push_back(column);
    int64_t mapColumn = 0;
    for (Descriptor &part : parts) {
      const int64_t width = getTermColumns(part, loc);
      reader.pieces.push_back(
          {addTerm(reader.terms, std::move(part)), column, mapColumn});
      mapColumn += width;
    }
    column += columns;
  }
  auto component = cast<ComponentOpInterface>(getComponent(node));
  reader.gain = double(component.getComponentOutputDim()) *
                (getCost(old, loc) - getCost(reader.terms, loc));
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

/// Sets the component's weights for its new terms. Each time offset has a block
/// of columns.
LogicalResult ComposedReader::setWeights(const AffineParameters &map) {
  Operation *component = getComponent(node);
  auto old = getAffineParameters(component);
  if (failed(old))
    return failure();
  SmallVector<int64_t> firsts = {0};
  for (const Descriptor &term : terms)
    firsts.push_back(firsts.back() + getTermColumns(term, node.getLoc()));
  const int64_t oldWidth = getDim(node.getInput());
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
      for (const Piece &piece : pieces) {
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
      for (int64_t column : mapUses)
        for (int64_t i = 0; i < map.rows; ++i)
          bias += double(weights[column + i]) * map.bias[i];
      result.bias[row] = float(bias);
    }
  setAffineParameters(component, result);
  component->setAttr("input_dim",
                     Builder(component->getContext()).getI64IntegerAttr(width));
  return success();
}

/// Sets the node's input to the new terms.
void ComposedReader::setInput() {
  Descriptor input;
  if (terms.size() == 1) {
    input = std::move(terms.front());
  } else {
    input.kind = Kind::Append;
    input.operands = std::move(terms);
  }
  OpBuilder builder(node);
  Value old = node.getInput();
  node.getInputMutable().assign(buildDescriptor(builder, input, node.getLoc()));
  eraseUnusedDescriptors(old);
}

LogicalResult ComposedReader::apply(const AffineParameters &map) {
  if (failed(setWeights(map)))
    return failure();
  setInput();
  return success();
}
