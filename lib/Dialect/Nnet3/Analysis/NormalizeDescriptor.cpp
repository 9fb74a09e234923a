//===- NormalizeDescriptor.cpp - Normal form of descriptors ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Append is pulled to the top, the forwarding operators are pushed below Sum,
// Failover and IfDefined, and Scale down to the node names (descriptors.md 5).
// One bottom-up walk reaches the fixpoint of the rewrite rules: every operator
// is applied to terms that are in normal form already.
//
//===----------------------------------------------------------------------===//

#include "nnet3/Dialect/Nnet3/Analysis/Descriptor.h"

#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace mlir;
using namespace mlir::nnet3;
using Kind = Descriptor::Kind;

namespace {

/// Limit of operators, since distributing operators over sums copies them. It
/// is proportional to the size of the descriptor and far above the needs of any
/// useful one.
size_t getOperatorLimit(const Descriptor &descriptor) {
  size_t limit = 1024;
  llvm::SmallVector<const Descriptor *> stack = {&descriptor};
  while (!stack.empty()) {
    const Descriptor *next = stack.pop_back_val();
    limit += 32;
    for (const Descriptor &operand : next->operands)
      stack.push_back(&operand);
  }
  return limit;
}

class Normalizer {
public:
  Normalizer(size_t maxOperators, DescriptorEmitError emitError)
      : maxOperators(maxOperators), emitError(emitError) {}

  /// Returns the Append terms of `descriptor`, each in normal form.
  FailureOr<std::vector<Descriptor>> expand(const Descriptor &descriptor);

private:
  FailureOr<Descriptor> apply(Descriptor op);
  FailureOr<Descriptor> applyForwarding(const Descriptor &op, Descriptor inner);
  FailureOr<Descriptor> applyScale(const Descriptor &op, Descriptor inner);
  FailureOr<Descriptor> applySwitch(Descriptor op);
  FailureOr<Descriptor> applyToOperands(const Descriptor &op, Descriptor inner);
  LogicalResult count(const Descriptor &op);

  size_t maxOperators;
  DescriptorEmitError emitError;
  size_t operators = 0;
};

} // namespace

LogicalResult Normalizer::count(const Descriptor &op) {
  if (++operators > maxOperators)
    return emitError(op.loc) << "descriptor is too large when normalised";
  return success();
}

/// Returns the operator of `descriptor` without its operands.
static Descriptor withoutOperands(const Descriptor &descriptor) {
  Descriptor op;
  op.kind = descriptor.kind;
  op.name = descriptor.name;
  op.value = descriptor.value;
  op.alpha = descriptor.alpha;
  op.t = descriptor.t;
  op.x = descriptor.x;
  op.variable = descriptor.variable;
  op.dim = descriptor.dim;
  op.loc = descriptor.loc;
  return op;
}

FailureOr<std::vector<Descriptor>>
Normalizer::expand(const Descriptor &descriptor) {
  if (descriptor.kind == Kind::Node || descriptor.kind == Kind::Const)
    return std::vector<Descriptor>{descriptor};
  if (descriptor.operands.empty())
    return emitError(descriptor.loc)
           << getKeyword(descriptor.kind) << " has no arguments";

  std::vector<std::vector<Descriptor>> operands;
  for (const Descriptor &operand : descriptor.operands) {
    FailureOr<std::vector<Descriptor>> terms = expand(operand);
    if (failed(terms))
      return failure();
    operands.push_back(std::move(*terms));
  }

  std::vector<Descriptor> result;
  if (descriptor.kind == Kind::Append) {
    for (std::vector<Descriptor> &terms : operands)
      std::move(terms.begin(), terms.end(), std::back_inserter(result));
    return result;
  }

  for (auto [operand, terms] : llvm::zip(descriptor.operands, operands))
    if (terms.size() != operands.front().size())
      return emitError(operand.loc)
             << "arguments of " << getKeyword(descriptor.kind)
             << " have different numbers of appended parts, "
             << operands.front().size() << " and " << terms.size();
  for (size_t i = 0; i < operands.front().size(); ++i) {
    Descriptor op = withoutOperands(descriptor);
    for (std::vector<Descriptor> &terms : operands)
      op.operands.push_back(std::move(terms[i]));
    FailureOr<Descriptor> term = apply(std::move(op));
    if (failed(term))
      return failure();
    result.push_back(std::move(*term));
  }
  return result;
}

/// Returns `Sum(a, b, c)` as `Sum(a, Sum(b, c))`, and `Sum(a)` as `a`.
static Descriptor nestSum(Descriptor sum) {
  Descriptor result = std::move(sum.operands.back());
  for (size_t i = sum.operands.size() - 1; i-- > 0;) {
    Descriptor pair = withoutOperands(sum);
    pair.operands.push_back(std::move(sum.operands[i]));
    pair.operands.push_back(std::move(result));
    result = std::move(pair);
  }
  return result;
}

/// Normalises the operator `op`, whose operands are in normal form.
FailureOr<Descriptor> Normalizer::apply(Descriptor op) {
  if (failed(count(op)))
    return failure();
  switch (op.kind) {
  case Kind::Sum:
    return nestSum(std::move(op));
  case Kind::Failover:
  case Kind::IfDefined:
    return op;
  case Kind::Scale: {
    Descriptor inner = std::move(op.operands.front());
    op.operands.clear();
    return applyScale(op, std::move(inner));
  }
  case Kind::Switch:
    if (op.operands.size() > 1)
      return applySwitch(std::move(op));
    [[fallthrough]];
  default: {
    Descriptor inner = std::move(op.operands.front());
    op.operands.clear();
    return applyForwarding(op, std::move(inner));
  }
  }
}

/// Applies `op` to every operand of `inner`.
FailureOr<Descriptor> Normalizer::applyToOperands(const Descriptor &op,
                                                  Descriptor inner) {
  for (Descriptor &operand : inner.operands) {
    FailureOr<Descriptor> applied =
        op.kind == Kind::Scale ? applyScale(op, std::move(operand))
                               : applyForwarding(op, std::move(operand));
    if (failed(applied))
      return failure();
    operand = std::move(*applied);
  }
  return inner;
}

/// Applies Offset, Round, ReplaceIndex, or a Switch of one argument to `inner`;
/// `op` has no operands.
FailureOr<Descriptor> Normalizer::applyForwarding(const Descriptor &op,
                                                  Descriptor inner) {
  if (failed(count(op)))
    return failure();
  if (op.kind == Kind::Offset && op.t == 0 && op.x == 0)
    return inner;
  switch (inner.kind) {
  case Kind::Const:
    // A constant has the same value at every index.
    return inner;
  case Kind::Sum:
  case Kind::Failover:
  case Kind::IfDefined:
    return applyToOperands(op, std::move(inner));
  case Kind::Offset: {
    if (op.kind != Kind::Offset)
      break;
    Descriptor merged = op;
    if (llvm::AddOverflow(op.t, inner.t, merged.t) ||
        llvm::AddOverflow(op.x, inner.x, merged.x))
      return emitError(op.loc) << "sum of nested offsets is out of range";
    if (merged.t == 0 && merged.x == 0) {
      Descriptor source = std::move(inner.operands.front());
      return source;
    }
    merged.operands = std::move(inner.operands);
    return merged;
  }
  default:
    break;
  }
  Descriptor result = op;
  result.operands.push_back(std::move(inner));
  return result;
}

/// Applies Scale to `inner`; `op` has no operands.
FailureOr<Descriptor> Normalizer::applyScale(const Descriptor &op,
                                             Descriptor inner) {
  if (failed(count(op)))
    return failure();
  switch (inner.kind) {
  case Kind::Node: {
    if (op.alpha == 1)
      return inner;
    Descriptor result = op;
    result.operands.push_back(std::move(inner));
    return result;
  }
  case Kind::Scale:
  case Kind::Const:
    // Scales are float32 values, and products of scales are rounded to float32.
    inner.alpha =
        static_cast<float>(op.alpha) * static_cast<float>(inner.alpha);
    if (!std::isfinite(inner.alpha))
      return emitError(op.loc) << "product of nested scales is out of range";
    if (inner.kind == Kind::Scale && inner.alpha == 1) {
      Descriptor source = std::move(inner.operands.front());
      return source;
    }
    return inner;
  case Kind::Switch:
    return emitError(op.loc) << "Scale cannot be applied to Switch";
  default:
    return applyToOperands(op, std::move(inner));
  }
}

/// Applies a Switch of several arguments, which must be single rows.
FailureOr<Descriptor> Normalizer::applySwitch(Descriptor op) {
  for (const Descriptor &operand : op.operands)
    switch (operand.kind) {
    case Kind::Sum:
    case Kind::Failover:
    case Kind::IfDefined:
    case Kind::Const:
      return emitError(operand.loc)
             << getKeyword(operand.kind)
             << " cannot be an argument of Switch with several arguments";
    default:
      break;
    }
  return op;
}

FailureOr<Descriptor> mlir::nnet3::normalize(const Descriptor &descriptor,
                                             DescriptorEmitError emitError) {
  FailureOr<std::vector<Descriptor>> terms =
      Normalizer(getOperatorLimit(descriptor), emitError).expand(descriptor);
  if (failed(terms))
    return failure();
  if (terms->size() == 1) {
    Descriptor term = std::move(terms->front());
    return term;
  }
  Descriptor append;
  append.kind = Kind::Append;
  append.loc = descriptor.loc;
  append.operands = std::move(*terms);
  return append;
}
