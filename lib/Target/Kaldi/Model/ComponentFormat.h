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
  ColumnMap,     ///< the same; a float vector in old files (Permute)
  IntPairVector, ///< the same, of the numbers of all pairs
  DoubleVector,  ///< an array of f64; unset if it is empty
  DoubleMatrix,  ///< the same, with as many rows as the second
                 ///< attribute says
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
using UnsetValue = int64_t (*)(Operation *op, llvm::StringRef attribute);

/// Values of such an attribute.
using UnsetReal = double (*)(Operation *op);
using UnsetList = llvm::SmallVector<int64_t> (*)(Operation *op);

/// One token of a component and what follows it. The functions that return a
/// field describe one more property of it, for use in the tables.
struct TokenField {
  llvm::StringRef token;
  TokenKind kind;
  /// Attributes of the op; empty if the value is read and dropped. A single
  /// value with two attributes is the value of both.
  llvm::StringRef attribute, second;
  TokenWhen when = TokenWhen::Always;
  /// Files may lack the token.
  bool mayLack = false;
  TokenRelation relation = TokenRelation::None;
  /// Value of a number or truth value whose token is not there; the attribute
  /// is left unset where there is no such value.
  std::optional<double> absentValue;
  EmptyTensor empty = EmptyTensor::Refused;
  UnsetValue unset = nullptr;
  UnsetReal unsetReal = nullptr;
  UnsetList unsetList = nullptr;

  TokenField(llvm::StringRef token, TokenKind kind, llvm::StringRef attribute,
             llvm::StringRef second = "")
      : token(token), kind(kind), attribute(attribute), second(second) {}

  /// Always written, but older files lack it; the attribute stays unset then.
  TokenField orUnset() const {
    TokenField field = *this;
    field.mayLack = true;
    return field;
  }
  /// Always written, but older files lack it; `value` is what they mean.
  TokenField optional(double value = 0) const {
    TokenField field = orUnset();
    field.absentValue = value;
    return field;
  }
  /// Written if the attribute is not `value`, which is what absence means.
  TokenField unlessEqual(double value) const {
    TokenField field = optional(value);
    field.when = TokenWhen::IfNotDefault;
    return field;
  }
  /// Written if the op has the attribute.
  TokenField ifSet() const {
    TokenField field = orUnset();
    field.when = TokenWhen::IfSet;
    return field;
  }
  /// Only in old files; an attribute, where named, still takes the value.
  TokenField legacy() const {
    TokenField field = orUnset();
    field.when = TokenWhen::Never;
    return field;
  }
  /// Written and read only where the field before was.
  TokenField nested() const {
    TokenField field = *this;
    field.relation = TokenRelation::WithPrevious;
    return field;
  }
  /// What old files have where they lack the field before, which is optional.
  TokenField insteadOfPrevious() const {
    TokenField field = *this;
    field.when = TokenWhen::Never;
    field.relation = TokenRelation::InsteadOfPrevious;
    return field;
  }
  TokenField emptyMeans(EmptyTensor meaning) const {
    TokenField field = *this;
    field.empty = meaning;
    return field;
  }
  /// `value` computes what the attribute is where the op lacks it.
  TokenField otherwise(UnsetValue value) const {
    TokenField field = *this;
    field.unset = value;
    return field;
  }
  TokenField otherwiseReal(UnsetReal value) const {
    TokenField field = *this;
    field.unsetReal = value;
    return field;
  }
  TokenField otherwiseList(UnsetList value) const {
    TokenField field = *this;
    field.unsetList = value;
    return field;
  }
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

/// The token sequence of a component type.
struct ComponentFormat {
  /// Kaldi's name, `TdnnComponent`.
  llvm::StringRef kaldiType;
  /// Name of the op, `nnet3.tdnn`.
  llvm::StringRef opName;
  /// In the order of the file.
  std::vector<TokenField> fields;
  /// Sets the attributes that files do not spell out, such as dims that follow
  /// from the shapes of parameters. May be null; returns what is wrong, or
  /// nothing.
  std::string (*complete)(ComponentAttributes &attributes) = nullptr;
  /// Any closing token that ends with `Type>` is accepted, as old files need.
  bool anyClosingToken = false;
};

/// A table for `OpT`.
template <typename OpT>
ComponentFormat makeFormat(std::vector<TokenField> fields,
                           std::string (*complete)(ComponentAttributes &) = {},
                           bool anyClosingToken = false) {
  return {OpT::getKaldiType(), OpT::getOperationName(), std::move(fields),
          complete, anyClosingToken};
}

/// The header of updatable components, followed by `fields`. Where
/// `mayLackRate` is set, files may lack the learning rate.
std::vector<TokenField> updatable(std::vector<TokenField> fields,
                                  bool mayLackRate = false);

/// `dim` of the op, for a block dim that the op lacks; drops from `attributes`
/// a block dim that says no more than that.
int64_t getUnsetBlockDim(Operation *op, llvm::StringRef attribute);
void dropFullBlockDim(ComponentAttributes &attributes);

// The tables, grouped as the ops are.
llvm::ArrayRef<ComponentFormat> getAffineFormats();
llvm::ArrayRef<ComponentFormat> getNonlinearFormats();
llvm::ArrayRef<ComponentFormat> getElementwiseFormats();
llvm::ArrayRef<ComponentFormat> getRecurrentFormats();
llvm::ArrayRef<ComponentFormat> getRandomFormats();
llvm::ArrayRef<ComponentFormat> getBlockFormats();
llvm::ArrayRef<ComponentFormat> getConstantFormats();
llvm::ArrayRef<ComponentFormat> getGruFormats();
llvm::ArrayRef<ComponentFormat> getImageFormats();
llvm::ArrayRef<ComponentFormat> getContextFormats();

/// The table of a component type (`TdnnComponent`); null if there is none.
const ComponentFormat *lookupComponentFormat(llvm::StringRef kaldiType);

} // namespace mlir::nnet3

#endif // NNET3_LIB_TARGET_KALDI_MODEL_COMPONENTFORMAT_H
