//===- ComponentRecord.h - Records of components ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A view of an ODS record of class Nnet3_ComponentOp, whose fields
// ComponentFacts.td describes.
//
//===----------------------------------------------------------------------===//

#ifndef TOOLS_NNET3_TBLGEN_COMPONENTRECORD_H
#define TOOLS_NNET3_TBLGEN_COMPONENTRECORD_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/TableGen/Record.h"
#include <string>
#include <vector>

namespace nnet3_tblgen {

using llvm::Record;
using llvm::StringRef;

enum class AttributeKind {
  Int,
  Float,
  Double,
  Bool,
  IntList,
  DoubleList,
  Word,
  Tensor,
  Other
};

/// An attribute of a component op.
struct AttributeFact {
  StringRef name;
  AttributeKind kind;
  bool isOptional;
  /// C++ text of the default; empty if there is none.
  StringRef defaultValue;
  /// A KeyRange, of an integer or a number.
  StringRef range;
  /// The range is a limit of ours, not one of ODS.
  bool isRangeOurs;
  /// What absence means, an expression; empty if it means nothing.
  StringRef absent;
  /// The attribute that has the same value where this one is not there.
  StringRef fullDim;

  bool isRequired() const { return !isOptional && defaultValue.empty(); }
};

/// What to write for a word of an expression; empty to leave it as it is.
using WordMeaning = llvm::function_ref<std::string(StringRef word)>;

class ComponentRecord {
public:
  explicit ComponentRecord(const Record &def);

  const Record &getRecord() const { return def; }
  /// Kaldi's name without its suffix, that of the op's class, Kaldi's, and that
  /// of the op.
  StringRef getName() const { return getClass().drop_back(2); }
  StringRef getClass() const { return className; }
  StringRef getKaldiType() const { return get("kaldiType"); }
  std::string getOperation() const { return "nnet3." + get("opName").str(); }
  StringRef get(StringRef field) const {
    return def.getValueAsString(field).trim();
  }
  std::vector<const Record *> getList(StringRef field) const {
    return def.getValueAsListOfDefs(field);
  }
  const std::vector<AttributeFact> &getAttributes() const { return attributes; }
  /// Null if there is no such attribute.
  const AttributeFact *find(StringRef name) const;
  /// Numbers of columns, as expressions; empty if the op has its own methods.
  StringRef getInputDim() const { return getDim("inputDim", "input_dim"); }
  StringRef getOutputDim() const { return getDim("outputDim", "output_dim"); }

  /// An expression in terms of the op's accessors, called on `prefix`: "" for
  /// a member of the op, "op." elsewhere.
  std::string inTermsOfOp(StringRef expression, StringRef prefix) const;

private:
  StringRef getDim(StringRef field, StringRef attribute) const;
  AttributeFact &require(const Record *fact, StringRef field, StringRef kind);

  const Record &def;
  std::string className;
  std::vector<AttributeFact> attributes;
};

/// All components, in the order of their names.
std::vector<ComponentRecord> getComponents(const llvm::RecordKeeper &records);

/// Replaces the words of `expression`.
std::string replaceWords(StringRef expression, WordMeaning meaning);

/// `expression` of enumerators and attributes, the former behind `enumeration`.
std::string inTermsOfEnum(StringRef expression, StringRef enumeration);

/// `"text"`.
std::string quote(const llvm::Twine &text);

/// An error at `def`; does not return.
[[noreturn]] void fail(const Record &def, const llvm::Twine &message);

} // namespace nnet3_tblgen

#endif // TOOLS_NNET3_TBLGEN_COMPONENTRECORD_H
