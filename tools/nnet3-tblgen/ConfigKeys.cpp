//===- ConfigKeys.cpp - Tables of config keys -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes tables of the types in ComponentTable.h.
//
//===----------------------------------------------------------------------===//

#include "ComponentRecord.h"

#include "mlir/TableGen/GenInfo.h"
#include "llvm/Support/raw_ostream.h"

using namespace nnet3_tblgen;
using llvm::cast;
using llvm::DagInit;
using llvm::DefInit;
using llvm::dyn_cast;
using llvm::raw_ostream;
using llvm::StringInit;

namespace {
/// A config key from a record, or from an attribute's name.
struct ConfigKey {
  StringRef attribute, key, kind, range, flags, fileDims;
};
} // namespace

static ConfigKey readKey(const ComponentRecord &component,
                         const llvm::Init *init) {
  if (const auto *name = dyn_cast<StringInit>(init))
    return {name->getValue(), "", "", "", "", ""};
  const Record *def = cast<DefInit>(init)->getDef();
  if (!def->isSubClassOf("Key"))
    fail(component.getRecord(), "expects a Key or the name of an attribute");
  return {
      def->getValueAsString("attribute"), def->getValueAsString("key"),
      def->getValueAsString("kind"),      def->getValueAsString("range"),
      def->getValueAsString("flags"),     def->getValueAsString("fileDims")};
}

static StringRef getKeyKind(const ComponentRecord &component,
                            const AttributeFact &attribute) {
  switch (attribute.kind) {
  case AttributeKind::Int:
    return "Int";
  case AttributeKind::Float:
    return "Float";
  case AttributeKind::Bool:
    return "Bool";
  case AttributeKind::IntList:
    return "IntList";
  case AttributeKind::Word:
    return "Word";
  default:
    fail(component.getRecord(),
         "attribute '" + attribute.name + "' cannot be a config key");
  }
}

static std::string getFlags(const ConfigKey &key,
                            const AttributeFact *attribute) {
  std::string flags = key.flags.str();
  auto add = [&](StringRef flag) {
    flags += (flags.empty() ? "" : " | ") + flag.str();
  };
  if (attribute && attribute->isRequired())
    add("Required");
  if (attribute && !attribute->absent.empty())
    add("NegativeIsDefault");
  return flags.empty() ? "None" : flags;
}

static void writeKey(const ComponentRecord &component, ConfigKey key,
                     raw_ostream &os) {
  bool isInit = key.flags.contains("Init");
  const AttributeFact *attribute =
      isInit ? nullptr : component.find(key.attribute);
  if (!attribute && !isInit)
    fail(component.getRecord(),
         "has no attribute '" + key.attribute + "' for a config key");
  std::string name = key.key.str();
  if (name.empty()) {
    name = key.attribute.str();
    llvm::replace(name, '_', '-');
  }
  if (key.kind.empty())
    key.kind = getKeyKind(component, *attribute);
  if (key.range.empty())
    key.range = attribute ? attribute->range : "Any";
  os << "    {" << quote(name) << ", " << quote(key.attribute)
     << ", KeyKind::" << key.kind << ", " << getFlags(key, attribute)
     << ", KeyRange::" << key.range << "},\n";
}

static bool writeConfigKeys(const llvm::RecordKeeper &records,
                            raw_ostream &os) {
  std::string table;
  for (const ComponentRecord &component : getComponents(records)) {
    StringRef fileDims = "NoFile";
    os << "static constexpr ConfigKey k" << component.getName() << "[] = {\n";
    for (StringRef field : {"configKeys", "commonKeys"})
      for (const llvm::Init *init :
           component.getRecord().getValueAsDag(field)->getArgs()) {
        ConfigKey key = readKey(component, init);
        if (!key.fileDims.empty())
          fileDims = key.fileDims;
        writeKey(component, key, os);
      }
    os << "};\n";
    table += "    {" + quote(component.getKaldiType()) + ", " +
             quote(component.getOperation()) + ", k" +
             component.getName().str() + ", FileDims::" + fileDims.str() +
             ", KeyGroup::" + component.get("keyGroup").str() + "},\n";
  }
  os << "static constexpr ComponentConfig kComponents[] = {\n"
     << table << "};\n";
  return false;
}

static mlir::GenRegistration registration("gen-config-keys",
                                          "Generate the tables of config keys",
                                          writeConfigKeys);
