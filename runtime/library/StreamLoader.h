//===- StreamLoader.h - The streams of a library ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_LIBRARY_STREAMLOADER_H
#define NNET3_RUNTIME_LIBRARY_STREAMLOADER_H

#include "LibraryModel.h"

namespace nnet3 {
namespace rt {

/// Checks the stream of a library against the requests of \p model, and fills
/// \p stream. Errors: they do not match.
Status loadStream(const nnet3lib_model &model, const schema::Stream &root,
                  LibraryStream &stream);

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_LIBRARY_STREAMLOADER_H
