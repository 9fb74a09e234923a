//===- ModuleAttributes.cpp - What is recorded in modules -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Dialect/Nnet3/IR/ModuleAttributes.h"
#include "nnet3/Dialect/Nnet3/IR/Nnet3Dialect.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::nnet3;

static const StringRef kStages[] = {"network",     "commands", "optimized",
                                    "fused",       "kernels",  "loops",
                                    "llvm-dialect"};
static const StringRef kTargets[] = {"cpu", "cuda"};

ArrayRef<StringRef> mlir::nnet3::getStageNames() { return kStages; }

static LogicalResult verifyText(Operation *op, NamedAttribute attribute,
                                ArrayRef<StringRef> texts) {
  auto text = dyn_cast<StringAttr>(attribute.getValue());
  if (text && llvm::is_contained(texts, text.getValue()))
    return success();
  return op->emitError("expects '")
         << attribute.getName().getValue() << "' to be one of "
         << llvm::join(texts, ", ") << ", but got " << attribute.getValue();
}

LogicalResult Nnet3Dialect::verifyOperationAttribute(Operation *op,
                                                     NamedAttribute attribute) {
  if (attribute.getName() == kStageAttr)
    return verifyText(op, attribute, kStages);
  if (attribute.getName() == kTargetAttr)
    return verifyText(op, attribute, kTargets);
  return success();
}
