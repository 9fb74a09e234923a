//===- ParameterBlob.h - A network's tensors in one block -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The weights part of a program (runtime/schema/program.fbs): every float
// tensor of a network's components, each at a multiple of 64 bytes.
//
//===----------------------------------------------------------------------===//
#ifndef NNET3_TARGET_PROGRAM_PARAMETERBLOB_H
#define NNET3_TARGET_PROGRAM_PARAMETERBLOB_H

#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"
#include "nnet3/Dialect/Nnet3/IR/NetworkOps.h"
#include "llvm/ADT/DenseMap.h"
#include <memory>
#include <optional>

namespace mlir::nnet3 {

/// The tensors of all components of a network, parameters and statistics, in
/// the order of the components and of their attributes' names. Created once per
/// network; the programs of all requests share it. Copies share the memory.
class ParameterBlob {
public:
  /// Collects the tensors of `network`. Emits an error at the component if a
  /// tensor has no values in memory (an elided resource). Resources then refer
  /// to the blob, so that their values are in memory once.
  static FailureOr<ParameterBlob> create(NetworkOp network);

  /// Collects the tensors of `components` only. The offsets begin at `base`, a
  /// multiple of 64.
  static FailureOr<ParameterBlob>
  create(llvm::ArrayRef<ComponentOpInterface> components, uint64_t base);

  /// The bytes: little-endian float32, 64-byte aligned. Keeps them alive.
  std::shared_ptr<const char> getData() const { return data; }
  uint64_t getSize() const { return size; }

  /// Offset in bytes of a tensor of the component with path `component`;
  /// nullopt if there is no such tensor.
  std::optional<uint64_t> getOffset(StringAttr component,
                                    StringAttr tensor) const;

private:
  using Key = std::pair<StringAttr, StringAttr>;

  std::shared_ptr<const char> data;
  uint64_t size = 0;
  llvm::DenseMap<Key, uint64_t> offsets;
};

/// Returns the name of a component; for a part of a composite component, the
/// name of the composite, a dot and the name of the part.
StringAttr getPath(ComponentOpInterface component);

/// Copies all values of a float32 tensor, `dense` or `dense_resource`, to
/// `dest`. Fails if they are not in memory.
llvm::LogicalResult copyTensor(ElementsAttr tensor, float *dest);

} // namespace mlir::nnet3

#endif // NNET3_TARGET_PROGRAM_PARAMETERBLOB_H
