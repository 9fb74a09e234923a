//===- CompressionChecker.cpp - Verifying compression commands ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CommandChecker.h"
#include "cpu/math/Compression.h"

namespace nnet3 {
namespace rt {

using schema::CompressedType;

/// Size of a compressed matrix in floats.
static uint64_t compressedFloats(const Window &whole, CompressedType type) {
  const uint64_t bytes =
      uint64_t(whole.rows) * uint64_t(whole.cols) * compressedSize(type);
  return (bytes + sizeof(float) - 1) / sizeof(float);
}

/// The lifetimes of the matrix and of its compressed copy overlap at this
/// command.
bool CommandChecker::checkCompress() {
  if (!whole(source->src(), "source", command.src) ||
      !existing(source->src(), "source", command.src))
    return false;
  const int32_t type = source->table();
  if (type < 0 || type > static_cast<int32_t>(CompressedType::MAX))
    return fail("unknown type " + std::to_string(type) +
                " of a compressed matrix");
  command.elements = static_cast<CompressedType>(type);
  if (command.alpha < 0)
    return fail("expects a range that is not negative");
  if (command.alpha == 0 && command.elements != CompressedType::UInt8)
    return fail("expects type UInt8 for a range of 0");
  MatrixState &state = matrices[command.src.matrix];
  if (state.provided)
    return fail("matrix " + std::to_string(command.src.matrix) +
                " has been provided as an output");
  command.storage =
      beginStorage(compressedFloats(command.src, command.elements));
  endStorage(state.storage);
  state = MatrixState();
  state.compressed = true;
  state.elements = command.elements;
  state.range = command.alpha;
  state.storage = command.storage;
  return checkArenaSize();
}

bool CommandChecker::checkDecompress() {
  if (!whole(source->dst(), "destination", command.dst) ||
      !whole(source->src(), "source", command.src))
    return false;
  if (command.dst.rows != command.src.rows ||
      command.dst.cols != command.src.cols)
    return fail("expects equal dims");
  const MatrixState from = matrices[command.src.matrix];
  if (!from.compressed)
    return fail("matrix " + std::to_string(command.src.matrix) +
                " is not compressed");
  command.elements = from.elements;
  command.alpha = from.range;
  matrices[command.src.matrix] = MatrixState();
  if (!begin(command.dst))
    return false;
  endStorage(from.storage);
  return true;
}

} // namespace rt
} // namespace nnet3
