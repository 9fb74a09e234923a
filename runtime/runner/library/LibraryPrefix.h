//===- LibraryPrefix.h - The prefix of a library's functions ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_RUNNER_LIBRARY_LIBRARYPREFIX_H
#define NNET3_RUNTIME_RUNNER_LIBRARY_LIBRARYPREFIX_H

#include "SharedObject.h"

namespace nnet3 {
namespace rt {

/// Returns the prefix of the functions of \p code, loaded from the file \p
/// path:
/// \p wanted unless empty, else the name of the file, else the only prefix in
/// the file. The error message lists the prefixes of the file.
Result<std::string> findPrefix(const SharedObject &code,
                               const std::string &path,
                               const std::string &wanted);

/// Returns the default weights file of the library \p path: NAME.weights beside
/// libNAME.so.
std::string getWeightsPath(const std::string &path);

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_RUNNER_LIBRARY_LIBRARYPREFIX_H
