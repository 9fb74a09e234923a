//===- ComponentTable.h - Config keys of component types --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One table per component type, generated from its ODS record: its keys, the
// attributes that they set, and the valid values (spec: components.md 3 and 6).
//
//===----------------------------------------------------------------------===//
#ifndef LIB_TARGET_KALDI_CONFIG_COMPONENTTABLE_H
#define LIB_TARGET_KALDI_CONFIG_COMPONENTTABLE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

namespace mlir::nnet3 {

/// The format of a key's value and the type of attribute that it sets.
enum class KeyKind {
  Int,      ///< i64
  Float,    ///< f32; f64 among the initialisation keys
  Bool,     ///< bool
  IntList,  ///< i64 array
  PairList, ///< i64 array, the numbers of pairs `a,b;a,b`
  Word,     ///< string
  File,     ///< name of a matrix or vector file, an initialisation key
};

/// Properties of a key; may be combined.
enum KeyFlags : unsigned {
  None = 0,
  /// The key is required.
  Required = 1,
  /// The key only affects the initialisation of parameters; it is set in the
  /// `init` dictionary.
  Init = 2,
  /// The key is invalid together with a parameter file.
  NotWithFile = 4,
  /// A negative value means the default.
  NegativeIsDefault = 8,
};

/// The valid range of a number. NaN is in no bounded range.
enum class KeyRange {
  Any,
  Positive,
  NonNegative,
  UpToTenth,   ///< [0, 0.1]
  UpToQuarter, ///< [0, 0.25]
  UpToOne,     ///< [0, 1]
};

/// The shape of a parameter file.
enum class FileDims {
  NoFile,
  Affine,      ///< a matrix, output_dim x (input_dim + 1)
  Linear,      ///< a matrix, output_dim x input_dim
  Vector,      ///< a vector of `dim`
  BlockVector, ///< a vector of `block_dim`, which divides `dim`
  Filters,     ///< a matrix of `num_filters` rows
};

/// Groups of keys of a type that together set one attribute or region.
enum class KeyGroup {
  None,
  /// `input-dim` and `output-dim` may replace an attribute `sizes` if all
  /// groups are equal.
  EqualGroups,
  /// `time-offsets` and `height-offsets` are unordered lists; all pairs of
  /// their elements form the attribute `offsets`.
  Offsets,
  /// `num-components`, `component1`, ... are the lines of the op's components.
  Components,
};

/// A key of a component type. If several keys set the same attribute, the first
/// one is written.
struct ConfigKey {
  llvm::StringLiteral key;
  llvm::StringLiteral attribute;
  KeyKind kind;
  unsigned flags = None;
  KeyRange range = KeyRange::Any;
};

/// A component type.
struct ComponentConfig {
  /// Kaldi's name of the type.
  llvm::StringLiteral type;
  /// Name of the operation.
  llvm::StringLiteral operation;
  llvm::ArrayRef<ConfigKey> keys;
  FileDims fileDims = FileDims::NoFile;
  KeyGroup group = KeyGroup::None;

  /// Returns the key that names a parameter file; null if there is none.
  const ConfigKey *getFileKey() const;
};

/// Returns the table of a type, by Kaldi's name; null if there is none.
const ComponentConfig *findComponentConfig(llvm::StringRef type);

/// Returns all tables.
llvm::ArrayRef<ComponentConfig> getComponentConfigs();

} // namespace mlir::nnet3

#endif // LIB_TARGET_KALDI_CONFIG_COMPONENTTABLE_H
