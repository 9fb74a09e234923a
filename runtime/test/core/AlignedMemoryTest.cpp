//===- AlignedMemoryTest.cpp - Memory for matrices ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/runtime/AlignedMemory.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <string>

using namespace nnet3::rt;

namespace {

constexpr uint64_t kMegabyte = uint64_t(1) << 20;

uint64_t getRemainder(const void *data, uint64_t alignment) {
  return reinterpret_cast<uintptr_t>(data) % alignment;
}

/// The flags of the mapping that \p data is in; empty where the system does not
/// tell them.
std::string getFlags(const void *data) {
  const auto address = reinterpret_cast<unsigned long>(data);
  std::ifstream maps("/proc/self/smaps");
  bool found = false;
  for (std::string line; std::getline(maps, line);) {
    unsigned long begin = 0, end = 0;
    if (std::sscanf(line.c_str(), "%lx-%lx ", &begin, &end) == 2)
      found = begin <= address && address < end;
    else if (found && line.rfind("VmFlags:", 0) == 0)
      return line;
  }
  return "";
}

TEST(AlignedMemoryTest, IsAligned) {
  for (uint64_t size : {uint64_t(0), uint64_t(1), uint64_t(65), kMegabyte,
                        4 * kMegabyte, 5 * kMegabyte + 1}) {
    const AlignedBytes bytes(size);
    ASSERT_TRUE(bytes.data());
    EXPECT_EQ(getRemainder(bytes.data(), 64), 0u);
    if (size)
      bytes.data()[size - 1] = 1;
  }
}

TEST(AlignedMemoryTest, AsksForHugePages) {
  if (!std::ifstream("/sys/kernel/mm/transparent_hugepage/enabled"))
    GTEST_SKIP() << "the system has no huge pages";
  const AlignedBytes bytes(5 * kMegabyte);
  ASSERT_TRUE(bytes.data());
  EXPECT_EQ(getRemainder(bytes.data(), 2 * kMegabyte), 0u);
  EXPECT_NE((getFlags(bytes.data()) + " ").find(" hg "), std::string::npos);
}

TEST(AlignedMemoryTest, NoMemory) {
  EXPECT_EQ(AlignedBytes(UINT64_MAX).data(), nullptr);
  EXPECT_EQ(AlignedBytes(UINT64_MAX - 4 * kMegabyte).data(), nullptr);
}

} // namespace
