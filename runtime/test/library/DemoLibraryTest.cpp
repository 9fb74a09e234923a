//===- DemoLibraryTest.cpp - The file of a library ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dependencies and exports of a shared library linked from the archive.
//
//===----------------------------------------------------------------------===//

#include <cstdio>
#include <gtest/gtest.h>
#include <set>
#include <sstream>
#include <string>

namespace {

std::string outputOf(const std::string &command) {
  FILE *pipe = popen(command.c_str(), "r");
  EXPECT_TRUE(pipe);
  std::string text;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe))
    text += static_cast<char>(c);
  EXPECT_EQ(pclose(pipe), 0) << command;
  return text;
}

TEST(DemoLibraryTest, ProgramInC) {
  const std::string text = outputOf(NNET3_USE_DEMO);
  EXPECT_EQ(text.find("request chunk\n"
                      "input input: 3 x 4, t from -1 to 1\n"
                      "output hidden: 3 x 5, t from -1 to 1\n"),
            0u)
      << text;
}

// libm, and the dynamic linker, which has the thread-local variables of
// exceptions, are part of the C library.
TEST(DemoLibraryTest, NeedsTheCLibraryAlone) {
  std::istringstream lines(outputOf("readelf -dW " NNET3_DEMO_LIBRARY));
  const std::set<std::string> allowed = {"libc.so.6", "libm.so.6",
                                         "ld-linux-x86-64.so.2",
                                         "ld-linux-aarch64.so.1"};
  int needed = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.find("(NEEDED)") == std::string::npos)
      continue;
    const size_t begin = line.find('[') + 1;
    EXPECT_TRUE(allowed.count(line.substr(begin, line.find(']') - begin)))
        << line;
    ++needed;
  }
  EXPECT_GE(needed, 1);
}

TEST(DemoLibraryTest, ShowsItsFunctionsAlone) {
  const std::set<std::string> expected = {
#define NNET3LIB_WRAPPER(name, signature) "demo_" #name,
#include "nnet3/runtime/LibraryWrappers.def"
  };
  std::istringstream lines(
      outputOf("nm -D --defined-only --format=posix " NNET3_DEMO_LIBRARY));
  std::set<std::string> shown;
  for (std::string line; std::getline(lines, line);)
    shown.insert(line.substr(0, line.find(' ')));
  EXPECT_EQ(shown, expected);
}

} // namespace
