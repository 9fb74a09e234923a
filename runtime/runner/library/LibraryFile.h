//===- LibraryFile.h - The file of a library and its checksum ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_RUNNER_LIBRARY_LIBRARYFILE_H
#define NNET3_RUNTIME_RUNNER_LIBRARY_LIBRARYFILE_H

#include "nnet3/runtime/Status.h"

#include <string>

namespace nnet3 {
namespace rt {

/// Replaces the library \p path by the ELF file \p elf with its trailer. Keeps
/// the permissions. On error the file is unchanged.
Status replaceLibrary(const std::string &path, const std::string &elf);

/// Adds or corrects the trailer of the library \p path.
Status addChecksum(const std::string &path);

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_RUNNER_LIBRARY_LIBRARYFILE_H
