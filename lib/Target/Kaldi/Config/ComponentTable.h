//===- ComponentTable.h - Config keys of component types --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One table per component type, from its ODS record: its keys, the attributes
// they set, and what values they take (spec: components.md 3 and 6).
//
//===----------------------------------------------------------------------===//
#ifndef LIB_TARGET_KALDI_CONFIG_COMPONENTTABLE_H
#define LIB_TARGET_KALDI_CONFIG_COMPONENTTABLE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

namespace mlir::nnet3 {

/// How the value of a key is written and what kind of attribute it sets.
enum class KeyKind {
  Int,      ///< i64
  Float,    ///< f32; f64 among the initialisation keys
  Bool,     ///< bool
  IntList,  ///< i64 array
  PairList, ///< the same, of the numbers of pairs `a,b;a,b`
  Word,     ///< string
  File,     ///< name of a matrix or vector file, an initialisation key
};

/// What a key is for; may be combined.
enum KeyFlags : unsigned {
  None = 0,
  /// Must be given.
  Required = 1,
  /// Only matters for drawing parameters; set in the `init` dictionary.
  Init = 2,
  /// Has no meaning together with the key of the parameter file.
  NotWithFile = 4,
  /// A negative value stands for the default.
  NegativeIsDefault = 8,
};

/// The values that a number may take. NaN is in no bounded range.
enum class KeyRange {
  Any,
  Positive,
  NonNegative,
  UpToTenth,   ///< [0, 0.1]
  UpToQuarter, ///< [0, 0.25]
  UpToOne,     ///< [0, 1]
};

/// What the dimensions of a parameter file say.
enum class FileDims {
  NoFile,
  Affine,      ///< a matrix, output_dim x (input_dim + 1)
  Linear,      ///< a matrix, output_dim x input_dim
  Vector,      ///< a vector of `dim`
  BlockVector, ///< a vector of `block_dim`, which `dim` may be a multiple of
  Filters,     ///< a matrix of `num_filters` rows
};

/// What keys of a type stand for beyond the attributes that they set.
enum class KeyGroup {
  None,
  /// The dims may be equal groups: `input-dim` and `output-dim` stand for an
  /// attribute `sizes`.
  EqualGroups,
  /// `time-offsets` and `height-offsets` stand for an attribute `offsets` of
  /// all their pairs; lists may be in any order.
  Offsets,
  /// `num-components`, `component1`, ... are the lines of the op's components
  ///.
  Components,
};

/// One key of a component type. Several keys may set the same attribute; the
/// first is the one written.
struct ConfigKey {
  llvm::StringLiteral key;
  llvm::StringLiteral attribute;
  KeyKind kind;
  unsigned flags = None;
  KeyRange range = KeyRange::Any;
};

/// One component type.
struct ComponentConfig {
  /// Kaldi's name of the type.
  llvm::StringLiteral type;
  /// Name of the operation.
  llvm::StringLiteral operation;
  llvm::ArrayRef<ConfigKey> keys;
  FileDims fileDims = FileDims::NoFile;
  KeyGroup group = KeyGroup::None;

  /// The key that names a parameter file; null if there is none.
  const ConfigKey *getFileKey() const;
};

/// The table of a type, by Kaldi's name; null if there is none.
const ComponentConfig *findComponentConfig(llvm::StringRef type);

/// All tables.
llvm::ArrayRef<ComponentConfig> getComponentConfigs();

} // namespace mlir::nnet3

#endif // LIB_TARGET_KALDI_CONFIG_COMPONENTTABLE_H
