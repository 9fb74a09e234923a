//===- XconfigReader.cpp - Xconfigs to networks ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Target/Kaldi/Xconfig.h"

#include "../Config/NamedFile.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"

#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/SymbolTable.h"

using namespace ::nnet3::kaldi;

using mlir::failed;
using mlir::failure;
using mlir::FailureOr;
using mlir::FileLineColLoc;
using mlir::Location;
using mlir::LogicalResult;
using mlir::succeeded;
using mlir::success;
using mlir::nnet3::NetworkOp;

namespace mlir::nnet3 {

/// Maps a location in the text of `config` to its source in the xconfig;
/// returns other locations unchanged.
static Location getSource(Location loc, StringAttr name,
                          const ExpandedConfig &config) {
  auto place = llvm::dyn_cast<FileLineColLoc>(loc);
  if (!place || place.getFilename() != name)
    return loc;
  return config.getSource(place.getLine(), place.getColumn());
}

/// Emits the diagnostic again with locations in the xconfig, and with `hint` as
/// a note.
static void emitAgain(Diagnostic &diag, StringAttr name,
                      const ExpandedConfig &config, llvm::StringRef hint,
                      DiagnosticEngine &engine) {
  auto again = engine.emit(getSource(diag.getLocation(), name, config),
                           diag.getSeverity());
  again << diag.str();
  for (Diagnostic &note : diag.getNotes())
    again.attachNote(getSource(note.getLocation(), name, config)) << note.str();
  if (!hint.empty())
    again.attachNote() << hint;
}

/// Reads `config`, and maps diagnostics to the xconfig.
static LogicalResult readWithSources(NetworkOp network, StringAttr name,
                                     const ExpandedConfig &config,
                                     llvm::StringRef hint) {
  DiagnosticEngine &engine = network.getContext()->getDiagEngine();
  // Emit the diagnostics after the handler is gone, which would catch them
  // again.
  std::vector<Diagnostic> diagnostics;
  LogicalResult result = failure();
  {
    ScopedDiagnosticHandler handler(network.getContext(),
                                    [&](Diagnostic &diag) {
                                      diagnostics.push_back(std::move(diag));
                                      return success();
                                    });
    result = readConfig(network, config.getReadableText(), name.getValue());
  }
  for (Diagnostic &diag : diagnostics)
    emitAgain(diag, name, config, hint, engine);
  return result;
}

/// Sets the parameters of a component to the matrix that its layer computed.
static void setMatrix(NetworkOp network, const XconfigMatrix &made) {
  const Matrix &matrix = made.matrix;
  int64_t inputs = matrix.cols - 1;
  std::vector<float> linear, bias;
  for (int64_t row = 0; row < matrix.rows; ++row) {
    const float *begin = &matrix.data[row * matrix.cols];
    linear.insert(linear.end(), begin, begin + inputs);
    bias.push_back(begin[inputs]);
  }
  ConfigParameterInitializer initializer(/*seed=*/0);
  for (auto op : network.getOps<FixedAffineOp>())
    if (op.getSymName() == made.component) {
      initializer.setTensor(op, "linear_params", {matrix.rows, inputs}, linear);
      initializer.setTensor(op, "bias_params", {matrix.rows}, bias);
    }
}

/// Checks that the matrix file of a layer has the layer's dims.
static LogicalResult verifyFile(const XconfigFile &file) {
  FailureOr<Matrix> matrix = readNamedMatrix(file.path, file.loc);
  if (failed(matrix))
    return failure();
  auto verify = [&](llvm::StringRef what, int64_t expected, int64_t actual) {
    if (expected == actual)
      return success();
    return LogicalResult(emitError(file.loc)
                         << "expects " << what << " " << expected << ", but '"
                         << file.path << "' has " << actual);
  };
  if (failed(verify("input dim", file.inputDim, matrix->cols - 1)))
    return failure();
  return verify("output dim", file.outputDim, matrix->rows);
}

LogicalResult readExpandedConfig(NetworkOp network,
                                 const XconfigExpansion &expansion,
                                 const ExpandedConfig &config) {
  // Only the final config reads the files.
  if (&config == &expansion.final)
    for (const XconfigFile &file : expansion.files)
      if (failed(verifyFile(file)))
        return failure();
  // Matrix files are searched next to the file of this name.
  auto name =
      StringAttr::get(network.getContext(), expansion.fileName + " (expanded)");
  llvm::StringRef hint;
  if (&config == &expansion.init)
    hint = "this is the network that an LDA transform is estimated from, which "
           "has inputs, layers with include-in-init=true, and the input of the "
           "layer with write-init-config=true as its output";
  if (failed(readWithSources(network, name, config, hint)))
    return failure();
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](LocationAttr loc) -> std::optional<Attribute> {
    Location source = getSource(Location(loc), name, config);
    if (source == Location(loc))
      return std::nullopt;
    return Attribute(source);
  });
  replacer.recursivelyReplaceElementsIn(network, /*replaceAttrs=*/false,
                                        /*replaceLocs=*/true);
  for (const XconfigMatrix &matrix : expansion.matrices)
    setMatrix(network, matrix);
  return success();
}

LogicalResult readXconfig(NetworkOp network, const ConfigSource &source) {
  FailureOr<XconfigExpansion> expansion =
      expandXconfig(source, network, network.getContext());
  if (failed(expansion))
    return failure();
  return readExpandedConfig(network, *expansion, expansion->final);
}

OwningOpRef<ModuleOp> importXconfig(const ConfigSource &source,
                                    MLIRContext *context) {
  auto module =
      createNetworkModule(FileLineColLoc::get(context, source.fileName, 1, 1));
  if (failed(readXconfig(*module->getOps<NetworkOp>().begin(), source)))
    return nullptr;
  return module;
}

} // namespace mlir::nnet3
