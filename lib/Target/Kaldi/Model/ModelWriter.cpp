//===- ModelWriter.cpp - Trained models, written --------------------------===//
#include "nnet3/Target/Kaldi/ModelWriter.h"
#include "ComponentWriter.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"
#include "nnet3/Target/Kaldi/Config.h"

using namespace mlir;
using mlir::nnet3::ComponentOpInterface;
using mlir::nnet3::NetworkOp;

namespace nnet3 {

static SmallVector<ComponentOpInterface> getComponents(NetworkOp network) {
  return llvm::to_vector(network.getBody().getOps<ComponentOpInterface>());
}

static StringRef getName(ComponentOpInterface component) {
  return SymbolTable::getSymbolName(component).getValue();
}

LogicalResult writeModel(NetworkOp network, raw_ostream &os, bool binary) {
  SmallVector<ComponentOpInterface> components = getComponents(network);
  for (ComponentOpInterface component : components)
    if (failed(checkWritable(component)))
      return failure();
  std::string nodes;
  llvm::raw_string_ostream nodesStream(nodes);
  writeConfigNodes(network, nodesStream);

  KaldiWriter writer(os, binary);
  writer.writeHeader();
  writer.writeToken("<Nnet3>");
  os << '\n' << nodes << '\n';
  writer.writeToken("<NumComponents>");
  writer.writeInt32(components.size());
  writer.writeNewline();
  for (ComponentOpInterface component : components) {
    writer.writeToken("<ComponentName>");
    writer.writeToken(getName(component));
    writeComponent(component, writer);
    writer.writeNewline();
  }
  writer.writeToken("</Nnet3>");
  return success();
}

NetworkOp getOnlyNetwork(ModuleOp module) {
  auto networks = llvm::to_vector(module.getOps<NetworkOp>());
  if (networks.size() == 1)
    return networks.front();
  module.emitError() << "expects one network, but got " << networks.size();
  return nullptr;
}

} // namespace nnet3
