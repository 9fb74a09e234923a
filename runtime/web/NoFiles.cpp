//===- NoFiles.cpp - A system without files -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// WebAssembly has no files: weights are given in memory (weights of
// nnet3lib_open_options).
//
//===----------------------------------------------------------------------===//

#include "core/Loader.h"

namespace nnet3 {
namespace rt {

MappedFile::~MappedFile() = default;

Result<std::shared_ptr<MappedFile>> mapFile(const std::string &path) {
  return Status(NNET3RT_IO_ERROR,
                "cannot map '" + path + "': there are no files");
}

} // namespace rt
} // namespace nnet3
