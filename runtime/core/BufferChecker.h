//===- BufferChecker.h - Checks of programs and libraries -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_CORE_BUFFERCHECKER_H
#define NNET3_RUNTIME_CORE_BUFFERCHECKER_H

#include "Component.h"
#include "LoopedList.h"
#include "nnet3/runtime/Runtime.h"
#include "nnet3/runtime/program_generated.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace nnet3 {
namespace rt {

using ComponentList = std::vector<std::unique_ptr<Component>>;
using IoList = flatbuffers::Vector<flatbuffers::Offset<schema::IoMatrix>>;

/// Limits of buffers for FlatBuffers' own verifier.
constexpr uint32_t kMaxBufferDepth = 16;
constexpr uint32_t kMaxBufferTables = 1u << 22;

/// Checks a buffer beyond FlatBuffers' own verifier, which must run first.
/// Keeps the first error.
class BufferChecker {
protected:
  /// \p size is the size of the buffer in bytes.
  explicit BufferChecker(uint64_t size) : unclaimed(size) {}

  void fail(const std::string &message) {
    if (error.ok())
      error = invalidProgram(message);
  }

  // A FlatBuffer may refer to the same vector many times, and so represent far
  // more data than it has bytes. No writer does that, so all vectors together
  // must fit into the buffer.
  template <typename Vector> void claim(const Vector *vector) {
    if (vector)
      claim(vector->data(), vector->size(), sizeof(*vector->data()));
  }
  void claim(const void *data, uint64_t count, uint64_t elementSize);
  void claimAttributes(const AttributeReader::List *attributes);
  void claimComponents(
      const flatbuffers::Vector<flatbuffers::Offset<schema::Component>>
          *components);

  void checkName(const flatbuffers::String *name);
  /// Loads an input or output without its indexes. \p kind is "input" or
  /// "output".
  IoInfo loadIo(const schema::IoMatrix &io, const char *kind);
  /// Expands the indexes of a matrix that is known to fit into memory. \p lists
  /// owns them.
  void listIndexes(const schema::IoMatrix &io, IoInfo &info,
                   std::vector<std::vector<int32_t>> &lists);
  /// Fails if two of \p names are equal.
  void checkDistinct(std::vector<std::string_view> names, const char *kind);
  void loadComponents(
      const flatbuffers::Vector<flatbuffers::Offset<schema::Component>>
          *components,
      Weights &weights, ComponentList &out);

  Status error;

private:
  uint64_t unclaimed;
};

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CORE_BUFFERCHECKER_H
