//===- ModelFiles.cpp - Reading and writing of models ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Tools/Common/ModelFiles.h"
#include "nnet3/Kaldi/IO/Input.h"
#include "nnet3/Kaldi/IO/OutputFile.h"
#include "nnet3/Target/Kaldi/Diagnostics.h"
#include "nnet3/Target/Kaldi/LoadModel.h"
#include "nnet3/Target/Kaldi/ModelWriter.h"
#include "nnet3/Tools/Common/AcousticModel.h"
#include "nnet3/Tools/Common/OptionParser.h"

using namespace ::nnet3::kaldi;
using namespace mlir;
using namespace mlir::nnet3;

llvm::Error mlir::nnet3::expectArguments(StringRef expected, size_t count) {
  return optionError("expects " + expected + ", but got " + llvm::Twine(count) +
                     " arguments; see --help");
}

FailureOr<ModelFile> mlir::nnet3::loadModelFile(StringRef path,
                                                MLIRContext *context,
                                                uint64_t initSeed) {
  ModelFile file;
  file.module = loadModel(findModelFile(path), context, initSeed);
  if (!file.module)
    return failure();
  file.network = getOnlyNetwork(*file.module);
  if (!file.network)
    return failure();
  return file;
}

FailureOr<ModelFile> mlir::nnet3::loadAcousticModel(StringRef path,
                                                    MLIRContext *context) {
  FailureOr<ModelFile> file = loadModelFile(path, context);
  if (failed(file) || file->network.getTransitionModelAttr())
    return file;
  return file->network.emitError(
      "expects an acoustic model (.mdl), but got a raw one");
}

LogicalResult mlir::nnet3::withText(
    MLIRContext *context, StringRef name,
    llvm::function_ref<LogicalResult(const ConfigSource &)> read) {
  auto buffer = readInput(name, hasZeroByte);
  if (!buffer)
    return emitFileError(context, buffer.takeError());
  StringRef text = (*buffer)->getBuffer();
  StringRef file = (*buffer)->getBufferIdentifier();
  if (llvm::Error error = checkIsText(text, file))
    return emitFileError(context, std::move(error));
  return read({text, file});
}

/// Writes a file with `write`.
static LogicalResult
writeFile(StringRef path, MLIRContext *context,
          llvm::function_ref<LogicalResult(raw_ostream &)> write) {
  auto file = OutputFile::create(path);
  if (!file)
    return emitFileError(context, file.takeError());
  if (failed(write((*file)->getStream())))
    return failure();
  return emitFileError(context, (*file)->commit());
}

LogicalResult mlir::nnet3::writeRawFile(StringRef path, NetworkOp network,
                                        bool binary, unsigned digits) {
  return writeFile(path, network.getContext(), [&](raw_ostream &os) {
    return writeModel(network, os, binary, digits);
  });
}

FailureOr<int64_t> mlir::nnet3::getOutputDim(NetworkOp network) {
  for (auto output : network.getOps<OutputNodeOp>())
    if (output.getName() == "output")
      return output.getInput().getType().getDim();
  return network.emitError("the network has no output node 'output'");
}

LogicalResult mlir::nnet3::writeAcousticFile(StringRef path, NetworkOp network,
                                             bool binary, unsigned digits) {
  FailureOr<int64_t> dim = getOutputDim(network);
  if (failed(dim))
    return failure();
  if (ElementsAttr priors = network.getPriorsAttr();
      priors && priors.getNumElements() != *dim)
    return network.emitError("expects as many outputs as there are priors, ")
           << priors.getNumElements() << ", but got " << *dim;
  return writeFile(path, network.getContext(), [&](raw_ostream &os) {
    return writeMdl(network, os, binary, digits);
  });
}
