//===- Config.h - Kaldi's config files --------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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
/// brought to normal form. `fileName` is for locations. Files that the config
/// names are searched in the working directory, then in the directory of
/// `fileName`. `firstLine` is the number of the text's first line.
///
/// Emits errors at `fileName:line:col` of the invalid word; after a failure
/// `network` must not be used.
LogicalResult readConfig(NetworkOp network, llvm::StringRef text,
                         llvm::StringRef fileName, unsigned firstLine = 1);

/// Warns about unused components and nodes, like Kaldi after reading.
void warnAboutUnused(NetworkOp network);

/// Writes the canonical config of `network`: components, then nodes, in order.
/// Omits keys with default values, and parameters.
LogicalResult writeConfig(NetworkOp network, llvm::raw_ostream &os);

/// Writes only the lines of the nodes, in the form of the head of a raw model.
void writeConfigNodes(NetworkOp network, llvm::raw_ostream &os);

/// Creates a module with the empty network `@network`. The nnet3 dialect must
/// be loaded.
OwningOpRef<ModuleOp> createNetworkModule(Location loc);

/// One config to read.
struct ConfigSource {
  llvm::StringRef text;
  /// Name for locations; files that the config names are searched in its
  /// directory.
  llvm::StringRef fileName;
};

/// Reads the configs in sequence and returns a module with the resulting
/// network
/// `@network`; emits an error and returns null on failure. The nnet3 dialect
/// must be loaded in `context`.
OwningOpRef<ModuleOp> importConfigs(llvm::ArrayRef<ConfigSource> configs,
                                    MLIRContext *context);

/// Initialises parameters with Kaldi's distributions; searches files that
/// configs name like `readConfig`.
class ConfigParameterInitializer : public ParameterInitializer {
public:
  using ParameterInitializer::ParameterInitializer;
  FailureOr<std::vector<float>> readMatrix(Operation *op, llvm::StringRef file,
                                           int64_t &rows,
                                           int64_t &cols) override;
};

/// Initialises all parameters of `network` that have no values yet. Equal seeds
/// give equal parameters.
LogicalResult initializeParameters(NetworkOp network, uint64_t seed);

} // namespace mlir::nnet3

#endif // NNET3_TARGET_KALDI_CONFIG_H
