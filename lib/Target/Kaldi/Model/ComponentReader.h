//===- ComponentReader.h - Reading components of models ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_LIB_TARGET_KALDI_MODEL_COMPONENTREADER_H
#define NNET3_LIB_TARGET_KALDI_MODEL_COMPONENTREADER_H

#include "ComponentFormat.h"
#include "llvm/ADT/StringSet.h"
#include <memory>

namespace mlir::nnet3 {

/// Reads components into ops.
class ModelComponentReader {
public:
  /// If the components are parts of a composite, `parent` is its name.
  ModelComponentReader(::nnet3::kaldi::KaldiReader &reader, OpBuilder &builder,
                       llvm::StringRef parent = "")
      : reader(reader), builder(builder), parent(parent) {}

  /// Reads a component from its opening to its closing token into an op at the
  /// builder's insertion point. Returns null after a reader error. The op is
  /// not verified.
  Operation *read(llvm::StringRef name, Location loc);

private:
  const ComponentFormat *readOpeningToken();
  llvm::LogicalResult readClosingToken(const ComponentFormat &format);
  llvm::LogicalResult readFields(const ComponentFormat &format);
  llvm::LogicalResult readValue(const TokenField &field);
  llvm::LogicalResult readInt(llvm::StringRef attribute);
  llvm::LogicalResult readChoice(const TokenField &field);
  llvm::LogicalResult readFloat(llvm::StringRef attribute);
  llvm::LogicalResult readTensor(const TokenField &field);
  llvm::LogicalResult readIntVector(const TokenField &field);
  llvm::LogicalResult readIntPairVector(const TokenField &field);
  llvm::LogicalResult readDoubles(const TokenField &field);
  llvm::LogicalResult readComponents();
  llvm::LogicalResult readFloatColumnMap(std::vector<int32_t> &values);
  void setAbsent(const TokenField &field);
  void set(llvm::StringRef attribute, Attribute value);

  ::nnet3::kaldi::KaldiReader &reader;
  OpBuilder &builder;
  std::string parent;
  /// The name and the attributes of the current component.
  std::string name;
  ComponentAttributes *attributes = nullptr;
  /// The parts of a composite component; otherwise null.
  std::unique_ptr<Region> body;
};

} // namespace mlir::nnet3

#endif // NNET3_LIB_TARGET_KALDI_MODEL_COMPONENTREADER_H
