//===- DescriptorChecks.cpp - Checks of descriptors -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Dialect/Nnet3/Analysis/Descriptor.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MathExtras.h"
#include <limits>
#include <numeric>

using namespace mlir;
using namespace mlir::nnet3;
using Kind = Descriptor::Kind;

//===----------------------------------------------------------------------===//
// The normalised grammar
//===----------------------------------------------------------------------===//

static bool isForwarding(const Descriptor &descriptor) {
  switch (descriptor.kind) {
  case Kind::Node:
    return true;
  case Kind::Scale:
    return descriptor.operands.size() == 1 &&
           descriptor.operands.front().kind == Kind::Node;
  case Kind::Offset:
  case Kind::Round:
  case Kind::ReplaceIndex:
    return descriptor.operands.size() == 1 &&
           isForwarding(descriptor.operands.front());
  case Kind::Switch:
    return !descriptor.operands.empty() &&
           llvm::all_of(descriptor.operands, isForwarding);
  default:
    return false;
  }
}

static bool isSum(const Descriptor &descriptor) {
  switch (descriptor.kind) {
  case Kind::Sum:
  case Kind::Failover:
    return descriptor.operands.size() == 2 &&
           llvm::all_of(descriptor.operands, isSum);
  case Kind::IfDefined:
    return descriptor.operands.size() == 1 &&
           isSum(descriptor.operands.front());
  case Kind::Const:
    return true;
  default:
    return isForwarding(descriptor);
  }
}

bool mlir::nnet3::isNormalized(const Descriptor &descriptor) {
  if (descriptor.kind == Kind::Append)
    return descriptor.operands.size() >= 2 &&
           llvm::all_of(descriptor.operands, isSum);
  return isSum(descriptor);
}

//===----------------------------------------------------------------------===//
// Dimensions
//===----------------------------------------------------------------------===//

FailureOr<int64_t> mlir::nnet3::getDim(const Descriptor &descriptor,
                                       DescriptorEmitError emitError) {
  if (descriptor.kind == Kind::Node)
    return cast<RowsType>(descriptor.value.getType()).getDim();
  if (descriptor.kind == Kind::Const)
    return descriptor.dim;
  constexpr int64_t maxDim = std::numeric_limits<int32_t>::max();
  int64_t result = 0;
  for (const Descriptor &operand : descriptor.operands) {
    FailureOr<int64_t> dim = getDim(operand, emitError);
    if (failed(dim))
      return failure();
    if (descriptor.kind == Kind::Append)
      result += *dim;
    else if (&operand == &descriptor.operands.front())
      result = *dim;
    else if (result != *dim)
      return emitError(operand.loc)
             << "arguments of " << getKeyword(descriptor.kind)
             << " have different dims, " << result << " and " << *dim;
    if (result > maxDim)
      return emitError(operand.loc) << "the dim of Append exceeds " << maxDim;
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Scales and constants
//===----------------------------------------------------------------------===//

namespace {
/// A node in a part, with the first scale that is applied to it.
struct ScaledNode {
  double alpha;
  LocationAttr loc;
};
} // namespace

/// Checks that a node has one scale within a part: the compiled commands scale
/// whole sub-matrices, not single terms.
static LogicalResult verifyScales(const Descriptor &descriptor, double alpha,
                                  llvm::StringMap<ScaledNode> &nodes,
                                  DescriptorEmitError emitError) {
  if (descriptor.kind == Kind::Scale)
    alpha = descriptor.alpha;
  if (descriptor.kind == Kind::Node) {
    auto [entry, inserted] =
        nodes.try_emplace(descriptor.name, ScaledNode{alpha, descriptor.loc});
    if (inserted || entry->second.alpha == alpha)
      return success();
    InFlightDiagnostic diag =
        emitError(descriptor.loc)
        << "node '" << descriptor.name
        << "' has two different scales in one part of a descriptor, "
        << formatReal(entry->second.alpha) << " and " << formatReal(alpha);
    if (LocationAttr first = entry->second.loc)
      diag.attachNote(Location(first)) << "first scaled here";
    return diag;
  }
  for (const Descriptor &operand : descriptor.operands)
    if (failed(verifyScales(operand, alpha, nodes, emitError)))
      return failure();
  return success();
}

/// Returns the constant that a part adds to its rows; fails if it depends on
/// which rows are computable.
static FailureOr<double> getConstant(const Descriptor &descriptor,
                                     DescriptorEmitError emitError) {
  if (descriptor.kind == Kind::Const)
    return descriptor.alpha;
  double first = 0, sum = 0;
  for (const Descriptor &operand : descriptor.operands) {
    FailureOr<double> constant = getConstant(operand, emitError);
    if (failed(constant))
      return failure();
    if (&operand == &descriptor.operands.front())
      first = *constant;
    sum += *constant;
    if (descriptor.kind == Kind::IfDefined && *constant != 0)
      return emitError(operand.loc)
             << "Const inside IfDefined must be zero, but is "
             << formatReal(*constant);
    if (descriptor.kind == Kind::Failover && *constant != first)
      return emitError(operand.loc)
             << "arguments of Failover have different constants, "
             << formatReal(first) << " and " << formatReal(*constant);
  }
  return descriptor.kind == Kind::Failover ? first : sum;
}

LogicalResult mlir::nnet3::verifyParts(const Descriptor &descriptor,
                                       DescriptorEmitError emitError) {
  if (descriptor.kind == Kind::Append) {
    for (const Descriptor &part : descriptor.operands)
      if (failed(verifyParts(part, emitError)))
        return failure();
    return success();
  }
  llvm::StringMap<ScaledNode> nodes;
  if (failed(verifyScales(descriptor, 1, nodes, emitError)))
    return failure();
  return success(succeeded(getConstant(descriptor, emitError)));
}

//===----------------------------------------------------------------------===//
// Modulus
//===----------------------------------------------------------------------===//

int64_t mlir::nnet3::saturatingLcm(int64_t a, int64_t b) {
  int64_t result;
  if (llvm::MulOverflow(a / std::gcd(a, b), b, result))
    return std::numeric_limits<int64_t>::max();
  return result;
}

int64_t mlir::nnet3::getModulus(const Descriptor &descriptor) {
  // Replacing t makes the descriptor constant in t; then the modulus is 1.
  if (descriptor.kind == Kind::ReplaceIndex &&
      descriptor.variable == IndexVariable::T)
    return 1;
  int64_t result = 1;
  if (descriptor.kind == Kind::Round)
    result = descriptor.t;
  else if (descriptor.kind == Kind::Switch)
    result = descriptor.operands.size();
  for (const Descriptor &operand : descriptor.operands)
    result = saturatingLcm(result, getModulus(operand));
  return result;
}
