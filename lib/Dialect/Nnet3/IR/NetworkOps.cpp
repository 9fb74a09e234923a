//===- NetworkOps.cpp - Networks, nodes and descriptors -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Dialect/Nnet3/IR/NetworkOps.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace mlir::nnet3;

//===----------------------------------------------------------------------===//
// The network
//===----------------------------------------------------------------------===//

namespace {
/// Checks the descriptors of a network. Iterative, since descriptors may be
/// nested arbitrarily deep before they are checked.
class DescriptorChecker {
public:
  /// Checks the descriptors that lead to `root`: no cycles without a node in
  /// between, and small enough when written as expressions.
  LogicalResult check(Operation *root);

  /// Checks that the descriptors of all nodes together are small enough. They
  /// may share operations, but a config or an analysis expands each one.
  LogicalResult checkTotal(Block &nodes) const;

private:
  /// Size of an expression; shared operands count once per use.
  struct Size {
    int64_t operators = 1;
    int64_t depth = 1;
  };
  LogicalResult measure(Operation *op);

  DenseMap<Operation *, Size> sizes;
};
} // namespace

/// Limits far above the needs of useful descriptors, which allow handling
/// expressions by recursion.
static constexpr int64_t kMaxOperators = int64_t(1) << 14;
static constexpr int64_t kMaxDepth = 1024;
/// Limit for all descriptors of a network together.
static constexpr int64_t kMaxTotalOperators = int64_t(1) << 18;

static bool isNode(Operation *op) {
  return isa<InputNodeOp, ComponentNodeOp, DimRangeNodeOp>(op);
}

LogicalResult DescriptorChecker::measure(Operation *op) {
  Size size;
  for (Value operand : op->getOperands()) {
    Operation *def = operand.getDefiningOp();
    Size part = isNode(def) ? Size() : sizes.lookup(def);
    size.operators += part.operators;
    size.depth = std::max(size.depth, part.depth + 1);
  }
  if (op->getNumOperands() > kMaxDepth || size.operators > kMaxOperators ||
      size.depth > kMaxDepth)
    return op->emitOpError("descriptor has more than ")
           << kMaxOperators << " operators, or is more than " << kMaxDepth
           << " deep";
  sizes[op] = size;
  return success();
}

LogicalResult DescriptorChecker::check(Operation *root) {
  if (sizes.contains(root))
    return success();
  // The path from the root, with the number of the next operand to follow.
  SmallVector<std::pair<Operation *, unsigned>> path = {{root, 0}};
  DenseSet<Operation *> onPath = {root};
  while (!path.empty()) {
    auto &[op, next] = path.back();
    if (next == op->getNumOperands()) {
      if (failed(measure(op)))
        return failure();
      onPath.erase(op);
      path.pop_back();
      continue;
    }
    Operation *def = op->getOperand(next++).getDefiningOp();
    if (isNode(def) || sizes.contains(def))
      continue;
    if (!onPath.insert(def).second)
      return def->emitOpError("depends on itself without a node in between");
    path.push_back({def, 0});
  }
  return success();
}

LogicalResult DescriptorChecker::checkTotal(Block &nodes) const {
  int64_t total = 0;
  for (Operation &op : nodes) {
    if (!isa<ComponentNodeOp, OutputNodeOp>(op))
      continue;
    Operation *input = op.getOperand(0).getDefiningOp();
    total += isNode(input) ? 1 : sizes.lookup(input).operators;
    if (total > kMaxTotalOperators)
      return op.emitOpError("descriptors up to this node have more than ")
             << kMaxTotalOperators << " operators";
  }
  return success();
}

LogicalResult NetworkOp::verify() {
  if (getBody().getNumArguments() != 0)
    return emitOpError("expects a body without arguments");
  if (getPriors() && getPriors()->getShapedType().getRank() != 1)
    return emitOpError("expects priors of one dimension, but got ")
           << getPriors()->getShapedType();
  return success();
}

LogicalResult NetworkOp::verifyRegions() {
  llvm::StringMap<Operation *> nodes;
  DescriptorChecker descriptors;
  for (Operation &op : getBody().front()) {
    if (!op.hasTrait<NetworkPhase>() || isa<NetworkOp>(op))
      return op.emitOpError("does not belong in a network");
    if (isa<ComponentOpInterface>(op))
      continue;
    if (!isNode(&op) && failed(descriptors.check(&op)))
      return failure();
    auto name = op.getAttrOfType<StringAttr>("name");
    if (!name)
      continue;
    if (failed(detail::verifyName(&op, name)))
      return failure();
    auto [entry, inserted] = nodes.try_emplace(name.getValue(), &op);
    if (!inserted) {
      InFlightDiagnostic diag = op.emitOpError("node name '")
                                << name.getValue() << "' is used twice";
      diag.attachNote(entry->second->getLoc()) << "first used here";
      return diag;
    }
  }
  return descriptors.checkTotal(getBody().front());
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

/// Names values after their nodes in printed IR.
static void nameResult(Value result, StringRef name, OpAsmSetValueNameFn fn) {
  fn(result, name);
}

void InputNodeOp::getAsmResultNames(OpAsmSetValueNameFn setNameFn) {
  nameResult(getResult(), getName(), setNameFn);
}

void ComponentNodeOp::getAsmResultNames(OpAsmSetValueNameFn setNameFn) {
  nameResult(getResult(), getName(), setNameFn);
}

void DimRangeNodeOp::getAsmResultNames(OpAsmSetValueNameFn setNameFn) {
  nameResult(getResult(), getName(), setNameFn);
}

LogicalResult
ComponentNodeOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  auto component = dyn_cast_or_null<ComponentOpInterface>(
      symbolTable.lookupNearestSymbolFrom(*this, getComponentAttr()));
  if (!component)
    return emitOpError("refers to an undefined component ")
           << getComponentAttr();
  auto check = [&](StringRef what, int64_t expected,
                   int64_t actual) -> LogicalResult {
    if (expected == actual)
      return success();
    InFlightDiagnostic diag = emitOpError("expects ")
                              << what << " dim " << expected << ", but got "
                              << actual;
    diag.attachNote(component->getLoc()) << "component is declared here";
    return diag;
  };
  if (failed(check("input", component.getComponentInputDim(),
                   getInput().getType().getDim())))
    return failure();
  return check("output", component.getComponentOutputDim(),
               getResult().getType().getDim());
}

LogicalResult DimRangeNodeOp::verify() {
  Operation *source = getSource().getDefiningOp();
  if (!isa_and_nonnull<InputNodeOp, ComponentNodeOp>(source))
    return emitOpError("expects an input node or a component node as source");
  int64_t offset = getDimOffset(), dim = getResult().getType().getDim();
  int64_t sourceDim = getSource().getType().getDim();
  if (offset < 0 || offset > sourceDim || dim > sourceDim - offset)
    return emitOpError("expects columns of the source's ")
           << sourceDim << ", but got " << dim << " from " << offset << " on";
  return success();
}

//===----------------------------------------------------------------------===//
// Descriptors
//===----------------------------------------------------------------------===//

LogicalResult AppendOp::verify() {
  if (getParts().empty())
    return emitOpError("expects at least one operand");
  int64_t sum = 0;
  for (Value part : getParts())
    sum += cast<RowsType>(part.getType()).getDim();
  int64_t dim = getResult().getType().getDim();
  if (sum != dim)
    return emitOpError("expects result dim ")
           << sum << ", the sum of its parts, but got " << dim;
  return success();
}

LogicalResult RoundOp::verify() {
  if (int32_t modulus = getModulus(); modulus <= 0)
    return emitOpError("expects a positive modulus, but got ") << modulus;
  return success();
}

LogicalResult ConstOp::verify() {
  if (!getValue().isFinite())
    return emitOpError("expects a finite value");
  return success();
}

#define GET_OP_CLASSES
#include "nnet3/Dialect/Nnet3/IR/NetworkOps.cpp.inc"
