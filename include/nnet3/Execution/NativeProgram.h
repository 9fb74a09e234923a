//===- NativeProgram.h - A request as machine code --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_EXECUTION_NATIVEPROGRAM_H
#define NNET3_EXECUTION_NATIVEPROGRAM_H

#include "nnet3/Execution/ProgramCache.h"
#include "nnet3/runtime/AlignedMemory.h"

#include "llvm/ADT/ArrayRef.h"
#include <map>
#include <memory>

namespace mlir::nnet3 {

/// Packed weights, aligned as generated code expects.
class NativeWeights {
public:
  explicit NativeWeights(llvm::ArrayRef<char> bytes);

  llvm::ArrayRef<char> getBytes() const {
    return {reinterpret_cast<const char *>(memory.data()), size};
  }

  /// Returns a hash of weights.
  static ProgramKey getKey(llvm::ArrayRef<char> bytes);

private:
  size_t size;
  ::nnet3::rt::AlignedBytes memory;
};

/// The compiled code of a request, as it is stored on disk.
struct NativeProgram {
  /// The object file of a library, without its weights.
  std::string object;
  /// The key of the weights that it was compiled for.
  ProgramKey weights = {};

  std::string encode() const;
  /// Returns nullopt if `bytes` are too short.
  static std::optional<NativeProgram> decode(llvm::StringRef bytes);
};

/// Packed weights, shared by all requests that use them.
class NativeWeightsPool {
public:
  /// `cache` may be null.
  explicit NativeWeightsPool(std::shared_ptr<ProgramCache> cache)
      : cache(std::move(cache)) {}

  /// Returns the weights with `key`, if they are in use or in the cache; else
  /// null.
  std::shared_ptr<const NativeWeights> find(const ProgramKey &key);

  /// Returns the weights with these bytes, whose key is `key`, and stores them
  /// in the cache if they are not there.
  std::shared_ptr<const NativeWeights> add(const ProgramKey &key,
                                           llvm::ArrayRef<char> bytes);

  /// Number of weights in use.
  size_t size() const;

private:
  std::shared_ptr<const NativeWeights> findUsed(const ProgramKey &key) const;

  std::shared_ptr<ProgramCache> cache;
  /// Only looked up and counted.
  std::map<ProgramKey, std::weak_ptr<const NativeWeights>> used;
};

} // namespace mlir::nnet3

#endif // NNET3_EXECUTION_NATIVEPROGRAM_H
