//===- LibraryEmitter.h - Libraries of compiled computations ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_TARGET_LIBRARY_LIBRARYEMITTER_H
#define NNET3_TARGET_LIBRARY_LIBRARYEMITTER_H

#include "nnet3/Target/Library/LibraryMetadata.h"
#include "nnet3/Target/Library/ObjectEmitter.h"

namespace mlir::nnet3 {

/// Options of a library.
struct LibraryOptions {
  /// The prefix of the names of the library's functions; a C identifier.
  std::string prefix = "nnet3";
  CodeTarget target;
  /// Whether the weights are part of the library, or a separate file.
  bool embedWeights = true;
  /// For a library with code for several CPUs, the number of this CPU in the
  /// order in which the library tries them; `target` is this CPU.
  unsigned variant = 0, numVariants = 1;

  /// The symbol of embedded weights.
  std::string getWeightsSymbol() const { return prefix + "_weights_data"; }
  /// The symbol of the image for a CPU other than the first.
  std::string getImageSymbol(unsigned number) const {
    return prefix + "_image_" + std::to_string(number);
  }
};

/// Emits the object file of a library without its weights: the code of
/// `module`, which is in the LLVM dialect except for networks and requests, the
/// image, and, for the first CPU, the public functions. On failure, emits an
/// error at the module.
FailureOr<llvm::SmallVector<char>>
emitLibraryObject(ModuleOp module, const LibraryData &data,
                  const LibraryOptions &options);

using ObjectFile = llvm::SmallVector<char>;

/// Links `objects`, one for each CPU, and the weights with the runtime's
/// archive into the shared library `path`, through a temporary file. On
/// failure, emits an error at `loc`.
llvm::LogicalResult linkLibrary(Location loc,
                                llvm::ArrayRef<ObjectFile> objects,
                                const LibraryData &data,
                                const LibraryOptions &options,
                                llvm::StringRef path);

/// Links `objects` and the weights without the runtime into the object file
/// `path`, for programs and libraries that are linked with the runtime's
/// archive. A program can contain several such models with different prefixes.
llvm::LogicalResult linkObject(Location loc, llvm::ArrayRef<ObjectFile> objects,
                               const LibraryData &data,
                               const LibraryOptions &options,
                               llvm::StringRef path);

/// Creates the archive `path` with the object file of linkObject().
llvm::LogicalResult archiveLibrary(Location loc,
                                   llvm::ArrayRef<ObjectFile> objects,
                                   const LibraryData &data,
                                   const LibraryOptions &options,
                                   llvm::StringRef path);

/// Returns the C header of a library.
std::string getLibraryHeader(const LibraryOptions &options);

} // namespace mlir::nnet3

#endif // NNET3_TARGET_LIBRARY_LIBRARYEMITTER_H
