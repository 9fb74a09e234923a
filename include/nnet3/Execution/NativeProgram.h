//===- NativeProgram.h - A request as machine code --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_EXECUTION_NATIVEPROGRAM_H
#define NNET3_EXECUTION_NATIVEPROGRAM_H

#include "nnet3/Execution/ProgramCache.h"

#include "llvm/ADT/ArrayRef.h"
#include <map>
#include <memory>

namespace mlir::nnet3 {

/// Packed weights, aligned as generated code expects.
class NativeWeights {
public:
  explicit NativeWeights(llvm::ArrayRef<char> bytes);
  ~NativeWeights();
  NativeWeights(const NativeWeights &) = delete;
  NativeWeights &operator=(const NativeWeights &) = delete;

  llvm::ArrayRef<char> getBytes() const { return {data, size}; }

  /// A hash of weights: what is equal has the same one.
  static ProgramKey getKey(llvm::ArrayRef<char> bytes);

private:
  size_t size;
  char *data;
};

/// What a request is compiled to, as it is kept on disk.
struct NativeProgram {
  /// The object file of a library, without its weights.
  std::string object;
  /// Which weights it was compiled for.
  ProgramKey weights = {};

  std::string encode() const;
  /// None if `bytes` are too few.
  static std::optional<NativeProgram> decode(llvm::StringRef bytes);
};

/// Packed weights, each kept once however many requests use them.
class NativeWeightsPool {
public:
  /// `cache` may be null.
  explicit NativeWeightsPool(std::shared_ptr<ProgramCache> cache)
      : cache(std::move(cache)) {}

  /// The weights `key`: in use already, or in the cache; null if they are
  /// neither.
  std::shared_ptr<const NativeWeights> find(const ProgramKey &key);

  /// The weights with these bytes, whose key is `key`; into the cache with
  /// them, if they are not there.
  std::shared_ptr<const NativeWeights> add(const ProgramKey &key,
                                           llvm::ArrayRef<char> bytes);

  /// How many are in use.
  size_t size() const;

private:
  std::shared_ptr<const NativeWeights> findUsed(const ProgramKey &key) const;

  std::shared_ptr<ProgramCache> cache;
  /// Only looked up and counted.
  std::map<ProgramKey, std::weak_ptr<const NativeWeights>> used;
};

} // namespace mlir::nnet3

#endif // NNET3_EXECUTION_NATIVEPROGRAM_H
