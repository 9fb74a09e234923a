//===- ModelTokens.cpp - Tables of model tokens ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes tables of the types in ComponentFormat.h.
//
//===----------------------------------------------------------------------===//

#include "ComponentRecord.h"

#include "mlir/TableGen/GenInfo.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <set>

using namespace nnet3_tblgen;
using llvm::cast;
using llvm::dyn_cast;
using llvm::raw_ostream;

namespace {
/// Writes the table of one component.
class TokenTable {
public:
  TokenTable(const ComponentRecord &component, raw_ostream &os)
      : component(component), os(os) {}

  std::string write();

private:
  void writeUnset();
  void addToken(const llvm::Init *init);
  void addField(const Record *token, StringRef name);
  std::string getTokenKind(const AttributeFact &attribute) const;
  std::string getShapeDim(const AttributeFact &attribute) const;
  std::string writeTable(StringRef type, StringRef suffix,
                         const std::string &rows);

  const ComponentRecord &component;
  raw_ostream &os;
  /// Attributes that have a token.
  std::set<std::string> read;
  std::string fields;
  bool usesUnset = false;
};
} // namespace

std::string TokenTable::getTokenKind(const AttributeFact &attribute) const {
  switch (attribute.kind) {
  case AttributeKind::Int:
    return "Int";
  case AttributeKind::Float:
    return "Float";
  case AttributeKind::Double:
    return "Double";
  case AttributeKind::Bool:
    return "Bool";
  case AttributeKind::IntList:
    return "IntVector";
  case AttributeKind::DoubleList:
    return "DoubleVector";
  case AttributeKind::Tensor:
    for (const Record *tensor : component.getList("tensors"))
      if (tensor->getValueAsString("attribute") == attribute.name)
        return tensor->getValueAsListOfStrings("shape").size() == 1 ? "Vector"
                                                                    : "Matrix";
    [[fallthrough]];
  default:
    fail(component.getRecord(),
         "no kind of token is known for attribute '" + attribute.name + "'");
  }
}

void TokenTable::addToken(const llvm::Init *init) {
  if (const auto *name = dyn_cast<llvm::StringInit>(init))
    return addField(nullptr, name->getValue());
  const Record *def = cast<llvm::DefInit>(init)->getDef();
  if (!def->isSubClassOf("Token"))
    fail(component.getRecord(), "expects a Token or the name of an attribute");
  addField(def, def->getValueAsString("attribute"));
}

/// Adds a field; `token` is null if only the attribute's name is given.
void TokenTable::addField(const Record *token, StringRef name) {
  auto get = [&](StringRef field, const llvm::Twine &otherwise) {
    StringRef text = token ? token->getValueAsString(field) : "";
    return text.empty() ? otherwise.str() : text.str();
  };
  std::string kind = get("kind", ""), second = get("second", "");
  const AttributeFact *attribute = component.find(name);
  if (!attribute && !name.empty())
    fail(component.getRecord(), "has no attribute '" + name + "' for a token");
  if (kind.empty())
    kind = getTokenKind(*attribute);
  read.insert({name.str(), second});
  bool mayLack = token && token->getValueAsBit("mayLack");
  bool hasMeaning = attribute && !attribute->absent.empty();
  usesUnset |= hasMeaning;
  std::string camel = llvm::convertToCamelFromSnakeCase(name, true);
  llvm::raw_string_ostream row(fields);
  row << "    {" << quote(get("name", "<" + camel + ">"))
      << ", TokenKind::" << kind << ", " << quote(name) << ", " << quote(second)
      << ", TokenWhen::" << get("when", "Always") << ", "
      << (mayLack ? "true" : "false")
      << ", TokenRelation::" << get("relation", "None") << ", "
      << get("absentValue", "std::nullopt")
      << ", EmptyTensor::" << get("emptyTensor", "Refused") << ", "
      << (hasMeaning ? "get" + component.getName().str() + "Unset" : "nullptr")
      << "},\n";
}

/// Writes the function that returns the values of absent attributes.
void TokenTable::writeUnset() {
  std::string cases;
  for (const AttributeFact &attribute : component.getAttributes()) {
    if (attribute.absent.empty())
      continue;
    StringRef build = attribute.kind == AttributeKind::Int ? "getI64IntegerAttr"
                      : attribute.kind == AttributeKind::Float
                          ? "getF32FloatAttr"
                          : "getDenseI64ArrayAttr";
    cases += "  if (attribute == " + quote(attribute.name) +
             ")\n    return builder." + build.str() + "(" +
             component.inTermsOfOp(attribute.absent, "op.") + ");\n";
  }
  os << "static Attribute get" << component.getName()
     << "Unset(Operation *operation, StringRef attribute) {\n"
     << "  auto op = cast<" << component.getClass() << ">(operation);\n"
     << "  Builder builder(op.getContext());\n"
     << cases << "  return {};\n}\n";
}

/// Returns the tensor dimension, times a factor, that gives a dim without a
/// token; empty if the dim has a token.
std::string TokenTable::getShapeDim(const AttributeFact &attribute) const {
  if (attribute.kind != AttributeKind::Int ||
      read.count(attribute.name.str()) ||
      !(attribute.isRequired() || !attribute.fullDim.empty()))
    return "";
  for (const Record *tensor : component.getList("tensors"))
    for (auto [axis, size] :
         llvm::enumerate(tensor->getValueAsListOfStrings("shape")))
      if (auto [dim, factor] = size.split(" / "); dim == attribute.name)
        return "{" + quote(dim) + ", " +
               quote(tensor->getValueAsString("attribute")) + ", " +
               std::to_string(axis) + ", " + quote(factor) + "}, ";
  return "";
}

/// Writes a table of `rows` named after the component and `suffix`. Returns a
/// reference to it, or an empty list if there are no rows.
std::string TokenTable::writeTable(StringRef type, StringRef suffix,
                                   const std::string &rows) {
  if (rows.empty())
    return "{}";
  std::string name = ("k" + component.getName() + suffix).str();
  os << "static constexpr " << type << " " << name << "[] = {" << rows
     << "};\n";
  return name;
}

/// Writes the tables of the component, and returns its row in the table of all
/// components.
std::string TokenTable::write() {
  const Record &def = component.getRecord();
  for (StringRef field : {"commonTokens", "fileTokens"})
    for (const llvm::Init *init : def.getValueAsDag(field)->getArgs())
      addToken(init);
  if (usesUnset)
    writeUnset();
  std::string name = ("k" + component.getName() + "Tokens").str();
  os << "static const TokenField " << name << "[] = {\n" << fields << "};\n";
  std::string shapeDims, fullDims;
  for (const AttributeFact &attribute : component.getAttributes()) {
    shapeDims += getShapeDim(attribute);
    if (!attribute.fullDim.empty())
      fullDims +=
          "{" + quote(attribute.name) + ", " + quote(attribute.fullDim) + "}, ";
  }
  StringRef complete = component.get("completeFormat");
  return "    {" + quote(component.getKaldiType()) + ", " +
         quote(component.getOperation()) + ", " + name + ", " +
         writeTable("ShapeDim", "ShapeDims", shapeDims) + ", " +
         writeTable("FullDim", "FullDims", fullDims) + ", " +
         (complete.empty() ? "nullptr" : complete).str() + ", " +
         (def.getValueAsBit("anyClosingToken") ? "true" : "false") + "},\n";
}

static bool writeModelTokens(const llvm::RecordKeeper &records,
                             raw_ostream &os) {
  std::string table;
  for (const ComponentRecord &component : getComponents(records))
    table += TokenTable(component, os).write();
  os << "static const ComponentFormat kFormats[] = {\n" << table << "};\n";
  return false;
}

static mlir::GenRegistration registration("gen-model-tokens",
                                          "Generate the tables of model tokens",
                                          writeModelTokens);
