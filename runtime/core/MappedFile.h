//===- MappedFile.h - Files in memory ---------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_CORE_MAPPEDFILE_H
#define NNET3_RUNTIME_CORE_MAPPEDFILE_H

#include "nnet3/runtime/Status.h"

#include <cstdint>
#include <memory>
#include <string>

namespace nnet3 {
namespace rt {

/// A file mapped read-only; unmapped when destroyed.
struct MappedFile {
  const void *data = nullptr;
  uint64_t size = 0;

  MappedFile() = default;
  MappedFile(const MappedFile &) = delete;
  MappedFile &operator=(const MappedFile &) = delete;
  ~MappedFile();
};

/// Maps the regular file \p path.
Result<std::shared_ptr<MappedFile>> mapFile(const std::string &path);

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CORE_MAPPEDFILE_H
