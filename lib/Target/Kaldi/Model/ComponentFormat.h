//===- ComponentFormat.h - Token tables of components -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a component looks like in a model file (spec: formats.md 5): one table
// of tokens per component type, read and written by the same tables.
//
//===----------------------------------------------------------------------===//
#ifndef NNET3_LIB_TARGET_KALDI_MODEL_COMPONENTFORMAT_H
#define NNET3_LIB_TARGET_KALDI_MODEL_COMPONENTFORMAT_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/Operation.h"
#include "nnet3/Kaldi/IO/Reader.h"

namespace mlir::nnet3 {

/// What follows a token, and what kind of attribute it becomes.
enum class TokenKind {
  Flag,          ///< nothing; true if the token is there
  Bool,          ///< a truth value
  Int,           ///< int32, an i64 attribute
  IntPair,       ///< two of them, two attributes
  Float,         ///< an f32 attribute
  FloatPair,     ///< two of them, two attributes
  Double,        ///< an f64 attribute
  Vector,        ///< a float32 tensor of rank 1
  Matrix,        ///< a float32 tensor of rank 2
  IntVector,     ///< an array of i64
  ColumnMap,     ///< the same; a float vector in old files
  IntPairVector, ///< the same, of the numbers of all pairs
  DoubleVector,  ///< an array of f64; unset if it is empty
  DoubleMatrix,  ///< the same, with as many rows as the second
                 ///< attribute says
  Choice,        ///< int32, 0 or 1: which of the words in `second` a string
                 ///< attribute is
  Components,    ///< a number of components, which become the op's body
};

/// When a token is written.
enum class TokenWhen {
  Always,
  IfNotDefault, ///< the value differs from what absence means
  IfSet,        ///< the op has the attribute
  Never,        ///< only old files have it
};

/// Whether a field depends on the one before it.
enum class TokenRelation {
  None,
  WithPrevious,      ///< only there if the field before was
  InsteadOfPrevious, ///< what old files have in place of the field before
};

/// What an empty tensor stands for.
enum class EmptyTensor {
  Refused, ///< the op must have the tensor
  Unset,   ///< empty in the file if the op lacks it
  Zeros,   ///< zeros of the right shape if the op lacks it
};

/// Value of an attribute that an op does not have.
using UnsetValue = Attribute (*)(Operation *op, llvm::StringRef attribute);

/// One token of a component and what follows it.
struct TokenField {
  llvm::StringLiteral token;
  TokenKind kind;
  /// Attributes of the op; empty if the value is read and dropped. A single
  /// value with two attributes is the value of both.
  llvm::StringLiteral attribute, second;
  TokenWhen when;
  /// Files may lack the token.
  bool mayLack;
  TokenRelation relation;
  /// Value of a number or truth value whose token is not there; the attribute
  /// is left unset where there is no such value.
  std::optional<double> absentValue;
  EmptyTensor empty;
  /// What it means if the op lacks the attributes; may be null.
  UnsetValue unset;
};

/// A dim that files do not spell out: size `axis` of a tensor, times another
/// attribute, if `factor` is not empty.
struct ShapeDim {
  llvm::StringLiteral attribute, tensor;
  unsigned axis;
  llvm::StringLiteral factor;
};

/// An attribute that is left out where it is the same as `whole`.
struct FullDim {
  llvm::StringLiteral attribute, whole;
};

/// The attributes of a component as they are read.
struct ComponentAttributes {
  Builder builder;
  NamedAttrList list;

  /// Shape of tensor `name`; empty if it is not there.
  llvm::ArrayRef<int64_t> getShape(llvm::StringRef name) const;
  void setInt(llvm::StringRef name, int64_t value);
  /// -1 if the attribute is not there.
  int64_t getInt(llvm::StringRef name) const;
};

/// The token sequence of a component type; from its ODS record.
struct ComponentFormat {
  /// Kaldi's name, with its suffix.
  llvm::StringLiteral kaldiType;
  /// Name of the op.
  llvm::StringLiteral opName;
  /// In the order of the file.
  llvm::ArrayRef<TokenField> fields;
  llvm::ArrayRef<ShapeDim> shapeDims;
  llvm::ArrayRef<FullDim> fullDims;
  /// Sets the attributes that neither tokens nor shapes give. May be null;
  /// returns what is wrong, or nothing.
  std::string (*complete)(ComponentAttributes &attributes);
  /// Any closing token that ends with `Type>` is accepted, as old files need.
  bool anyClosingToken;

  /// Sets all attributes that follow from those that files spell out; returns
  /// what is wrong, or nothing.
  std::string completeAttributes(ComponentAttributes &attributes) const;
};

/// The table of a component type, by Kaldi's name; null if there is none.
const ComponentFormat *lookupComponentFormat(llvm::StringRef kaldiType);

} // namespace mlir::nnet3

#endif // NNET3_LIB_TARGET_KALDI_MODEL_COMPONENTFORMAT_H
