//===- MatrixFileTest.cpp - Matrices in Kaldi's files ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runner/MatrixFile.h"

#include <gtest/gtest.h>

#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace nnet3::rt;

namespace {

std::string parseError(std::string_view bytes) {
  auto matrix = parseMatrix(bytes);
  return matrix.ok() ? "" : matrix.status().message();
}

/// `dims`, then the values.
std::string binary(int32_t rows, int32_t cols,
                   const std::vector<float> &values) {
  std::string bytes("\0BFM ", 5);
  for (int32_t dim : {rows, cols}) {
    bytes += '\4';
    bytes.append(reinterpret_cast<const char *>(&dim), 4);
  }
  bytes.append(reinterpret_cast<const char *>(values.data()),
               4 * values.size());
  return bytes;
}

TEST(MatrixFileTest, Text) {
  auto matrix = parseMatrix(" [\n  1 -2.5e1\n  3 nan ]\n");
  ASSERT_TRUE(matrix.ok());
  EXPECT_EQ(matrix->rows, 2);
  EXPECT_EQ(matrix->cols, 2);
  EXPECT_EQ(matrix->values[1], -25);
  EXPECT_NE(matrix->values[3], matrix->values[3]);
  EXPECT_EQ(parseMatrix("[ ]")->rows, 0);
}

TEST(MatrixFileTest, TextErrors) {
  EXPECT_EQ(parseError("1 2"),
            "byte 0: expects a matrix, which begins with '['");
  EXPECT_EQ(parseError(""), "byte 0: expects a matrix, which begins with '['");
  EXPECT_EQ(parseError("[ 1 x ]"), "byte 4: expects a number, or ']'");
  EXPECT_EQ(parseError("[ 1 2"), "byte 5: the file ends inside of a matrix");
  EXPECT_EQ(parseError("[ 1 2\n3 ]"),
            "byte 8: expects a row of 2 numbers, but got 1");
  EXPECT_EQ(parseError("[ 1 ] [ 2 ]"), "byte 6: expects the end of the file");
}

TEST(MatrixFileTest, Binary) {
  auto matrix = parseMatrix(binary(1, 2, {3, 4}));
  ASSERT_TRUE(matrix.ok());
  EXPECT_EQ(matrix->cols, 2);
  EXPECT_EQ(matrix->values[1], 4);
  EXPECT_EQ(parseError(binary(1, 3, {3, 4})),
            "byte 23: a 1 x 3 matrix does not end here");
  EXPECT_EQ(parseError(binary(0x7FFFFFFF, 0x7FFFFFFF, {})),
            "byte 15: a 2147483647 x 2147483647 matrix does not end here");
  EXPECT_EQ(parseError(binary(-1, 3, {})),
            "byte 5: expects a number of 4 bytes, not negative");
  EXPECT_EQ(parseError(std::string("\0BDM ", 5)),
            "byte 2: expects a matrix of floats, 'FM '");
}

TEST(MatrixFileTest, EveryTruncationOfABinaryFile) {
  const std::string bytes = binary(1, 2, {3, 4});
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_NE(parseError(bytes.substr(0, size)), "") << size;
}

/// Returns a path that concurrent test runs do not share.
std::string temporaryPath(const std::string &name) {
  return testing::TempDir() + name + std::to_string(getpid());
}

std::string contents(const std::string &path) {
  std::string bytes;
  std::ifstream(path) >> bytes;
  return bytes;
}

/// Pipes and devices are written to and not replaced.
TEST(MatrixFileTest, WritesToPipes) {
  const std::string path = temporaryPath("nnet3-pipe");
  std::remove(path.c_str());
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  const int pipe = open(path.c_str(), O_RDWR | O_NONBLOCK);
  ASSERT_GE(pipe, 0);
  EXPECT_TRUE(writeWholeFile(path, "bytes").ok());
  char bytes[6] = "";
  EXPECT_EQ(read(pipe, bytes, 5), 5);
  EXPECT_STREQ(bytes, "bytes");
  close(pipe);
  struct stat there;
  ASSERT_EQ(stat(path.c_str(), &there), 0);
  EXPECT_TRUE(S_ISFIFO(there.st_mode));
  std::remove(path.c_str());
}

TEST(MatrixFileTest, WritesWholeFilesOrNone) {
  const std::string path = temporaryPath("nnet3-whole");
  EXPECT_TRUE(writeWholeFile(path, "bytes").ok());
  EXPECT_EQ(contents(path), "bytes");
  // Files end in the middle of what is written.
  rlimit before;
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit few = {4, before.rlim_max};
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &few), 0);
  const Status error = writeWholeFile(path, "other");
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(error.message(), "cannot write '" + path + "': File too large");
  EXPECT_EQ(contents(path), "bytes");
  EXPECT_NE(access((path + ".part").c_str(), F_OK), 0);
  std::remove(path.c_str());
  EXPECT_EQ(writeWholeFile(path + "/none", "bytes").message(),
            "cannot write '" + path + "/none': No such file or directory");
}

} // namespace
