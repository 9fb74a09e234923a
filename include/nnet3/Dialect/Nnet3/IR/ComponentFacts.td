//===- ComponentFacts.td - Facts about component types -----*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the record of a component says beyond MLIR's ODS: its config keys, the
// tokens of model files, dims, properties, tensors, and how values of
// attributes are limited. nnet3-tblgen writes tables and code from it.
//
// Expressions are C++ in which the names of attributes stand for their values:
// of integers, as int64_t, of an attribute that is not there, its meaning.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_DIALECT_NNET3_IR_COMPONENTFACTS_TD
#define NNET3_DIALECT_NNET3_IR_COMPONENTFACTS_TD

include "mlir/IR/OpBase.td"

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

/// Kaldi's sizes are 32-bit; ours then never overflow in sums and products.
def Nnet3_MaxInt32 : IntMaxValue<2147483647>;
def Nnet3_PositiveI64 : ConfinedAttr<I64Attr, [IntPositive, Nnet3_MaxInt32]>;
def Nnet3_NonNegativeI64
    : ConfinedAttr<I64Attr, [IntNonNegative, Nnet3_MaxInt32]>;

/// An attribute that is worth the expression `meaning` where it is not there.
class Nnet3_Or<Attr attr, string meaning> : OptionalAttr<attr> {
  string absent = meaning;
}

/// A dim that is that of attribute `whole` where it is not there. Readers leave
/// it out where it is the same.
class Nnet3_DimOr<string whole> : Nnet3_Or<Nnet3_PositiveI64, whole> {
  string fullDim = whole;
}

//===----------------------------------------------------------------------===//
// Config keys
//===----------------------------------------------------------------------===//

/// Of `(keys ...)`: keys in the order in which they are written, each a Key or
/// the name of an attribute.
def keys;

/// A key that sets an attribute. Its name, kind, range and flags are those of
/// the attribute, unless they are given; `flags` are further KeyFlags, and
/// `limits` is a KeyRange (ComponentTable.h).
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

/// A number that only matters for drawing parameters. In the expressions of
/// tensors the key's name, with `_` for `-`, stands for its value, which is
/// `value` where it is not given.
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

/// Of `(tokens ...)`: tokens in the order of the file, each a Token or the name
/// of an attribute.
def tokens;

/// A token and what follows it, as described by TokenField in ComponentFormat.h.
/// The token is named after the attribute, and what follows is what the
/// attribute is, unless they are given.
class Token<string attr, string token = "", string tokenKind = "",
            string secondAttr = "",
            // Older files lack the token; the attribute stays unset then, or
            // has the value `absent`.
            bit mayBeAbsent = 0, string absent = "",
            // Written if the attribute has another value, which is what
            // absence means, or if the op has it.
            string unless = "", bit ifSet = 0,
            // Only in old files; instead of the field before, if `instead`.
            bit legacy = 0, bit instead = 0,
            // Only there if the field before was.
            bit nested = 0,
            // What an empty tensor means, one of EmptyTensor.
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

/// What old files have, and nothing reads.
class Legacy<string token, string kind, bit follows = 0>
    : Token<"", token, kind, legacy = 1, nested = follows>;

//===----------------------------------------------------------------------===//
// Tensors and limits
//===----------------------------------------------------------------------===//

/// A tensor attribute, its shape, and the mean and standard deviation of its
/// initial values; empty where it has none.
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
/// A statistic that begins with zeros.
class ZeroStatistic<string attr, list<string> shape>
    : Nnet3_TensorFact<attr, shape, "0", "0", 0>;

/// What the verifier checks of attributes.
class Nnet3_Limit;
/// A number is within a KeyRange of ComponentTable.h, as is that of its config
/// key.
class InRange<string attr, string limits> : Nnet3_Limit {
  string attribute = attr;
  string range = limits;
}
/// `divisor` divides `dim`.
class Divides<string divisorAttr, string dimAttr> : Nnet3_Limit {
  string divisor = divisorAttr;
  string dim = dimAttr;
}

/// What a component's record says.
class Nnet3_ComponentFacts {
  /// Number of columns; unless given, attributes `input_dim` and `output_dim`,
  /// or `dim`. The op has methods of its own where there are none.
  string inputDim = "";
  string outputDim = "";
  /// An expression of ComponentProperties; the op has a method of its own where
  /// it is empty.
  string properties = "";
  list<Nnet3_TensorFact> tensors = [];
  /// In the order in which they are checked.
  list<Nnet3_Limit> limits = [];
  /// Methods of the interface that the op defines itself. A verifier of its own
  /// has to call verifyLimits.
  list<string> ownMethods = [];
  /// What natural gradient works on; an expression of Preconditioning.
  string preconditioning = "None";

  dag configKeys = (keys);
  dag commonKeys = (keys);
  /// What keys stand for together; one of KeyGroup.
  string keyGroup = "None";

  dag commonTokens = (tokens);
  dag fileTokens = (tokens);
  /// Files of updatable components may lack the learning rate.
  bit mayLackRate = 0;
  /// A function of ComponentFormat.cpp that sets the attributes that neither
  /// tokens nor shapes give.
  string completeFormat = "";
  /// Old files have closing tokens of other types.
  bit anyClosingToken = 0;
}

#endif // NNET3_DIALECT_NNET3_IR_COMPONENTFACTS_TD
