//===- OperationMutator.cpp - Random changes of operations ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "OperationMutator.h"
#include "Mutator.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace mlir::nnet3::mutation;
using mlir::nnet3::property::Random;

using Operations = std::vector<Operation *>;

OperationMutator::OperationMutator(const std::string &text,
                                   MLIRContext &context)
    : module(parseSourceString<ModuleOp>(text, &context)) {}

/// Returns a random operation other than the module. Half of the time it is one
/// of our dialects, if there are any.
static Operation *pick(const Operations &operations, Random &random) {
  Operations ours;
  for (Operation *op : operations) {
    StringRef dialect = op->getName().getDialectNamespace();
    if (dialect == "kernel" || dialect == "nnet3")
      ours.push_back(op);
  }
  return random.pick(ours.empty() || random.chance(0.5) ? operations : ours);
}

static std::string print(Attribute attribute) {
  std::string text;
  llvm::raw_string_ostream(text) << attribute;
  return text;
}

/// Returns `attribute` with changed numbers and names, or unchanged if the
/// result is invalid.
static Attribute change(Attribute attribute, Random &random) {
  const std::string text = print(attribute);
  // Weights are numbers of any kind.
  if (text.size() > 10000)
    return attribute;
  Attribute changed =
      parseAttribute(Mutator(text).mutate(random), attribute.getContext());
  return changed ? changed : attribute;
}

static void changeAttribute(Operation *op, Operation *other, Random &random) {
  SmallVector<NamedAttribute> own(op->getAttrs()), others(other->getAttrs());
  // An attribute of another operation, under its name or one of this one's.
  if (!others.empty() && (own.empty() || random.chance(0.3))) {
    NamedAttribute given = others[random.between(0, others.size() - 1)];
    StringAttr name = own.empty() || random.chance(0.5)
                          ? given.getName()
                          : own[random.between(0, own.size() - 1)].getName();
    op->setDiscardableAttr(name, given.getValue());
    return;
  }
  if (own.empty())
    return;
  NamedAttribute chosen = own[random.between(0, own.size() - 1)];
  if (random.chance(0.2))
    op->removeAttr(chosen.getName());
  else
    op->setAttr(chosen.getName(), change(chosen.getValue(), random));
}

static void changeOperands(Operation *op, Operation *other, Random &random) {
  const unsigned count = op->getNumOperands();
  if (count == 0)
    return;
  const unsigned number = random.between(0, count - 1);
  const int what = random.between(0, 3);
  if (what == 0) {
    const unsigned second = random.between(0, count - 1);
    Value first = op->getOperand(number);
    op->setOperand(number, op->getOperand(second));
    op->setOperand(second, first);
  } else if (what == 1) {
    op->eraseOperand(number);
  } else if (what == 2 && other->getNumOperands()) {
    op->setOperand(number, other->getOperand(0));
  } else if (other->getNumResults()) {
    op->setOperand(number, other->getResult(0));
  }
}

static void changeType(Operation *op, Operation *other, Random &random) {
  SmallVector<Value> values(op->getResults()), others(other->getResults());
  for (Region &region : op->getRegions())
    if (!region.empty())
      llvm::append_range(values, region.getArguments());
  llvm::append_range(others, other->getOperands());
  if (!values.empty() && !others.empty())
    values[random.between(0, values.size() - 1)].setType(
        others[random.between(0, others.size() - 1)].getType());
}

static void changeOrder(Operation *op, Operation *other, Random &random) {
  const int what = random.between(0, 2);
  if (op->isAncestor(other) || other->isAncestor(op))
    return;
  if (what == 0)
    op->moveBefore(other);
  else if (what == 1)
    other->getBlock()->getOperations().insert(other->getIterator(),
                                              op->clone());
  else if (op->use_empty())
    op->erase();
}

static void changeModule(ModuleOp module, Random &random) {
  Operations operations;
  module.walk([&](Operation *op) {
    if (op != module)
      operations.push_back(op);
  });
  if (operations.empty())
    return;
  Operation *op = pick(operations, random), *other = pick(operations, random);
  const int what = random.between(0, 9);
  if (what < 5)
    changeAttribute(op, other, random);
  else if (what < 7)
    changeOperands(op, other, random);
  else if (what < 9)
    changeType(op, other, random);
  else
    changeOrder(op, other, random);
}

std::string OperationMutator::mutate(Random &random) const {
  if (!module)
    return "";
  ScopedDiagnosticHandler quiet(module.get().getContext(),
                                [](Diagnostic &) { return success(); });
  OwningOpRef<ModuleOp> changed = module.get().clone();
  do {
    changeModule(*changed, random);
  } while (random.chance(0.2));
  std::string text;
  llvm::raw_string_ostream os(text);
  changed->print(os, OpPrintingFlags().printGenericOpForm());
  return text;
}
