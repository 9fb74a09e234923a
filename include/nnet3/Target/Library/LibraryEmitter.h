//===- LibraryEmitter.h - Libraries of compiled computations ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_TARGET_LIBRARY_LIBRARYEMITTER_H
#define NNET3_TARGET_LIBRARY_LIBRARYEMITTER_H

#include "nnet3/Target/Library/LibraryMetadata.h"
#include "nnet3/Target/Library/ObjectEmitter.h"

namespace mlir::nnet3 {

/// What becomes of a compiled module.
struct LibraryOptions {
  /// What the names of the library's functions begin with; a C identifier.
  std::string prefix = "nnet3";
  CodeTarget target;
  /// Whether the weights are part of the library, or a file beside it.
  bool embedWeights = true;
  /// Which of several CPUs the code is for, in the order in which a library
  /// looks for one that the machine is like; `target` is that CPU.
  unsigned variant = 0, numVariants = 1;

  /// The symbol of the weights that are part of it.
  std::string getWeightsSymbol() const { return prefix + "_weights_data"; }
  /// The symbol of the image for a CPU other than the first.
  std::string getImageSymbol(unsigned number) const {
    return prefix + "_image_" + std::to_string(number);
  }
};

/// The object file of a library without its weights: the code of `module`,
/// which is in the LLVM dialect apart from networks and requests, the image,
/// and, for the first CPU, the public functions. Errors are emitted at the
/// module.
FailureOr<llvm::SmallVector<char>>
emitLibraryObject(ModuleOp module, const LibraryData &data,
                  const LibraryOptions &options);

using ObjectFile = llvm::SmallVector<char>;

/// Links `objects`, one for each CPU, and the weights with the runtime's
/// archive into the shared library `path`, by way of a temporary file. Errors
/// are emitted at `loc`.
llvm::LogicalResult linkLibrary(Location loc,
                                llvm::ArrayRef<ObjectFile> objects,
                                const LibraryData &data,
                                const LibraryOptions &options,
                                llvm::StringRef path);

/// The same without the runtime, as the object file `path`, for programs and
/// libraries that are linked with the runtime's archive, and may have several
/// such models with prefixes of their own.
llvm::LogicalResult linkObject(Location loc, llvm::ArrayRef<ObjectFile> objects,
                               const LibraryData &data,
                               const LibraryOptions &options,
                               llvm::StringRef path);

/// The archive `path` of that object file.
llvm::LogicalResult archiveLibrary(Location loc,
                                   llvm::ArrayRef<ObjectFile> objects,
                                   const LibraryData &data,
                                   const LibraryOptions &options,
                                   llvm::StringRef path);

/// The C header of a library.
std::string getLibraryHeader(const LibraryOptions &options);

} // namespace mlir::nnet3

#endif // NNET3_TARGET_LIBRARY_LIBRARYEMITTER_H
