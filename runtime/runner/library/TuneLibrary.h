//===- TuneLibrary.h - Tuning of libraries for GPUs -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_RUNNER_LIBRARY_TUNELIBRARY_H
#define NNET3_RUNTIME_RUNNER_LIBRARY_TUNELIBRARY_H

#include "LibraryModel.h"

namespace nnet3 {
namespace rt {

/// Measures the matmuls of \p model on this machine's GPU and writes the
/// fastest algorithms into \p path, the file that it was loaded from. The file
/// is replaced atomically.
Status tuneLibrary(const LibraryModel &model, const std::string &path);

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_RUNNER_LIBRARY_TUNELIBRARY_H
