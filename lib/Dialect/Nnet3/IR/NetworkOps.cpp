//===- NetworkOps.cpp - Networks, nodes and descriptors -------------------===//

#include "nnet3/Dialect/Nnet3/IR/NetworkOps.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringMap.h"
#include <cmath>

using namespace mlir;
using namespace mlir::nnet3;

//===----------------------------------------------------------------------===//
// The network
//===----------------------------------------------------------------------===//

/// A descriptor op whose operands lead back to itself without passing a node.
static Operation *findDescriptorCycle(Operation *op,
                                      DenseMap<Operation *, bool> &done) {
  auto [entry, inserted] = done.try_emplace(op, false);
  if (!inserted)
    return entry->second ? nullptr : op;
  for (Value operand : op->getOperands()) {
    Operation *def = operand.getDefiningOp();
    if (!def || isa<InputNodeOp, ComponentNodeOp, DimRangeNodeOp>(def))
      continue;
    if (Operation *cycle = findDescriptorCycle(def, done))
      return cycle;
  }
  done[op] = true;
  return nullptr;
}

LogicalResult NetworkOp::verify() {
  llvm::StringMap<Operation *> nodes;
  DenseMap<Operation *, bool> done;
  for (Operation &op : getBody().front()) {
    if (!op.hasTrait<NetworkPhase>() || isa<NetworkOp>(op))
      return op.emitOpError("does not belong in a network");
    if (Operation *cycle = findDescriptorCycle(&op, done);
        cycle && !isa<InputNodeOp, ComponentNodeOp, DimRangeNodeOp>(op))
      return cycle->emitOpError("depends on itself without a node in between");
    auto name = op.getAttrOfType<StringAttr>("name");
    if (!name)
      continue;
    auto [entry, inserted] = nodes.try_emplace(name.getValue(), &op);
    if (!inserted) {
      InFlightDiagnostic diag = op.emitOpError("node name '")
                                << name.getValue() << "' is used twice";
      diag.attachNote(entry->second->getLoc()) << "first used here";
      return diag;
    }
  }
  return success();
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
    return emitOpError("columns [")
           << offset << ", " << offset + dim << ") are outside the source's "
           << sourceDim;
  return success();
}

//===----------------------------------------------------------------------===//
// Descriptors
//===----------------------------------------------------------------------===//

static LogicalResult verifyNotEmpty(Operation *op) {
  if (op->getNumOperands() == 0)
    return op->emitOpError("expects at least one operand");
  return success();
}

LogicalResult AppendOp::verify() {
  if (failed(verifyNotEmpty(*this)))
    return failure();
  int64_t sum = 0;
  for (Value part : getParts())
    sum += cast<RowsType>(part.getType()).getDim();
  int64_t dim = getResult().getType().getDim();
  if (sum != dim)
    return emitOpError("expects result dim ")
           << sum << ", the sum of its parts, but got " << dim;
  return success();
}

LogicalResult SumOp::verify() { return verifyNotEmpty(*this); }

LogicalResult SwitchOp::verify() { return verifyNotEmpty(*this); }

LogicalResult RoundOp::verify() {
  if (getModulus() <= 0)
    return emitOpError("expects a positive modulus, but got ") << getModulus();
  return success();
}

LogicalResult ConstOp::verify() {
  if (!getValue().isFinite())
    return emitOpError("expects a finite value");
  return success();
}

#define GET_OP_CLASSES
#include "nnet3/Dialect/Nnet3/IR/NetworkOps.cpp.inc"
