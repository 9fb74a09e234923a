//===- Xconfig.h - Kaldi's xconfig files ------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Networks as lists of layers, which are expanded to configs (spec: formats.md
// 10).
//
//===----------------------------------------------------------------------===//
#ifndef NNET3_TARGET_KALDI_XCONFIG_H
#define NNET3_TARGET_KALDI_XCONFIG_H

#include "nnet3/Kaldi/Matrix/Matrix.h"
#include "nnet3/Target/Kaldi/Config.h"

#include "mlir/IR/Location.h"
#include "llvm/ADT/SmallVector.h"
#include <string>
#include <vector>

namespace mlir::nnet3 {

/// A config that was expanded from an xconfig, with the source location of each
/// part.
class ExpandedConfig {
public:
  /// The text from `column` (1-based) up to the next piece comes from `loc`. If
  /// it was copied, columns after `loc` correspond one to one.
  struct Piece {
    unsigned column;
    Location loc;
    bool copied;
  };

  llvm::StringRef getText() const { return text; }
  bool empty() const { return text.empty(); }

  /// The text that can be read before the matrices of layers are written to
  /// their files.
  llvm::StringRef getReadableText() const { return readableText; }

  /// Adds a line, or `readable` in the readable text if that is not empty;
  /// `pieces` are in order, and the first is at column 1.
  void addLine(llvm::StringRef line, llvm::ArrayRef<Piece> pieces,
               llvm::StringRef readable = "");

  /// Returns the location in the xconfig of `line` and `column` of the text,
  /// both from 1.
  Location getSource(unsigned line, unsigned column) const;

private:
  std::string text;
  std::string readableText;
  std::vector<llvm::SmallVector<Piece, 4>> lines;
};

/// A matrix that a layer computes, and the file that its component names.
struct XconfigMatrix {
  std::string component;
  std::string path;
  /// The location of the file name.
  Location loc;
  ::nnet3::kaldi::Matrix matrix;
};

/// A file with a matrix that a layer reads: columns are inputs and the bias.
struct XconfigFile {
  std::string path;
  /// The location of the file name.
  Location loc;
  int64_t inputDim;
  int64_t outputDim;
};

/// The configs and files of an xconfig.
struct XconfigExpansion {
  /// The name of the xconfig for messages; files are searched in its directory.
  std::string fileName;
  /// The network whose outputs an LDA transform is estimated from; empty if no
  /// layer needs it.
  ExpandedConfig init;
  /// The network with random matrices instead of those in files.
  ExpandedConfig reference;
  /// The network.
  ExpandedConfig final;
  /// The files that layers write, and the files that they read.
  std::vector<XconfigMatrix> matrices;
  std::vector<XconfigFile> files;
  /// The lines of the xconfig with all keys, and the same with expanded
  /// descriptors.
  std::string withDefaults;
  std::string withDescriptors;
};

/// Whether `word` is the type of a layer, the first word of a line.
bool isXconfigLayer(llvm::StringRef word);

/// Expands the xconfig `source`, whose layers may refer to the nodes of
/// `existing`, which may be null. Emits errors at the line and column of the
/// xconfig, and warns about unused layers.
FailureOr<XconfigExpansion> expandXconfig(const ConfigSource &source,
                                          NetworkOp existing,
                                          MLIRContext *context);

/// Reads `config`, one of `expansion`, on top of `network` like readConfig();
/// components get the matrices of their layers directly. Diagnostics and
/// operations have locations in the xconfig.
LogicalResult readExpandedConfig(NetworkOp network,
                                 const XconfigExpansion &expansion,
                                 const ExpandedConfig &config);

/// Reads the network of an xconfig on top of `network` like readConfig(),
/// without writing files. Layers may refer to the nodes of `network`.
LogicalResult readXconfig(NetworkOp network, const ConfigSource &source);

/// Like importConfigs(), for one xconfig.
OwningOpRef<ModuleOp> importXconfig(const ConfigSource &source,
                                    MLIRContext *context);

} // namespace mlir::nnet3

#endif // NNET3_TARGET_KALDI_XCONFIG_H
