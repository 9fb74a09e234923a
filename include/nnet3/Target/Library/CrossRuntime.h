//===- CrossRuntime.h - The runtime for other machines ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_TARGET_LIBRARY_CROSSRUNTIME_H
#define NNET3_TARGET_LIBRARY_CROSSRUNTIME_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/LogicalResult.h"
#include "llvm/TargetParser/Triple.h"

#include <string>
#include <vector>

namespace mlir::nnet3 {

/// The path of the running program.
std::string getToolPath();

/// The folder `lib` next to the folder of the tools, which has the runtime's
/// part of libraries in builds and packages.
std::string getLibraryFolder();

/// The runtime's part of libraries for a machine other than this one, with all
/// files that lld needs for linking (runtime/cross/CrossRuntimes.cmake).
class CrossRuntime {
public:
  /// Finds the runtime for the architecture and system of `triple`. On failure,
  /// sets `error`, which lists the available ones.
  static llvm::FailureOr<CrossRuntime> find(const llvm::Triple &triple,
                                            std::string &error);

  /// The files to link.
  std::vector<std::string> getFiles() const;

private:
  std::string folder;
};

} // namespace mlir::nnet3

#endif // NNET3_TARGET_LIBRARY_CROSSRUNTIME_H
