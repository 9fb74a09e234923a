//===- GraphHeader.cpp - The beginning of OpenFst's files -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GraphHeader.h"

#include <cstdint>
#include <fstream>

using namespace nnet3::rt;

namespace {
/// Reads numbers and skips strings. After an error nothing is sound.
class GraphFile {
public:
  explicit GraphFile(const std::string &path)
      : file(path, std::ios::binary | std::ios::ate),
        size(static_cast<int64_t>(file.tellg())) {
    file.seekg(0);
  }

  bool isSound() const { return sound && file.good(); }
  void expect(bool condition) { sound &= condition; }
  /// Expects at most so many items of at least a bit each.
  void expectItems(int64_t count) { expect(count <= 8 * size); }

  template <typename T> T read() {
    T value = {};
    file.read(reinterpret_cast<char *>(&value), sizeof(value));
    return value;
  }

  void skipString() {
    const auto length = read<int32_t>();
    expect(length >= 0 && length <= size - file.tellg());
    if (isSound())
      file.seekg(length, std::ios::cur);
  }

  void skipSymbols() {
    constexpr int32_t kMagic = 2125658996;
    expect(read<int32_t>() == kMagic);
    skipString();
    read<int64_t>(); // the next free key
    const auto count = read<int64_t>();
    expectItems(count);
    for (int64_t i = 0; i < count && isSound(); ++i) {
      skipString();
      read<int64_t>();
    }
  }

private:
  std::ifstream file;
  int64_t size;
  bool sound = true;
};
} // namespace

bool nnet3::rt::hasSoundHeader(const std::string &path) {
  constexpr int32_t kMagic = 2125659606;
  constexpr int32_t kHasInputSymbols = 1, kHasOutputSymbols = 2;
  GraphFile file(path);
  file.expect(file.read<int32_t>() == kMagic);
  file.skipString();    // the type of the graph
  file.skipString();    // the type of its arcs
  file.read<int32_t>(); // version
  const auto flags = file.read<int32_t>();
  file.read<uint64_t>(); // properties
  file.read<int64_t>();  // first state
  const auto numStates = file.read<int64_t>();
  file.expectItems(numStates);
  file.expectItems(file.read<int64_t>()); // arcs
  for (int32_t flag : {kHasInputSymbols, kHasOutputSymbols})
    if (flags & flag && file.isSound())
      file.skipSymbols();
  return file.isSound();
}
