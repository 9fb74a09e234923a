//===- ComponentRecord.cpp - Records of components ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ComponentRecord.h"

#include "mlir/TableGen/Operator.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/TableGen/Error.h"

using namespace nnet3_tblgen;

void nnet3_tblgen::fail(const Record &def, const llvm::Twine &message) {
  llvm::PrintFatalError(&def, message);
}

std::string nnet3_tblgen::quote(const llvm::Twine &text) {
  return ("\"" + text + "\"").str();
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

/// Returns a field that only some attributes have; empty if it is missing.
static StringRef findField(const Record *def, StringRef field) {
  return def->getValue(field) ? def->getValueAsString(field) : "";
}

static StringRef getIntRange(const Record *def) {
  for (; def; def = def->getValueAsOptionalDef("baseAttr")) {
    if (!def->getValue("attrConstraints"))
      continue;
    for (const Record *constraint :
         def->getValueAsListOfDefs("attrConstraints"))
      if (constraint->getName() == "IntPositive")
        return "Positive";
      else if (constraint->getName() == "IntNonNegative")
        return "NonNegative";
  }
  return "Any";
}

static AttributeKind getKind(const mlir::tblgen::Attribute &attribute) {
  using K = AttributeKind;
  mlir::tblgen::Attribute base = attribute.getBaseAttr();
  if (base.getStorageType() == "::mlir::StringAttr")
    return K::Word;
  return llvm::StringSwitch<K>(base.getAttrDefName())
      .Case("I64Attr", K::Int)
      .Case("F32Attr", K::Float)
      .Case("F64Attr", K::Double)
      .Case("BoolAttr", K::Bool)
      .Case("DenseI64ArrayAttr", K::IntList)
      .Case("DenseF64ArrayAttr", K::DoubleList)
      .Case("Nnet3_Tensor", K::Tensor)
      .Default(K::Other);
}

ComponentRecord::ComponentRecord(const Record &def) : def(def) {
  mlir::tblgen::Operator op(def);
  className = op.getCppClassName().str();
  for (const mlir::tblgen::NamedAttribute &named : op.getAttributes()) {
    const Record *record = &named.attr.getDef();
    AttributeKind kind = getKind(named.attr);
    attributes.push_back(
        {named.name, kind, named.attr.isOptional(),
         named.attr.hasDefaultValue() ? named.attr.getDefaultValue() : "",
         getIntRange(record), /*isRangeOurs=*/false,
         findField(record, "absent"), findField(record, "fullDim")});
  }
  for (const Record *tensor : getList("tensors"))
    require(tensor, "attribute", "tensor");
  for (const Record *limit : getList("limits")) {
    if (limit->isSubClassOf("Divides")) {
      require(limit, "divisor", "limit");
      require(limit, "dim", "limit");
      continue;
    }
    AttributeFact &attribute = require(limit, "attribute", "limit");
    attribute.range = limit->getValueAsString("range");
    attribute.isRangeOurs = true;
  }
}

/// Returns the attribute that `field` of a fact names; fails if there is none.
AttributeFact &ComponentRecord::require(const Record *fact, StringRef field,
                                        StringRef kind) {
  StringRef name = fact->getValueAsString(field);
  for (AttributeFact &attribute : attributes)
    if (attribute.name == name)
      return attribute;
  fail(def, "has no attribute '" + name + "' for a " + kind);
}

const AttributeFact *ComponentRecord::find(StringRef name) const {
  for (const AttributeFact &attribute : attributes)
    if (attribute.name == name)
      return &attribute;
  return nullptr;
}

StringRef ComponentRecord::getDim(StringRef field, StringRef attribute) const {
  if (StringRef given = get(field); !given.empty())
    return given;
  for (StringRef name : {attribute, StringRef("dim")})
    if (find(name))
      return name;
  return "";
}

std::vector<ComponentRecord>
nnet3_tblgen::getComponents(const llvm::RecordKeeper &records) {
  std::vector<ComponentRecord> components;
  for (const Record *def :
       records.getAllDerivedDefinitions("Nnet3_ComponentOp"))
    components.emplace_back(*def);
  return components;
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

std::string nnet3_tblgen::replaceWords(StringRef expression,
                                       WordMeaning meaning) {
  auto isWord = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  std::string text;
  while (!expression.empty()) {
    StringRef word = expression.take_while(isWord);
    StringRef other =
        expression.drop_front(word.size()).take_while([&](char c) {
          return !isWord(c);
        });
    // Members, qualified names and numbers are plain C++.
    bool isPart = StringRef(text).ends_with(".") ||
                  StringRef(text).ends_with("::") ||
                  StringRef(text).ends_with("\"");
    std::string replacement =
        word.empty() || isPart || llvm::isDigit(word.front()) ? ""
                                                              : meaning(word);
    text += replacement.empty() ? word.str() : replacement;
    text += other;
    expression = expression.drop_front(word.size() + other.size());
  }
  return text;
}

std::string nnet3_tblgen::inTermsOfEnum(StringRef expression,
                                        StringRef enumeration) {
  return replaceWords(expression, [&](StringRef word) {
    return llvm::isUpper(word.front()) ? (enumeration + word).str() : "";
  });
}

std::string ComponentRecord::inTermsOfOp(StringRef expression,
                                         StringRef prefix) const {
  return replaceWords(expression, [&](StringRef word) -> std::string {
    const AttributeFact *attribute = find(word);
    if (!attribute)
      return "";
    std::string getter =
        (prefix + "get" + llvm::convertToCamelFromSnakeCase(word, true) + "()")
            .str();
    if (attribute->kind == AttributeKind::Int)
      return "int64_t(" + getter +
             (attribute->absent.empty()
                  ? ""
                  : ".value_or(" + inTermsOfOp(attribute->absent, prefix) +
                        ")") +
             ")";
    return getter;
  });
}
