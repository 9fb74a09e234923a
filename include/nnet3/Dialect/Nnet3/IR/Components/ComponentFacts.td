//===- ComponentFacts.td - Facts about component types -----*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fields of component records in addition to MLIR's ODS: config keys, tokens of
// model files, dims, properties, tensors, and limits of attribute values.
// nnet3-tblgen generates tables and code from them.
//
// Expressions are C++. The name of an attribute stands for its value; integers
// are int64_t. The name of an absent attribute stands for its default.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_DIALECT_NNET3_IR_COMPONENTS_COMPONENTFACTS_TD
#define NNET3_DIALECT_NNET3_IR_COMPONENTS_COMPONENTFACTS_TD

include "mlir/IR/OpBase.td"

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

/// Kaldi's sizes have 32 bits; with this limit, sums and products of two of our
/// 64-bit sizes do not overflow.
def Nnet3_MaxInt32 : IntMaxValue<2147483647>;
def Nnet3_PositiveI64 : ConfinedAttr<I64Attr, [IntPositive, Nnet3_MaxInt32]>;
def Nnet3_NonNegativeI64
    : ConfinedAttr<I64Attr, [IntNonNegative, Nnet3_MaxInt32]>;

/// An optional attribute whose default is the expression `meaning`.
class Nnet3_Or<Attr attr, string meaning> : OptionalAttr<attr> {
  string absent = meaning;
}

/// An optional dim whose default is the attribute `whole`. Readers do not set it
/// to its default.
class Nnet3_DimOr<string whole> : Nnet3_Or<Nnet3_PositiveI64, whole> {
  string fullDim = whole;
}

//===----------------------------------------------------------------------===//
// Config keys
//===----------------------------------------------------------------------===//

/// The operator of `(keys ...)`, a list in the order of a config line. An entry
/// is a Key or the name of an attribute.
def keys;

/// A key that sets an attribute. nnet3-tblgen derives the key's name, kind,
/// range and flags from the attribute; the arguments override them. `otherFlags`
/// adds KeyFlags, and `limits` is a KeyRange (ComponentTable.h).
class Key<string attr, string limits = "", string otherFlags = "",
          string name = "", string keyKind = ""> {
  string attribute = attr;
  string range = limits;
  string flags = otherFlags;
  string key = name;
  string kind = keyKind;
  string fileDims = "";
  string otherwise = "";
}

/// A number of the initialization, by default `value`. Expressions of tensors
/// refer to it by the key's name, with `_` for `-`.
class InitKey<string name, string limits, string value>
    : Key<name, limits, "Init | NotWithFile", "", "Float"> {
  let otherwise = value;
}

/// A key that names a parameter file; `dims` is one of FileDims.
class FileKey<string name, string dims> : Key<name, "", "Init", "", "File"> {
  let fileDims = dims;
}

//===----------------------------------------------------------------------===//
// Tokens of model files
//===----------------------------------------------------------------------===//

/// The operator of `(tokens ...)`, a list in the order of the file. An entry is
/// a Token or the name of an attribute.
def tokens;

/// A token and its value (TokenField in ComponentFormat.h). nnet3-tblgen derives
/// the token's name and the kind of the value from the attribute; the arguments
/// override them.
class Token<string attr, string token = "", string tokenKind = "",
            string secondAttr = "",
            // Older files lack the token; the attribute stays unset then, or
            // has the value `absent`.
            bit mayBeAbsent = 0, string absent = "",
            // The token is written unless the attribute has the value
            // `unless`, its default; with `ifSet`, if the op has it.
            string unless = "", bit ifSet = 0,
            // The token is in old files only; with `instead`, instead of the
            // previous field.
            bit legacy = 0, bit instead = 0,
            // The token can only follow the previous field.
            bit nested = 0,
            // The meaning of an empty tensor, an EmptyTensor.
            string empty = "Refused"> {
  string attribute = attr;
  string name = token;
  string kind = tokenKind;
  string second = secondAttr;
  string absentValue = !if(!empty(unless), absent, unless);
  bit mayLack = !or(mayBeAbsent, !not(!empty(absentValue)), ifSet, legacy);
  string when = !cond(!or(legacy, instead): "Never", ifSet: "IfSet",
                      !not(!empty(unless)): "IfNotDefault", 1: "Always");
  string relation = !cond(nested: "WithPrevious", instead: "InsteadOfPrevious",
                          1: "None");
  string emptyTensor = empty;
}

/// A token of old files whose value is dropped.
class Legacy<string token, string kind, bit follows = 0>
    : Token<"", token, kind, legacy = 1, nested = follows>;

//===----------------------------------------------------------------------===//
// Tensors and limits
//===----------------------------------------------------------------------===//

/// A tensor attribute, its shape, and the mean and standard deviation of its
/// initial values (empty: it has no initial values).
class Nnet3_TensorFact<string attr, list<string> sizes, string initialMean,
                       string initialStddev, bit needed> {
  string attribute = attr;
  list<string> shape = sizes;
  string mean = initialMean;
  string stddev = initialStddev;
  bit isParameter = needed;
  /// The component has the tensor only if this holds.
  string condition = "";
  /// The initial values of a vector.
  string values = "";
}
/// A tensor that the forward pass needs.
class Parameter<string attr, list<string> shape, string mean = "",
                string stddev = "", string onlyIf = "">
    : Nnet3_TensorFact<attr, shape, mean, stddev, 1> {
  let condition = onlyIf;
}
class Statistic<string attr, list<string> shape, string initialValues = "">
    : Nnet3_TensorFact<attr, shape, "", "", 0> {
  let values = initialValues;
}
/// A statistic with initial value zero.
class ZeroStatistic<string attr, list<string> shape>
    : Nnet3_TensorFact<attr, shape, "0", "0", 0>;

/// A condition on attributes, checked by the component's verifier.
class Nnet3_Limit;
/// The attribute and its config key are within the KeyRange `limits`
/// (ComponentTable.h).
class InRange<string attr, string limits> : Nnet3_Limit {
  string attribute = attr;
  string range = limits;
}
/// `divisor` divides `dim`.
class Divides<string divisorAttr, string dimAttr> : Nnet3_Limit {
  string divisor = divisorAttr;
  string dim = dimAttr;
}

/// The fields of a component's record.
class Nnet3_ComponentFacts {
  /// Numbers of columns, by default the attributes `input_dim` and `output_dim`,
  /// or `dim`. An op without these attributes defines the methods in C++.
  string inputDim = "";
  string outputDim = "";
  /// An expression of ComponentProperties. If it is empty, the op defines the
  /// method in C++.
  string properties = "";
  list<Nnet3_TensorFact> tensors = [];
  /// The limits, in the order in which they are checked.
  list<Nnet3_Limit> limits = [];
  /// Interface methods that the op defines in C++. Such a verifier calls
  /// verifyLimits.
  list<string> ownMethods = [];
  /// Columns of one block of the output, for components that multiply each
  /// block of the input, or all of it, by their weights and add a bias.
  string affineDim = "";
  /// A call of the method of PrecomputedVerifier that checks the result of
  /// `precomputeIndexes`; empty if there is none.
  string precomputed = "";
  /// The rows that natural gradient preconditions, a Preconditioning.
  string preconditioning = "None";

  dag configKeys = (keys);
  dag commonKeys = (keys);
  /// A KeyGroup, if several keys are interpreted together.
  string keyGroup = "None";

  dag commonTokens = (tokens);
  dag fileTokens = (tokens);
  /// Whether files of this updatable component may lack the learning rate.
  bit mayLackRate = 0;
  /// A function of ComponentFormat.cpp that sets the attributes that follow
  /// neither from tokens nor from shapes.
  string completeFormat = "";
  /// Whether old files have closing tokens of other types.
  bit anyClosingToken = 0;
}

#endif // NNET3_DIALECT_NNET3_IR_COMPONENTS_COMPONENTFACTS_TD
