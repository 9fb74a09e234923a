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

/// A shared object that is loaded; unloaded when destroyed.
class SharedObject {
public:
  ~SharedObject();
  SharedObject(const SharedObject &) = delete;
  SharedObject &operator=(const SharedObject &) = delete;

  /// Loads a library of nnet3-compile. Runs none of its code, such as its
  /// constructors, before the checksum of the file is found right.
  static Result<std::shared_ptr<SharedObject>>
  openFile(const std::string &path);
  /// Loads bytes that are in no file of their own, which the caller has
  /// checked. They are copied.
  static Result<std::shared_ptr<SharedObject>> openBytes(const void *data,
                                                         uint64_t size);

  /// Null where there is no such symbol.
  void *find(const std::string &symbol) const;

  /// Where the \p size bytes at \p address, of any shared object that is
  /// loaded, are in its file; none where they are not in it.
  static std::optional<uint64_t> findInFile(const void *address, uint64_t size);

private:
  explicit SharedObject(void *handle, int descriptor = -1)
      : handle(handle), descriptor(descriptor) {}
  void *handle;
  int descriptor; ///< of memory that has it; -1 for a file
};

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_RUNNER_LIBRARY_SHAREDOBJECT_H
