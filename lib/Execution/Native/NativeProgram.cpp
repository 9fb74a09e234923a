//===- NativeProgram.cpp - A request as machine code ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Execution/NativeProgram.h"

#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/ErrorHandling.h"

#include <cstring>

using namespace mlir::nnet3;
using llvm::ArrayRef;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

std::string NativeProgram::encode() const {
  return std::string(weights.begin(), weights.end()) + object;
}

std::optional<NativeProgram> NativeProgram::decode(StringRef bytes) {
  NativeProgram program;
  if (bytes.size() < program.weights.size())
    return std::nullopt;
  llvm::copy(bytes.take_front(program.weights.size()), program.weights.begin());
  program.object = bytes.drop_front(program.weights.size()).str();
  return program;
}

//===----------------------------------------------------------------------===//
// Weights
//===----------------------------------------------------------------------===//

NativeWeights::NativeWeights(ArrayRef<char> bytes)
    : size(bytes.size()), memory(size) {
  if (!memory.data())
    llvm::report_bad_alloc_error("no memory for weights");
  if (size)
    std::memcpy(memory.data(), bytes.data(), size);
}

ProgramKey NativeWeights::getKey(ArrayRef<char> bytes) {
  llvm::BLAKE3 hasher;
  // Distinguishes the keys of weights from those of programs.
  hasher.update("weights:");
  hasher.update(StringRef(bytes.data(), bytes.size()));
  return hasher.final<sizeof(ProgramKey)>();
}

std::shared_ptr<const NativeWeights>
NativeWeightsPool::findUsed(const ProgramKey &key) const {
  auto found = used.find(key);
  return found == used.end() ? nullptr : found->second.lock();
}

std::shared_ptr<const NativeWeights>
NativeWeightsPool::find(const ProgramKey &key) {
  if (auto known = findUsed(key))
    return known;
  std::optional<std::string> bytes = cache ? cache->find(key) : std::nullopt;
  if (!bytes)
    return nullptr;
  auto made = std::make_shared<const NativeWeights>(
      ArrayRef(bytes->data(), bytes->size()));
  used[key] = made;
  return made;
}

std::shared_ptr<const NativeWeights>
NativeWeightsPool::add(const ProgramKey &key, ArrayRef<char> bytes) {
  if (auto known = findUsed(key))
    return known;
  // Another run may have stored the weights already, or a damaged copy.
  if (cache && !cache->find(key))
    cache->store(key, StringRef(bytes.data(), bytes.size()));
  auto made = std::make_shared<const NativeWeights>(bytes);
  used[key] = made;
  return made;
}

size_t NativeWeightsPool::size() const {
  return llvm::count_if(
      used, [](const auto &entry) { return !entry.second.expired(); });
}
