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
  /// A KeyRange for an integer or a real number.
  StringRef range;
  /// Whether the verifier of components checks the range, and not ODS.
  bool isRangeOurs;
  /// The value of an absent attribute as an expression; empty if there is none.
  StringRef absent;
  /// The attribute whose value this one takes if it is absent.
  StringRef fullDim;

  bool isRequired() const { return !isOptional && defaultValue.empty(); }
};

/// Returns the replacement for a word of an expression; empty to keep the word.
using WordMeaning = llvm::function_ref<std::string(StringRef word)>;

class ComponentRecord {
public:
  explicit ComponentRecord(const Record &def);

  const Record &getRecord() const { return def; }
  /// These return Kaldi's name without its suffix, the name of the op's class,
  /// Kaldi's full name and the op's name.
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
  /// Returns an attribute; null if there is none.
  const AttributeFact *find(StringRef name) const;
  /// Return the numbers of columns as expressions; empty if the op defines the
  /// methods itself.
  StringRef getInputDim() const { return getDim("inputDim", "input_dim"); }
  StringRef getOutputDim() const { return getDim("outputDim", "output_dim"); }

  /// Rewrites an expression to use the op's accessors, called on `prefix`: ""
  /// inside the op, "op." elsewhere.
  std::string inTermsOfOp(StringRef expression, StringRef prefix) const;

private:
  StringRef getDim(StringRef field, StringRef attribute) const;
  AttributeFact &require(const Record *fact, StringRef field, StringRef kind);

  const Record &def;
  std::string className;
  std::vector<AttributeFact> attributes;
};

/// Returns all components, sorted by name.
std::vector<ComponentRecord> getComponents(const llvm::RecordKeeper &records);

/// Replaces the words of `expression`.
std::string replaceWords(StringRef expression, WordMeaning meaning);

/// Rewrites an `expression` of enumerators and attributes; `enumeration`
/// qualifies the enumerators.
std::string inTermsOfEnum(StringRef expression, StringRef enumeration);

/// Returns `"text"`.
std::string quote(const llvm::Twine &text);

/// Reports a fatal error at `def`.
[[noreturn]] void fail(const Record &def, const llvm::Twine &message);

} // namespace nnet3_tblgen

#endif // TOOLS_NNET3_TBLGEN_COMPONENTRECORD_H
