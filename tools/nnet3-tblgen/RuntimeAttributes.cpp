//===- RuntimeAttributes.cpp - Attribute readers of the runtime -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes runtime/core/ComponentAttributes.inc: for each type of component a
// class that reads its attributes, and the table of the types.
//
//===----------------------------------------------------------------------===//

#include "ComponentRecord.h"

#include "mlir/TableGen/GenInfo.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace nnet3_tblgen;
using llvm::raw_ostream;

static std::string getAccessor(StringRef attribute) {
  return llvm::convertToCamelFromSnakeCase(attribute);
}

/// Rewrites an expression to use the class's accessors.
static std::string inTermsOfAccessors(const ComponentRecord &component,
                                      StringRef expression) {
  return replaceWords(expression, [&](StringRef word) -> std::string {
    const AttributeFact *attribute = component.find(word);
    if (!attribute)
      return "";
    std::string call = getAccessor(word) + "()";
    return attribute->kind == AttributeKind::Int ? "int64_t(" + call + ")"
                                                 : call;
  });
}

static std::string getProperties(const ComponentRecord &component) {
  std::string text =
      replaceWords(component.get("properties"), [](StringRef word) {
        if (!llvm::isUpper(word.front()))
          return std::string();
        if (word == "None")
          return std::string("0u");
        bool isLong =
            word == "Simple" || word == "Updatable" || word == "Random";
        return ("uint32_t(k" + word + (isLong ? "Component)" : ")")).str();
      });
  return inTermsOfAccessors(component, text);
}

//===----------------------------------------------------------------------===//
// Accessors
//===----------------------------------------------------------------------===//

/// Returns the expression of an integer's accessor.
static std::string readInt(const ComponentRecord &component,
                           const AttributeFact &attribute) {
  std::string arguments = quote(attribute.name);
  // Counts may exceed 32 bits, so they are read as real numbers.
  if (attribute.range == "Any")
    return "reader.real(" + arguments + ", " + attribute.defaultValue.str() +
           ")";
  bool isPositive = attribute.range == "Positive";
  std::string call = isPositive ? "reader.dim(" + arguments
                                : "reader.integer(" + arguments + ", 0";
  if (!attribute.absent.empty())
    call += ", static_cast<int32_t>(" +
            inTermsOfAccessors(component, attribute.absent) + ")";
  else if (!attribute.defaultValue.empty())
    call += ", " + attribute.defaultValue.str();
  return call + ")";
}

static std::string readNumber(const ComponentRecord &component,
                              const AttributeFact &attribute) {
  std::string otherwise = attribute.defaultValue.str();
  if (!attribute.absent.empty())
    otherwise = inTermsOfAccessors(component, attribute.absent);
  else if (otherwise.empty())
    otherwise = "0";
  if (attribute.kind == AttributeKind::Double)
    return "reader.real(" + quote(attribute.name) + ", " + otherwise + ")";
  if (!attribute.absent.empty())
    otherwise = "static_cast<float>(" + otherwise + ")";
  return "reader.number(" + quote(attribute.name) + ", " + otherwise +
         (attribute.isRangeOurs ? ", NumberRange::" + attribute.range.str()
                                : "") +
         ")";
}

static std::string readTensor(const ComponentRecord &component,
                              const AttributeFact &attribute) {
  for (const Record *tensor : component.getList("tensors")) {
    if (tensor->getValueAsString("attribute") != attribute.name)
      continue;
    std::string call = "reader.tensor(" + quote(attribute.name) + ", {";
    for (StringRef size : tensor->getValueAsListOfStrings("shape"))
      call += (call.back() == '{' ? "" : ", ") +
              inTermsOfAccessors(component, size);
    call += "})";
    StringRef condition = tensor->getValueAsString("condition");
    if (tensor->getValueAsBit("isParameter") && condition.empty())
      return call;
    return (condition.empty() ? "reader.has(" + quote(attribute.name) + ")"
                              : inTermsOfAccessors(component, condition)) +
           " ? " + call + " : nullptr";
  }
  return "";
}

static void writeAccessor(const ComponentRecord &component,
                          const AttributeFact &attribute, raw_ostream &os) {
  StringRef type;
  std::string value;
  switch (attribute.kind) {
  case AttributeKind::Int:
    type = attribute.range == "Any" ? "double " : "int32_t ";
    value = readInt(component, attribute);
    break;
  case AttributeKind::Float:
  case AttributeKind::Double:
    // An optional attribute without a default has no accessor.
    if (attribute.isOptional && attribute.absent.empty())
      return;
    type = attribute.kind == AttributeKind::Float ? "float " : "double ";
    value = readNumber(component, attribute);
    break;
  case AttributeKind::Bool:
    type = "bool ";
    value = "reader.flag(" + quote(attribute.name) + ", " +
            attribute.defaultValue.str() + ")";
    break;
  case AttributeKind::IntList:
    type = "IntList ";
    if (!attribute.isOptional)
      value = "reader.ints(" + quote(attribute.name) + ")";
    break;
  case AttributeKind::Tensor:
    type = "const float *";
    value = readTensor(component, attribute);
    break;
  default:
    break;
  }
  if (!value.empty())
    os << "  " << type << getAccessor(attribute.name) << "() const { return "
       << value << "; }\n";
}

//===----------------------------------------------------------------------===//
// Classes
//===----------------------------------------------------------------------===//

static void writeDims(const ComponentRecord &component, raw_ostream &os) {
  StringRef in = component.getInputDim(), out = component.getOutputDim();
  // Kernels check lists, and products that could overflow, themselves.
  bool isPlain = !in.empty() && !in.contains('.') && !out.contains('.') &&
                 !in.contains("multiply") && !out.contains("multiply");
  if (isPlain)
    os << "  int64_t componentInputDim() const { return "
       << inTermsOfAccessors(component, in)
       << "; }\n  int64_t componentOutputDim() const { return "
       << inTermsOfAccessors(component, out) << "; }\n";
  os << "  void check() const {\n";
  for (const Record *row : component.getList("limits")) {
    if (!row->isSubClassOf("Divides"))
      continue;
    StringRef divisor = row->getValueAsString("divisor");
    StringRef dim = row->getValueAsString("dim");
    os << "    checkDivides(" << quote(divisor) << ", " << getAccessor(divisor)
       << "(), " << quote(dim) << ", " << getAccessor(dim) << "());\n";
  }
  if (isPlain)
    os << "    checkDims(componentInputDim(), componentOutputDim());\n";
  os << "  }\n";
}

/// Returns true if all updatable components have the attribute, which
/// UpdateOptions contains.
static bool isCommon(const ComponentRecord &component, StringRef attribute) {
  const llvm::DagInit *tokens =
      component.getRecord().getValueAsDag("commonTokens");
  return llvm::any_of(tokens->getArgs(), [&](const llvm::Init *init) {
    const Record *token = llvm::cast<llvm::DefInit>(init)->getDef();
    return token->getValueAsString("attribute") == attribute;
  });
}

static void writeClass(const ComponentRecord &component, raw_ostream &os) {
  os << "\n/// Of " << component.getKaldiType() << ".\nstruct "
     << component.getName()
     << "Attributes : ComponentAttributes {\n"
        "  using ComponentAttributes::ComponentAttributes;\n\n";
  for (const AttributeFact &attribute : component.getAttributes())
    if (!isCommon(component, attribute.name))
      writeAccessor(component, attribute, os);
  if (std::string properties = getProperties(component); !properties.empty())
    os << "  uint32_t properties() const {\n    return " << properties
       << ";\n  }\n";
  writeDims(component, os);
  os << "};\n";
}

static bool writeRuntimeAttributes(const llvm::RecordKeeper &records,
                                   raw_ostream &os) {
  os << "// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n"
        "// Made by scripts/generate-docs.py from the .td files.\n\n"
        "#ifdef GET_COMPONENT_ATTRIBUTES\n";
  std::vector<ComponentRecord> components = getComponents(records);
  for (const ComponentRecord &component : components)
    writeClass(component, os);
  os << "\n";
  for (const ComponentRecord &component : components)
    os << "std::unique_ptr<Component>\ncreate(const " << component.getName()
       << "Attributes &attributes);\n";
  os << "#endif // GET_COMPONENT_ATTRIBUTES\n\n"
        "#ifdef GET_COMPONENT_FACTORIES\n";
  for (const ComponentRecord &component : components)
    os << "{" << quote(component.getKaldiType()) << ", createFrom<"
       << component.getName() << "Attributes>},\n";
  os << "#endif // GET_COMPONENT_FACTORIES\n";
  return false;
}

static mlir::GenRegistration
    registration("gen-runtime-attributes",
                 "Generate the attribute readers of the runtime",
                 writeRuntimeAttributes);
