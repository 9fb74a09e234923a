//===- ProgramKey.cpp - What a compiled program depends on ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Execution/ProgramKey.h"

#include "mlir/IR/AsmState.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"

using namespace mlir;
using namespace mlir::nnet3;

/// The size before each part keeps the concatenation unambiguous.
ProgramKey ProgramKeyParts::getKey() const {
  llvm::BLAKE3 hasher;
  for (const std::string *part : {&tool, &network, &request, &options}) {
    hasher.update(std::to_string(part->size()) + ":");
    hasher.update(*part);
  }
  return hasher.final<sizeof(ProgramKey)>();
}

namespace {
/// Writes the ops of a network without the properties that programs do not
/// depend on.
class NetworkPrinter {
public:
  NetworkPrinter(NetworkOp network, const ParameterBlob &parameters,
                 llvm::raw_ostream &os)
      : network(network), parameters(parameters), os(os),
        state(network.getContext()) {}

  void print();

private:
  void printAttribute(Operation &op, NamedAttribute attr);
  void print(Operation &op);

  NetworkOp network;
  const ParameterBlob &parameters;
  llvm::raw_ostream &os;
  /// Created once: creating it for each attribute takes longer than compiling.
  AsmState state;
  /// Only looked up, never iterated.
  DenseMap<Value, int> numbers;
};
} // namespace

void NetworkPrinter::printAttribute(Operation &op, NamedAttribute attr) {
  os << " " << attr.getName() << "=";
  auto component = op.getAttrOfType<StringAttr>("sym_name");
  auto offset = component ? parameters.getOffset(component, attr.getName())
                          : std::nullopt;
  if (offset)
    os << cast<ElementsAttr>(attr.getValue()).getShapedType() << "@" << *offset;
  else
    attr.getValue().print(os, state);
}

void NetworkPrinter::print(Operation &op) {
  os << op.getName();
  for (NamedAttribute attr : op.getAttrDictionary())
    printAttribute(op, attr);
  for (Value operand : op.getOperands())
    os << " %" << numbers.lookup(operand);
  for (Type type : op.getResultTypes())
    os << " " << type;
  os << "\n";
}

void NetworkPrinter::print() {
  Block &body = network.getBody().front();
  for (Operation &op : body)
    for (Value result : op.getResults())
      numbers.try_emplace(result, numbers.size());
  for (Operation &op : body)
    print(op);
}

namespace mlir::nnet3 {

std::string toHex(const ProgramKey &key) {
  return llvm::toHex(key, /*LowerCase=*/true);
}

std::string describeNetwork(NetworkOp network,
                            const ParameterBlob &parameters) {
  std::string text;
  llvm::raw_string_ostream os(text);
  NetworkPrinter(network, parameters, os).print();
  return text;
}

std::string describeRequest(RequestOp request) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << request.getNeedModelDerivative() << request.getStoreComponentStats()
     << "\n";
  for (Operation &op : request.getBody().front())
    os << op.getName() << " " << op.getAttrDictionary() << "\n";
  return text;
}

std::string describeOptions(const CompileOptions &compile,
                            OptimizeOptions optimize) {
  std::string text;
  llvm::raw_string_ostream os(text);
  // These fail to compile when an option is added: the key must cover it.
  auto [debugInfo, expandable, foldSequences, elideRounds] = compile;
  static_assert(sizeof(OptimizeOptions) ==
                    4 * sizeof(int32_t) + 16 * sizeof(bool),
                "each option is printed below");
  os << "debug-info=" << debugInfo << " expandable=" << expandable
     << " fold-sequences=" << foldSequences << " elide-rounds=" << elideRounds
     << " check=" << optimize.check;
  optimize.forEach([&](StringRef name, bool &value, StringRef) {
    os << " " << name << "=" << value;
  });
  optimize.forEachNumber([&](StringRef name, int32_t &value, StringRef) {
    os << " " << name << "=" << value;
  });
  return text;
}

} // namespace mlir::nnet3
