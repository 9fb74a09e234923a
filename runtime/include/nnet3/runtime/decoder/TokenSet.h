//===- TokenSet.h - The tokens of a decoder ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_DECODER_TOKENSET_H
#define NNET3_RUNTIME_DECODER_TOKENSET_H

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace nnet3 {
namespace rt {

/// The best path to a state.
struct Token {
  int32_t state;
  float cost;
  /// Index of its last word in BeamDecoder's history; -1 for none.
  int32_t words;
};

/// A hash map from states to tokens.
class TokenSet {
public:
  /// Returns the index of the token of \p state, and whether this call added
  /// it.
  std::pair<int32_t, bool> add(int32_t state) {
    if (2 * (tokens.size() + 1) > slots.size())
      grow();
    size_t at = find(state);
    if (slots[at] >= 0)
      return {slots[at], false};
    slots[at] = static_cast<int32_t>(tokens.size());
    tokens.push_back({state, 0, -1});
    return {slots[at], true};
  }

  void clear() {
    std::fill(slots.begin(), slots.end(), -1);
    tokens.clear();
  }

  int64_t size() const { return static_cast<int64_t>(tokens.size()); }
  Token &operator[](int64_t index) { return tokens[index]; }
  std::vector<Token>::iterator begin() { return tokens.begin(); }
  std::vector<Token>::iterator end() { return tokens.end(); }
  std::vector<Token>::const_iterator begin() const { return tokens.begin(); }
  std::vector<Token>::const_iterator end() const { return tokens.end(); }

private:
  /// Returns the slot of a state, or the free slot where it would be inserted.
  size_t find(int32_t state) const {
    const size_t mask = slots.size() - 1;
    size_t at = (static_cast<uint32_t>(state) * 0x9E3779B1u) >> 4 & mask;
    while (slots[at] >= 0 && tokens[slots[at]].state != state)
      at = (at + 1) & mask;
    return at;
  }

  void grow() {
    slots.assign(std::max<size_t>(1024, 2 * slots.size()), -1);
    for (size_t i = 0; i < tokens.size(); ++i)
      slots[find(tokens[i].state)] = static_cast<int32_t>(i);
  }

  std::vector<Token> tokens;
  /// Open-addressing table of token indices, -1 if free. Its size is a power of
  /// two, and at least half of it is free.
  std::vector<int32_t> slots;
};

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_DECODER_TOKENSET_H
