//===- ComponentFormat.h - Token tables of components -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The format of components in model files (spec: formats.md 5): one table of
// tokens per component type, which serves for reading and writing.
//
//===----------------------------------------------------------------------===//
#ifndef NNET3_LIB_TARGET_KALDI_MODEL_COMPONENTFORMAT_H
#define NNET3_LIB_TARGET_KALDI_MODEL_COMPONENTFORMAT_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/Operation.h"
#include "nnet3/Kaldi/IO/Reader.h"

namespace mlir::nnet3 {

/// The format of the value after a token, and the type of its attribute.
enum class TokenKind {
  Flag,          ///< no value; true if the token is present
  Bool,          ///< a truth value
  Int,           ///< int32, an i64 attribute
  IntPair,       ///< two int32, for two attributes
  Float,         ///< an f32 attribute
  FloatPair,     ///< two floats, for two attributes
  Double,        ///< an f64 attribute
  Vector,        ///< a float32 tensor of rank 1
  Matrix,        ///< a float32 tensor of rank 2
  IntVector,     ///< an array of i64
  ColumnMap,     ///< an array of i64; a float vector in old files
  IntPairVector, ///< an array of i64, the numbers of all pairs
  DoubleVector,  ///< an array of f64; unset if it is empty
  DoubleMatrix,  ///< an array of f64; rows: the `second` attribute
  Choice,        ///< int32, 0 or 1: which of the words in `second` a string
                 ///< attribute is
  Components,    ///< a number of components, the op's region
};

/// The condition for writing a token.
enum class TokenWhen {
  Always,
  IfNotDefault, ///< the value differs from the default
  IfSet,        ///< the op has the attribute
  Never,        ///< the token is only in old files
};

/// Whether a field depends on the one before it.
enum class TokenRelation {
  None,
  WithPrevious,      ///< present only if the previous field was
  InsteadOfPrevious, ///< replaces the previous field in old files
};

/// The meaning of an empty tensor.
enum class EmptyTensor {
  Refused, ///< an error: the op must have the tensor
  Unset,   ///< the op does not have the tensor
  Zeros,   ///< the op does not have the tensor, which means zeros
};

/// Returns the value that a missing attribute of an op stands for.
using UnsetValue = Attribute (*)(Operation *op, llvm::StringRef attribute);

/// A token of a component and its value.
struct TokenField {
  llvm::StringLiteral token;
  TokenKind kind;
  /// The attributes of the op; empty if the value is read and dropped. If there
  /// are two attributes and one value, both get it.
  llvm::StringLiteral attribute, second;
  TokenWhen when;
  /// Files may omit the token.
  bool mayLack;
  TokenRelation relation;
  /// Value of a number or bool whose token is absent; without it, the attribute
  /// stays unset.
  std::optional<double> absentValue;
  EmptyTensor empty;
  /// Returns the values of missing attributes; may be null.
  UnsetValue unset;
};

/// A dim that is not in the file: size `axis` of a tensor, multiplied by
/// attribute `factor` unless that is empty.
struct ShapeDim {
  llvm::StringLiteral attribute, tensor;
  unsigned axis;
  llvm::StringLiteral factor;
};

/// An attribute that is left out if it equals `whole`.
struct FullDim {
  llvm::StringLiteral attribute, whole;
};

/// The attributes of a component while it is read.
struct ComponentAttributes {
  Builder builder;
  NamedAttrList list;

  /// Returns the shape of tensor `name`; empty if it is absent.
  llvm::ArrayRef<int64_t> getShape(llvm::StringRef name) const;
  void setInt(llvm::StringRef name, int64_t value);
  /// Returns -1 if the attribute is absent.
  int64_t getInt(llvm::StringRef name) const;
};

/// The token sequence of a component type, generated from its ODS record.
struct ComponentFormat {
  /// Kaldi's name, with its suffix.
  llvm::StringLiteral kaldiType;
  /// Name of the op.
  llvm::StringLiteral opName;
  /// The fields in the order of the file.
  llvm::ArrayRef<TokenField> fields;
  llvm::ArrayRef<ShapeDim> shapeDims;
  llvm::ArrayRef<FullDim> fullDims;
  /// Sets the remaining attributes, which follow neither from tokens nor from
  /// shapes. May be null. Returns an error message, or an empty string.
  std::string (*complete)(ComponentAttributes &attributes);
  /// Whether any closing token that ends with `Type>` is accepted, as in old
  /// files.
  bool anyClosingToken;

  /// Derives all attributes that are not in the file. Returns an error message,
  /// or an empty string.
  std::string completeAttributes(ComponentAttributes &attributes) const;
};

/// Returns the table of a component type, by Kaldi's name; null if there is
/// none.
const ComponentFormat *lookupComponentFormat(llvm::StringRef kaldiType);

} // namespace mlir::nnet3

#endif // NNET3_LIB_TARGET_KALDI_MODEL_COMPONENTFORMAT_H
