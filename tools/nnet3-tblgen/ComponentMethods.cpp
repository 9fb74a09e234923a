//===- ComponentMethods.cpp - Methods of component ops --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the definitions of interface methods that follow from the records, and
// tables of limits that the verifier of all components checks.
//
//===----------------------------------------------------------------------===//

#include "ComponentRecord.h"

#include "mlir/TableGen/GenInfo.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace nnet3_tblgen;
using llvm::dyn_cast;
using llvm::raw_ostream;

//===----------------------------------------------------------------------===//
// Dims, properties, tensors
//===----------------------------------------------------------------------===//

static void writeDim(const ComponentRecord &component, StringRef method,
                     StringRef expression, raw_ostream &os) {
  if (!expression.empty())
    os << "int64_t " << component.getClass() << "::" << method
       << "() {\n  return " << component.inTermsOfOp(expression, "")
       << ";\n}\n";
}

static void writeProperties(const ComponentRecord &component, raw_ostream &os) {
  StringRef properties = component.get("properties");
  if (!properties.empty())
    os << "ComponentProperties " << component.getClass()
       << "::getComponentProperties() {\n  return "
       << component.inTermsOfOp(
              inTermsOfEnum(properties, "ComponentProperties::"), "")
       << ";\n}\n";
}

static void writePrecomputed(const ComponentRecord &component,
                             raw_ostream &os) {
  StringRef call = component.get("precomputed");
  if (!call.empty())
    os << "LogicalResult " << component.getClass()
       << "::verifyPrecomputed(PrecomputedVerifier &precomputed) {\n"
          "  return precomputed."
       << component.inTermsOfOp(call, "") << ";\n}\n";
}

static void writeTensors(const ComponentRecord &component, raw_ostream &os) {
  std::vector<const Record *> tensors = component.getList("tensors");
  if (tensors.empty())
    return;
  os << "SmallVector<TensorSpec> " << component.getClass()
     << "::getTensors() {\n  SmallVector<TensorSpec> tensors;\n";
  for (const Record *tensor : tensors) {
    StringRef condition = tensor->getValueAsString("condition");
    os << "  ";
    if (!condition.empty())
      os << "if (" << component.inTermsOfOp(condition, "") << ")\n    ";
    os << "tensors.push_back({" << quote(tensor->getValueAsString("attribute"))
       << ", {";
    llvm::interleaveComma(
        tensor->getValueAsListOfStrings("shape"), os, [&](StringRef size) {
          os << "int64_t(" << component.inTermsOfOp(size, "") << ")";
        });
    os << "}, " << (tensor->getValueAsBit("isParameter") ? "true" : "false")
       << "});\n";
  }
  os << "  return tensors;\n}\n";
}

//===----------------------------------------------------------------------===//
// Initial parameters
//===----------------------------------------------------------------------===//

/// Returns the key of attribute `name` in the `init` dictionary; null if there
/// is none.
static const Record *findInitKey(const ComponentRecord &component,
                                 StringRef name) {
  for (const llvm::Init *init :
       component.getRecord().getValueAsDag("configKeys")->getArgs())
    if (const auto *key = dyn_cast<llvm::DefInit>(init))
      if (key->getDef()->isSubClassOf("InitKey") &&
          key->getDef()->getValueAsString("attribute") == name)
        return key->getDef();
  return nullptr;
}

static std::string inTermsOfInit(const ComponentRecord &component,
                                 StringRef expression) {
  std::string text = replaceWords(expression, [&](StringRef word) {
    const Record *key = findInitKey(component, word);
    if (!key)
      return std::string();
    return "getInitNumber(getInitAttr(), " + quote(word) + ", " +
           key->getValueAsString("otherwise").str() + ")";
  });
  return component.inTermsOfOp(text, "");
}

/// Returns the key that names a parameter file; empty if there is none.
static StringRef getFileKey(const ComponentRecord &component) {
  for (const llvm::Init *init :
       component.getRecord().getValueAsDag("configKeys")->getArgs())
    if (const auto *key = dyn_cast<llvm::DefInit>(init))
      if (key->getDef()->isSubClassOf("FileKey"))
        return key->getDef()->getValueAsString("attribute");
  return "";
}

static void writeInitializer(const ComponentRecord &component,
                             raw_ostream &os) {
  std::string rows;
  bool isDrawn = false;
  for (const Record *tensor : component.getList("tensors")) {
    StringRef mean = tensor->getValueAsString("mean");
    StringRef values = tensor->getValueAsString("values");
    isDrawn |= !mean.empty();
    if (mean.empty() && values.empty())
      continue;
    StringRef stddev = tensor->getValueAsString("stddev");
    rows += "          {" + quote(tensor->getValueAsString("attribute")) +
            ", double(" + inTermsOfInit(component, mean) + "), double(" +
            inTermsOfInit(component, stddev) + "), {" +
            inTermsOfInit(component, values) + "}},\n";
  }
  if (isDrawn)
    os << "LogicalResult " << component.getClass()
       << "::initializeParameters(ParameterInitializer &initializer) {\n"
       << "  return initializeTensors(*this, " << quote(getFileKey(component))
       << ", {\n"
       << rows << "      }, initializer);\n}\n";
}

//===----------------------------------------------------------------------===//
// Limits
//===----------------------------------------------------------------------===//

static void writeVerifier(const ComponentRecord &component, raw_ostream &os) {
  bool isOwn = llvm::is_contained(
      component.getRecord().getValueAsListOfStrings("ownMethods"),
      "verifyConfiguration");
  if (!component.getList("limits").empty() && !isOwn)
    os << "LogicalResult " << component.getClass()
       << "::verifyConfiguration() { return verifyLimits(*this); }\n";
}

static bool writeLimits(const llvm::RecordKeeper &records, raw_ostream &os) {
  os << "static constexpr Limit kLimits[] = {\n";
  for (const ComponentRecord &component : getComponents(records))
    for (const Record *limit : component.getList("limits")) {
      bool isRange = limit->isSubClassOf("InRange");
      StringRef attribute =
          limit->getValueAsString(isRange ? "attribute" : "divisor");
      os << "    {" << quote(component.getOperation()) << ", "
         << quote(attribute) << ", ";
      if (isRange)
        os << "\"\", RealRange::" << limit->getValueAsString("range");
      else
        os << quote(limit->getValueAsString("dim")) << ", RealRange::Any";
      os << "},\n";
    }
  os << "};\n";
  return false;
}

//===----------------------------------------------------------------------===//
// Natural gradient
//===----------------------------------------------------------------------===//

static void writeCase(const ComponentRecord &component, StringRef result,
                      raw_ostream &os) {
  os << ".Case([](" << component.getClass() << " op) { return "
     << component.inTermsOfOp(result, "op.") << "; })\n";
}

static bool writePreconditioning(const llvm::RecordKeeper &records,
                                 raw_ostream &os) {
  const std::vector<ComponentRecord> components = getComponents(records);
  os << "#ifdef GET_PRECONDITIONING\n";
  for (const ComponentRecord &component : components)
    if (StringRef kind = component.get("preconditioning"); kind != "None")
      writeCase(component, inTermsOfEnum(kind, "Preconditioning::"), os);
  os << "#endif\n#ifdef GET_PRECONDITIONING_RANKS\n";
  for (const ComponentRecord &component : components)
    if (component.find("rank_in") && component.find("rank_out"))
      writeCase(component, "PreconditioningRanks{rank_in, rank_out}", os);
  os << "#endif\n";
  return false;
}

static bool writeMethods(const llvm::RecordKeeper &records, raw_ostream &os) {
  for (const ComponentRecord &component : getComponents(records)) {
    writeDim(component, "getComponentInputDim", component.getInputDim(), os);
    writeDim(component, "getComponentOutputDim", component.getOutputDim(), os);
    writeDim(component, "getAffineDim", component.get("affineDim"), os);
    writeProperties(component, os);
    writePrecomputed(component, os);
    writeTensors(component, os);
    writeInitializer(component, os);
    writeVerifier(component, os);
  }
  return false;
}

static mlir::GenRegistration methods("gen-component-methods",
                                     "Generate methods of component ops",
                                     writeMethods);
static mlir::GenRegistration
    limits("gen-component-limits",
           "Generate the tables of limits of components' attributes",
           writeLimits);
static mlir::GenRegistration
    preconditioning("gen-preconditioning",
                    "Generate the cases of components with natural gradient",
                    writePreconditioning);
