//===- CallChoices.h - Arguments for random calls ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_TEST_SUPPORT_CALLCHOICES_H
#define NNET3_RUNTIME_TEST_SUPPORT_CALLCHOICES_H

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

namespace nnet3 {
namespace rt {
namespace test {

/// Ends the program with \p what unless \p condition is true.
inline void require(bool condition, const char *what) {
  if (condition)
    return;
  std::fprintf(stderr, "LibraryCalls: %s\n", what);
  std::abort();
}

/// Decisions, taken from bytes; zeros when they are used up.
class Choices {
public:
  Choices(const uint8_t *data, size_t size) : data(data), size(size) {}

  bool isOver() const { return at == size; }
  uint32_t byte() { return at < size ? data[at++] : 0; }
  /// One of 0, ..., \p count - 1.
  uint32_t below(uint32_t count) { return byte() % count; }
  bool once(uint32_t in) { return below(in) == in - 1; }
  /// Mostly \p right, sometimes one of \p wrong, sometimes anything.
  template <typename T> T mostly(T right, std::initializer_list<T> wrong = {}) {
    const uint32_t choice = byte();
    if (choice < 224)
      return right;
    if (choice < 248 && wrong.size() > 0)
      return wrong.begin()[choice % wrong.size()];
    T any = 0;
    for (size_t i = 0; i < sizeof(T); ++i)
      any = static_cast<T>(static_cast<uint64_t>(any) << 8 | byte());
    return any;
  }

private:
  const uint8_t *data;
  size_t size, at = 0;
};

/// Memory of exactly the given size, so that sanitizers detect accesses beyond
/// it.
class Memory {
public:
  explicit Memory(uint64_t size, uint64_t alignment = 64, uint64_t shift = 0)
      : shift(shift) {
    require(posix_memalign(&all, alignment, size + shift) == 0, "no memory");
    std::memset(get(), 0x5A, size);
  }
  ~Memory() { std::free(all); }
  Memory(const Memory &) = delete;
  Memory &operator=(const Memory &) = delete;
  void *get() const { return static_cast<char *>(all) + shift; }
  template <typename T> T *as() const { return static_cast<T *>(get()); }

private:
  void *all = nullptr;
  uint64_t shift;
};

} // namespace test
} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_TEST_SUPPORT_CALLCHOICES_H
