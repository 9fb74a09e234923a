//===- DiscardableAttributes.cpp - Discardable attributes -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Dialect/Nnet3/IR/CommandOps.h"
#include "nnet3/Dialect/Nnet3/IR/DebugInfo.h"
#include "nnet3/Dialect/Nnet3/IR/ModuleAttributes.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::nnet3;

static const StringRef kStages[] = {"network",     "commands", "optimized",
                                    "fused",       "kernels",  "loops",
                                    "llvm-dialect"};
static const StringRef kTargets[] = {"cpu", "cuda"};

ArrayRef<StringRef> mlir::nnet3::getStageNames() { return kStages; }

namespace {
/// One attribute of an operation.
struct Verifier {
  Operation *op;
  NamedAttribute attribute;

  LogicalResult expect(bool holds, const Twine &expected) const {
    if (holds)
      return success();
    return op->emitError("expects '")
           << attribute.getName().getValue() << "' to be " << expected
           << ", but got " << attribute.getValue();
  }
  template <typename T> bool is() const { return isa<T>(attribute.getValue()); }
  LogicalResult verifyText(ArrayRef<StringRef> texts) const {
    auto text = dyn_cast<StringAttr>(attribute.getValue());
    return expect(text && llvm::is_contained(texts, text.getValue()),
                  "one of " + llvm::join(texts, ", "));
  }
  LogicalResult verifyStride() const {
    auto stride = dyn_cast<IntegerAttr>(attribute.getValue());
    return expect(stride && stride.getType().isInteger(64) &&
                      stride.getInt() > 0,
                  "a positive i64");
  }
  LogicalResult verifyPrecomputedFrom() const {
    auto from = dyn_cast<DictionaryAttr>(attribute.getValue());
    auto has = [&](StringRef name) {
      return from && from.getAs<IndexesAttr>(name);
    };
    return expect(has(kInputIndexes) && has(kOutputIndexes),
                  "a dictionary of '" + kInputIndexes + "' and '" +
                      kOutputIndexes + "'");
  }
  /// Verifies that the operation may have the attribute; `places` names such
  /// operations.
  LogicalResult verifyPlace(bool holds, StringRef places) const {
    if (holds)
      return success();
    return op->emitError("expects '")
           << attribute.getName().getValue() << "' only on " << places;
  }
};
} // namespace

static bool definesMatrix(Operation *op) {
  return op->hasTrait<CommandPhase>() && op->getNumResults() == 1 &&
         isa<MemRefType, CompressedType>(op->getResult(0).getType());
}

/// Verifies an attribute about the rows of the matrix that an operation
/// defines.
static LogicalResult verifyOfMatrix(const Verifier &verifier) {
  if (failed(verifier.verifyPlace(definesMatrix(verifier.op),
                                  "definitions of matrices")))
    return failure();
  StringRef name = verifier.attribute.getName().getValue();
  if (name == kDebugNodeAttr)
    return verifier.expect(verifier.is<StringAttr>(), "the name of a node");
  if (name == kDebugIndexesAttr)
    return verifier.expect(verifier.is<IndexesAttr>(), "Indexes");
  if (name == kDebugDerivAttr)
    return verifier.expect(verifier.is<UnitAttr>(), "a unit attribute");
  return verifier.verifyStride();
}

LogicalResult Nnet3Dialect::verifyOperationAttribute(Operation *op,
                                                     NamedAttribute attribute) {
  const Verifier verifier{op, attribute};
  StringRef name = attribute.getName().getValue();
  if (llvm::is_contained({kDebugNodeAttr, kDebugIndexesAttr, kDebugDerivAttr,
                          kSequenceStrideAttr},
                         name))
    return verifyOfMatrix(verifier);
  if (name == kPrecomputedFromAttr)
    return success(
        succeeded(verifier.verifyPlace(isa<PropagateOp, BackpropOp>(op),
                                       "propagate and backprop")) &&
        succeeded(verifier.verifyPrecomputedFrom()));
  if (!llvm::is_contained({kStageAttr, kTargetAttr, kElidedWeightsAttr}, name))
    return op->emitError("unknown attribute '") << name << "'";
  if (failed(verifier.verifyPlace(isa<ModuleOp>(op), "modules")))
    return failure();
  if (name == kElidedWeightsAttr)
    return verifier.expect(verifier.is<UnitAttr>(), "a unit attribute");
  return name == kStageAttr ? verifier.verifyText(kStages)
                            : verifier.verifyText(kTargets);
}
