//===- SharedObject.h - Libraries of nnet3-compile in memory ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_RUNNER_LIBRARY_SHAREDOBJECT_H
#define NNET3_RUNTIME_RUNNER_LIBRARY_SHAREDOBJECT_H

#include "nnet3/runtime/Status.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace nnet3 {
namespace rt {

/// A loaded shared object; unloaded when destroyed.
class SharedObject {
public:
  ~SharedObject();
  SharedObject(const SharedObject &) = delete;
  SharedObject &operator=(const SharedObject &) = delete;

  /// Loads a library of nnet3-compile. Verifies the checksum of the file before
  /// any of its code runs, such as constructors.
  static Result<std::shared_ptr<SharedObject>>
  openFile(const std::string &path);
  /// Loads a library from memory. The caller has checked the bytes; they are
  /// copied.
  static Result<std::shared_ptr<SharedObject>> openBytes(const void *data,
                                                         uint64_t size);

  /// Returns null if there is no such symbol.
  void *find(const std::string &symbol) const;

  /// Returns the file offset of the \p size bytes at \p address in any loaded
  /// shared object; none if the bytes are not in its file.
  static std::optional<uint64_t> findInFile(const void *address, uint64_t size);

private:
  explicit SharedObject(void *handle, int descriptor = -1)
      : handle(handle), descriptor(descriptor) {}
  void *handle;
  int descriptor; ///< of the memory file; -1 for a file
};

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_RUNNER_LIBRARY_SHAREDOBJECT_H
