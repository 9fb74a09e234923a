//===- Xconfig.h - Kaldi's xconfig files ------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Networks as lists of layers, and the configs that they stand for (spec:
// formats.md 10).
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

/// A config made from an xconfig, which knows where each part of it comes from.
class ExpandedConfig {
public:
  /// From `column` (1-based) on, up to the next piece, the text comes from
  /// `loc`; the columns go on there too if it was copied.
  struct Piece {
    unsigned column;
    Location loc;
    bool copied;
  };

  llvm::StringRef getText() const { return text; }
  bool empty() const { return text.empty(); }

  /// The text that can be read before the matrices that layers make are written
  /// to their files.
  llvm::StringRef getReadableText() const { return readableText; }

  /// Adds a line, or `readable` in the readable text if that is not empty;
  /// `pieces` are in order, and the first is at column 1.
  void addLine(llvm::StringRef line, llvm::ArrayRef<Piece> pieces,
               llvm::StringRef readable = "");

  /// Where in the xconfig a place in the text, both from 1, comes from.
  Location getSource(unsigned line, unsigned column) const;

private:
  std::string text;
  std::string readableText;
  std::vector<llvm::SmallVector<Piece, 4>> lines;
};

/// A matrix that a layer makes, and the file that its component names.
struct XconfigMatrix {
  std::string component;
  std::string path;
  /// Where the file is named.
  Location loc;
  ::nnet3::kaldi::Matrix matrix;
};

/// A file with a matrix that a layer reads: columns are inputs and the bias.
struct XconfigFile {
  std::string path;
  /// Where the file is named.
  Location loc;
  int64_t inputDim;
  int64_t outputDim;
};

/// What an xconfig stands for.
struct XconfigExpansion {
  /// The name of the xconfig, for messages, and where files are looked for.
  std::string fileName;
  /// The network whose outputs an LDA transform is estimated from; empty if
  /// no layer asks for it.
  ExpandedConfig init;
  /// The network with random matrices in place of those in files.
  ExpandedConfig reference;
  /// The network.
  ExpandedConfig final;
  /// The files that layers make, and those that they read.
  std::vector<XconfigMatrix> matrices;
  std::vector<XconfigFile> files;
  /// The lines of the xconfig with all keys, and those with descriptors spelled
  /// out too.
  std::string withDefaults;
  std::string withDescriptors;
};

/// Whether `word` is the type of a layer, with which a line begins.
bool isXconfigLayer(llvm::StringRef word);

/// Expands the xconfig `source`, whose layers may refer to the nodes of
/// `existing`, which may be null. Errors are emitted at the line and column of
/// the xconfig; warns about layers that nothing refers to.
FailureOr<XconfigExpansion> expandXconfig(const ConfigSource &source,
                                          NetworkOp existing,
                                          MLIRContext *context);

/// Reads `config`, one of `expansion`, on top of `network`, as readConfig does;
/// components have the matrices that layers made already. Diagnostics and the
/// locations of operations are those of the xconfig.
LogicalResult readExpandedConfig(NetworkOp network,
                                 const XconfigExpansion &expansion,
                                 const ExpandedConfig &config);

/// Reads the network of an xconfig on top of `network`, to whose nodes layers
/// may refer; writes no files. As readConfig otherwise.
LogicalResult readXconfig(NetworkOp network, const ConfigSource &source);

/// As importConfigs, for one xconfig.
OwningOpRef<ModuleOp> importXconfig(const ConfigSource &source,
                                    MLIRContext *context);

} // namespace mlir::nnet3

#endif // NNET3_TARGET_KALDI_XCONFIG_H
