//===- DebugInfo.h - Names of the debug attributes --------------*- C++ -*-===//

#ifndef NNET3_DIALECT_NNET3_IR_DEBUGINFO_H
#define NNET3_DIALECT_NNET3_IR_DEBUGINFO_H

#include "llvm/ADT/StringRef.h"

namespace mlir::nnet3 {

/// Names of the attributes of a matrix's definition that say which rows of
/// which node it holds, and whether it holds their derivatives.
constexpr llvm::StringLiteral kDebugNodeAttr = "nnet3.node";
constexpr llvm::StringLiteral kDebugIndexesAttr = "nnet3.indexes";
constexpr llvm::StringLiteral kDebugDerivAttr = "nnet3.is_deriv";

} // namespace mlir::nnet3

#endif // NNET3_DIALECT_NNET3_IR_DEBUGINFO_H
