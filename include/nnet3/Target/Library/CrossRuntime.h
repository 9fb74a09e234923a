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

/// The running program.
std::string getToolPath();

/// The folder lib beside that of the tools, where the build and the packages
/// have the runtime's part of libraries.
std::string getLibraryFolder();

/// The runtime's part of libraries for another machine than this one, with all
/// that lld links (runtime/cross/CrossRuntimes.cmake).
class CrossRuntime {
public:
  /// Finds that of the architecture and system of `triple`. Fails with the
  /// reason in `error`, which names those that are there.
  static llvm::FailureOr<CrossRuntime> find(const llvm::Triple &triple,
                                            std::string &error);

  /// The files to link with.
  std::vector<std::string> getFiles() const;

private:
  std::string folder;
};

} // namespace mlir::nnet3

#endif // NNET3_TARGET_LIBRARY_CROSSRUNTIME_H
