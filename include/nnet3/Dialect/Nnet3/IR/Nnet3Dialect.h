//===- Nnet3Dialect.h - The nnet3 dialect -----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_DIALECT_NNET3_IR_NNET3DIALECT_H
#define NNET3_DIALECT_NNET3_IR_NNET3DIALECT_H

#include "nnet3/Dialect/Nnet3/IR/ComponentProperties.h"
#include "nnet3/Dialect/Nnet3/IR/Index.h"
#include "nnet3/Dialect/Nnet3/IR/ParameterInitializer.h"
#include "nnet3/Dialect/Nnet3/IR/RowTable.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinAttributeInterfaces.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/RegionKindInterface.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace mlir::nnet3 {

/// Marks the operations of a network.
template <typename ConcreteOp>
class NetworkPhase : public OpTrait::TraitBase<ConcreteOp, NetworkPhase> {};

/// Marks the operations of a request.
template <typename ConcreteOp>
class RequestPhase : public OpTrait::TraitBase<ConcreteOp, RequestPhase> {};

/// Marks the operations of a computation.
template <typename ConcreteOp>
class CommandPhase : public OpTrait::TraitBase<ConcreteOp, CommandPhase> {};

/// A tensor of a component, which has a value once the component is
/// initialised.
struct TensorSpec {
  /// Name of the attribute.
  StringRef name;
  SmallVector<int64_t, 2> shape;
  /// Whether the forward pass needs it; the others are statistics.
  bool isParameter = true;
};

/// Whether `type` is the type of a matrix or of a view: float32, of known size,
/// with adjacent columns. Sizes and strides fit 31 bits.
bool isMatrixType(Type type);

/// Whether config files can hold `name`: a letter or `_`, then letters, digits,
/// `_`, `-` and `.`; not one of the words of the descriptor language.
bool isValidName(StringRef name);

/// Checks the precomputed data of a command.
class PrecomputedVerifier;

namespace detail {
/// Emits an error if isValidName() rejects the name of a node or component.
LogicalResult verifyName(Operation *op, StringRef name);

/// Checks the common conditions of component ops: positive dimensions, and the
/// shapes of parameters.
LogicalResult verifyComponentOp(Operation *op);

/// Emits an error if the command has precomputed data.
LogicalResult verifyNothingPrecomputed(PrecomputedVerifier &precomputed);

/// Number of multiply-adds with weights of the component for one row.
int64_t countWeightUses(Operation *op);
} // namespace detail

} // namespace mlir::nnet3

#include "nnet3/Dialect/Nnet3/IR/Nnet3Dialect.h.inc"
#include "nnet3/Dialect/Nnet3/IR/Nnet3Enums.h.inc"

#define GET_TYPEDEF_CLASSES
#include "nnet3/Dialect/Nnet3/IR/Nnet3Types.h.inc"

#define GET_ATTRDEF_CLASSES
#include "nnet3/Dialect/Nnet3/IR/Nnet3Attributes.h.inc"

#include "nnet3/Dialect/Nnet3/IR/Nnet3Interfaces.h.inc"

#endif // NNET3_DIALECT_NNET3_IR_NNET3DIALECT_H
