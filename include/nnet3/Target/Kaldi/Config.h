//===- Config.h - Kaldi's config files ---------------------------*- C++
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//-*-===//
//
// Config files, and the node lines at the head of raw models, to and from
// network operations (spec: formats.md 1).
//
//===----------------------------------------------------------------------===//
#ifndef NNET3_TARGET_KALDI_CONFIG_H
#define NNET3_TARGET_KALDI_CONFIG_H

#include "nnet3/Dialect/Nnet3/IR/NetworkOps.h"
#include "nnet3/Dialect/Nnet3/IR/ParameterInitializer.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace mlir::nnet3 {

/// Reads the config `text` on top of `network`, which may be empty: components
/// and nodes of the same name are replaced, others added. Descriptors are
/// brought to normal form. `fileName` is for locations, and files named in the
/// config are looked for in its directory after the working directory;
/// `firstLine` is the number of the text's first line.
///
/// Errors are emitted at `fileName:line:col` of the offending word; after a
/// failure `network` must not be used.
LogicalResult readConfig(NetworkOp network, llvm::StringRef text,
                         llvm::StringRef fileName, unsigned firstLine = 1);

/// Warns about components and nodes that nothing uses, as Kaldi does after
/// reading.
void warnAboutUnused(NetworkOp network);

/// Writes the canonical config of `network`: components, then nodes, in order.
/// Keys that have their default values are left out, and so are parameters.
LogicalResult writeConfig(NetworkOp network, llvm::raw_ostream &os);

/// Writes only the lines of the nodes, as they stand at the head of a raw
/// model.
void writeConfigNodes(NetworkOp network, llvm::raw_ostream &os);

/// A module with the empty network `@network`. The nnet3 dialect must be
/// loaded.
OwningOpRef<ModuleOp> createNetworkModule(Location loc);

/// One config to read.
struct ConfigSource {
  llvm::StringRef text;
  /// Name for locations; its directory is where named files are looked for.
  llvm::StringRef fileName;
};

/// A module with the network `@network` that the configs give when they are
/// read in sequence; null after an error, which was emitted. The nnet3 dialect
/// must be loaded in `context`.
OwningOpRef<ModuleOp> importConfigs(llvm::ArrayRef<ConfigSource> configs,
                                    MLIRContext *context);

/// Initialises parameters with Kaldi's distributions; reads the files named in
/// configs as `readConfig` does.
class ConfigParameterInitializer : public ParameterInitializer {
public:
  using ParameterInitializer::ParameterInitializer;
  FailureOr<std::vector<float>> readMatrix(Operation *op, llvm::StringRef file,
                                           int64_t &rows,
                                           int64_t &cols) override;
};

/// Gives every component of `network` the parameters that it has no values for
/// yet; the same `seed` gives the same parameters.
LogicalResult initializeParameters(NetworkOp network, uint64_t seed);

} // namespace mlir::nnet3

#endif // NNET3_TARGET_KALDI_CONFIG_H
