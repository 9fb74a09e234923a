//===- ModelWriter.cpp - Writing of trained models ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nnet3/Target/Kaldi/ModelWriter.h"
#include "ComponentWriter.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"
#include "nnet3/Target/Kaldi/Config.h"
#include "nnet3/Target/Kaldi/Diagnostics.h"
#include "nnet3/Target/Kaldi/TensorData.h"
#include "nnet3/Target/Kaldi/TransitionModel.h"

using namespace ::nnet3::kaldi;
using namespace mlir;
using mlir::nnet3::ComponentOpInterface;
using mlir::nnet3::NetworkOp;

namespace mlir::nnet3 {

static SmallVector<ComponentOpInterface> getComponents(NetworkOp network) {
  return llvm::to_vector(network.getBody().getOps<ComponentOpInterface>());
}

static StringRef getName(ComponentOpInterface component) {
  return SymbolTable::getSymbolName(component).getValue();
}

static LogicalResult checkComponents(NetworkOp network) {
  for (ComponentOpInterface component : getComponents(network))
    if (failed(checkWritable(component.getOperation())))
      return failure();
  return success();
}

/// Writes from `<Nnet3>` to `</Nnet3>`.
static void writeNetwork(NetworkOp network, KaldiWriter &writer) {
  SmallVector<ComponentOpInterface> components = getComponents(network);
  raw_ostream &os = writer.getStream();
  writer.writeToken("<Nnet3>");
  os << '\n';
  writeConfigNodes(network, os);
  os << '\n';
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
}

LogicalResult writeModel(NetworkOp network, raw_ostream &os, bool binary,
                         unsigned digits) {
  if (failed(checkComponents(network)))
    return failure();
  KaldiWriter writer(os, binary, digits);
  writer.writeHeader();
  writeNetwork(network, writer);
  return success();
}

//===----------------------------------------------------------------------===//
// Acoustic models
//===----------------------------------------------------------------------===//

/// Writes the transition model that was read with `network`.
static LogicalResult writeTransitions(NetworkOp network, KaldiWriter &writer) {
  ElementsAttr attribute = network.getTransitionModelAttr();
  if (!attribute)
    return network.emitError("expects a network of an acoustic model (.mdl), "
                             "but this one has no transition model");
  std::optional<StringRef> bytes = getByteData(attribute);
  if (!bytes)
    return network.emitError("the elements of the transition model are "
                             "missing or of the wrong size");
  llvm::Error error = unpackTransitionModel(*bytes, writer);
  return emitFileError(network.getContext(), std::move(error));
}

/// Returns the priors; empty if the network has none.
static FailureOr<ArrayRef<float>> getPriors(NetworkOp network,
                                            std::vector<float> &storage) {
  ElementsAttr priors = network.getPriorsAttr();
  if (!priors)
    return ArrayRef<float>();
  std::optional<ArrayRef<float>> values = getTensorData(priors, storage);
  if (!values)
    return network.emitError(
        "the elements of the priors are missing or of the wrong size");
  return *values;
}

LogicalResult writeAcousticModel(NetworkOp network, int64_t leftContext,
                                 int64_t rightContext, raw_ostream &os,
                                 bool binary, unsigned digits) {
  std::vector<float> storage;
  FailureOr<ArrayRef<float>> priors = getPriors(network, storage);
  if (failed(priors) || failed(checkComponents(network)))
    return failure();
  KaldiWriter writer(os, binary, digits);
  std::string transitions;
  llvm::raw_string_ostream transitionsStream(transitions);
  KaldiWriter transitionsWriter(transitionsStream, binary, digits);
  if (failed(writeTransitions(network, transitionsWriter)))
    return failure();
  writer.writeHeader();
  writer.writeBytes(transitions);
  writeNetwork(network, writer);
  writer.writeToken("<LeftContext>");
  writer.writeInt32(leftContext);
  writer.writeToken("<RightContext>");
  writer.writeInt32(rightContext);
  writer.writeToken("<Priors>");
  writer.writeVector(*priors);
  return success();
}

NetworkOp getOnlyNetwork(ModuleOp module) {
  auto networks = llvm::to_vector(module.getOps<NetworkOp>());
  if (networks.size() == 1)
    return networks.front();
  module.emitError() << "expects one network, but got " << networks.size();
  return nullptr;
}

} // namespace mlir::nnet3
