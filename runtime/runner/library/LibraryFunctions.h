//===- LibraryFunctions.h - The functions of a library ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_RUNNER_LIBRARY_LIBRARYFUNCTIONS_H
#define NNET3_RUNTIME_RUNNER_LIBRARY_LIBRARYFUNCTIONS_H

#include "nnet3/runtime/nnet3lib.h"

namespace nnet3 {
namespace rt {

/// The functions of a library with any prefix.
struct LibraryFunctions {
#define NNET3LIB_WRAPPER(name, signature)                                      \
  decltype(&nnet3lib_##name) name = nullptr;
#include "nnet3/runtime/LibraryWrappers.def"
};

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_RUNNER_LIBRARY_LIBRARYFUNCTIONS_H
