//===- TableWriteTest.cpp - Archives, scripts and files written -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TempDir.h"
#include "TestUtil.h"
#include "nnet3/Kaldi/IO/Input.h"
#include "nnet3/Kaldi/IO/OutputFile.h"
#include "nnet3/Kaldi/Tables/Tables.h"
#include "llvm/Support/FileSystem.h"
#include <csignal>
#include <sys/resource.h>

using namespace nnet3::kaldi;
using namespace nnet3::kaldi::test;

namespace {
/// Copies a table of matrices and returns the error, if any.
std::string copyTable(const std::string &from, const std::string &to) {
  auto reader = SequentialMatrixReader::open(from);
  if (!reader)
    return llvm::toString(reader.takeError());
  auto writer = MatrixWriter::open(to);
  if (!writer)
    return llvm::toString(writer.takeError());
  while (llvm::cantFail((*reader)->next()))
    if (llvm::Error error =
            (*writer)->write((*reader)->getKey(), (*reader)->getValue()))
      return llvm::toString(std::move(error));
  return llvm::toString((*writer)->close());
}

TEST(TableWriter, GoldenArchivesAgain) {
  TempDir dir;
  std::string out = dir.path("out.ark");
  EXPECT_EQ(copyTable("ark:" + inputPath("feats12.txt.ark"), "ark:" + out), "");
  EXPECT_EQ(slurp(out), slurp(inputPath("feats12.bin.ark")));
  EXPECT_EQ(copyTable("ark:" + inputPath("feats12.bin.ark"), "ark,t:" + out),
            "");
  EXPECT_EQ(slurp(out), slurp(inputPath("feats12.txt.ark")));
}

TEST(TableWriter, ArchiveAndScript) {
  TempDir dir;
  for (const char *options : {"ark,scp:", "ark,scp,t:"}) {
    std::string ark = dir.path("out.ark"), scp = dir.path("out.scp");
    EXPECT_EQ(copyTable("ark:" + inputPath("feats20.bin.ark"),
                        options + ark + "," + scp),
              "");
    // The script leads to the same records.
    std::string again = dir.path("again.ark");
    EXPECT_EQ(copyTable("scp:" + scp, "ark:" + again), "");
    EXPECT_EQ(slurp(again), slurp(inputPath("feats20.bin.ark")));
  }
  std::string script = slurp(dir.path("out.scp"));
  EXPECT_EQ(script.find("utt-a " + dir.path("out.ark") + ":6\n"), 0u);
}

TEST(TableWriter, ByScript) {
  TempDir dir;
  std::string scp = dir.file("out.scp", "utt-a " + dir.path("a") + "\nutt-b " +
                                            dir.path("b") + "\n");
  std::string golden = "ark:" + inputPath("feats12.bin.ark");
  EXPECT_EQ(copyTable(golden, "scp:" + scp),
            scp + ": error: has no file for key 'utt-c'");
  EXPECT_EQ(copyTable(golden, "scp,p:" + scp), "");
  auto matrix = readMatrixFile(dir.path("b"));
  ASSERT_TRUE(bool(matrix));
  EXPECT_EQ(matrix->rows, 12);
}

TEST(TableWriter, Pipes) {
  TempDir dir;
  std::string out = dir.path("out.ark");
  std::string golden = "ark:" + inputPath("feats12.bin.ark");
  EXPECT_EQ(copyTable(golden, "ark:| cat > " + out), "");
  EXPECT_EQ(slurp(out), slurp(inputPath("feats12.bin.ark")));
  EXPECT_EQ(copyTable(golden, "ark:| cat > /dev/null; exit 2"),
            "| cat > /dev/null; exit 2: error: the command failed with exit "
            "status 2");
}

TEST(TableWriter, Errors) {
  TempDir dir;
  Matrix matrix(1, 1);
  auto writer = MatrixWriter::open("ark:" + dir.path("a.ark"));
  ASSERT_TRUE(bool(writer));
  EXPECT_EQ(llvm::toString((*writer)->write("two words", matrix)),
            "error: expects a key without blanks, but got 'two words'");
  EXPECT_EQ(llvm::toString((*writer)->write("", matrix)),
            "error: expects a key without blanks, but got ''");
  EXPECT_EQ(llvm::toString(
                MatrixWriter::open("ark:" + dir.path("no/a.ark")).takeError()),
            dir.path("no/a.ark") +
                ": error: cannot write: No such file or directory");
  EXPECT_EQ(llvm::toString(MatrixWriter::open("ark,scp:-,a.scp").takeError()),
            "-: error: expects a plain file, to which a script can point");
}

/// Writes records of `matrix` to a disk of `size` bytes, where two fit.
void testFullDisk(const Matrix &matrix, rlim_t size) {
  TempDir dir;
  std::string out = dir.path("out.ark");
  rlimit before;
  getrlimit(RLIMIT_FSIZE, &before);
  auto oldHandler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit limit = before;
  limit.rlim_cur = size;
  setrlimit(RLIMIT_FSIZE, &limit);
  auto writer = MatrixWriter::open("ark:" + out);
  ASSERT_TRUE(bool(writer));
  unsigned good = 0;
  std::string error;
  while (error.empty() && good < 10) {
    error = llvm::toString((*writer)->write("key", matrix));
    good += error.empty();
  }
  EXPECT_EQ(llvm::toString((*writer)->write("key", matrix)),
            out + ": error: cannot write after an error");
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, oldHandler);
  EXPECT_EQ(error, out + ": error: cannot write: File too large");
  EXPECT_EQ(good, 2u);
  EXPECT_EQ(copyTable("ark:" + out, "ark:" + dir.path("copy.ark")), "");
  EXPECT_EQ(slurp(dir.path("copy.ark")), slurp(out));
}

TEST(TableWriter, KeepsFilesWithoutARecord) {
  TempDir dir;
  const std::string before = dir.file("before.ark", "before");
  for (const std::string &path : {before, dir.path("new.ark")}) {
    auto writer = llvm::cantFail(MatrixWriter::open("ark:" + path));
    EXPECT_TRUE(llvm::sys::fs::exists(path));
    writer.reset();
  }
  EXPECT_EQ(slurp(before), "before");
  EXPECT_FALSE(llvm::sys::fs::exists(dir.path("new.ark")));
  auto writer = llvm::cantFail(MatrixWriter::open("ark:" + before));
  llvm::cantFail(writer->close());
  EXPECT_EQ(slurp(before), "");
}

TEST(TableWriter, FullDiskLeavesWholeRecords) {
  testFullDisk(Matrix(100, 10), 10000);
}

// Large records are written in pieces.
TEST(TableWriter, FullDiskLeavesWholeLargeRecords) {
  testFullDisk(Matrix(1000, 1000), 10000000);
}

//===----------------------------------------------------------------------===//
// Single files
//===----------------------------------------------------------------------===//

TEST(OutputFile, AppearsOnCommitOnly) {
  TempDir dir;
  std::string path = dir.file("out", "before");
  {
    auto file = OutputFile::create(path);
    ASSERT_TRUE(bool(file));
    (*file)->getStream() << "never finished";
  }
  EXPECT_EQ(slurp(path), "before");
  EXPECT_EQ(dir.numFiles(), 1u);
  auto file = OutputFile::create(path);
  ASSERT_TRUE(bool(file));
  (*file)->getStream() << "after";
  EXPECT_EQ(slurp(path), "before");
  EXPECT_FALSE((*file)->commit());
  EXPECT_EQ(slurp(path), "after");
  EXPECT_EQ(dir.numFiles(), 1u);
}

TEST(OutputFile, KeepsLinksAndPermissions) {
  TempDir dir;
  std::string target = dir.file("target", "before"), link = dir.path("link");
  ASSERT_FALSE(llvm::sys::fs::create_link(target, link));
  ASSERT_FALSE(
      llvm::sys::fs::setPermissions(target, llvm::sys::fs::perms(0640)));
  auto file = OutputFile::create(link);
  ASSERT_TRUE(bool(file));
  (*file)->getStream() << "after";
  EXPECT_FALSE((*file)->commit());
  EXPECT_EQ(slurp(target), "after");
  EXPECT_EQ(*llvm::sys::fs::getPermissions(target), 0640);
  EXPECT_TRUE(llvm::sys::fs::is_symlink_file(link));
}

TEST(OutputFile, Errors) {
  TempDir dir;
  EXPECT_EQ(llvm::toString(OutputFile::create(dir.path("no/out")).takeError()),
            dir.path("no/out") +
                ": error: cannot write: No such file or directory");
  EXPECT_EQ(llvm::toString(OutputFile::create(dir.path("")).takeError()),
            dir.path("") + ": error: cannot write: Is a directory");
  auto full = OutputFile::create("/dev/full");
  ASSERT_TRUE(bool(full));
  (*full)->getStream() << "text";
  EXPECT_EQ(llvm::toString((*full)->commit()),
            "/dev/full: error: cannot write: No space left on device");
}

TEST(SingleFiles, RoundTrip) {
  TempDir dir;
  Matrix matrix(2, 3);
  matrix.data = {1, 2, 3, 4, 5, 0.1f};
  for (bool binary : {false, true}) {
    EXPECT_FALSE(writeMatrixFile(dir.path("m"), matrix, binary));
    EXPECT_EQ(llvm::cantFail(readMatrixFile(dir.path("m"))), matrix);
    EXPECT_FALSE(writeMatrixFile("| cat > " + dir.path("p"), matrix, binary));
    EXPECT_EQ(llvm::cantFail(readMatrixFile("cat " + dir.path("p") + " |")),
              matrix);
  }
}

/// Endless input is read only until its type is known.
TEST(SingleFiles, EndlessInput) {
  for (const char *name : {"/dev/zero", "cat /dev/zero |", "/dev/zero:7"}) {
    auto buffer = readInput(name, hasZeroByte);
    ASSERT_TRUE(bool(buffer)) << name;
    EXPECT_LE((*buffer)->getBufferSize(), size_t(1) << 20);
  }
}

/// Only the beginning is inspected; the rest is read.
TEST(SingleFiles, RejectLooksAtTheBeginning) {
  std::string command = "head -c 2000000 /dev/zero | tr '\\0' x";
  size_t longest = 0;
  auto buffer =
      readInput(command + "; printf '\\0' |", [&](llvm::StringRef beginning) {
        longest = std::max(longest, beginning.size());
        return hasZeroByte(beginning);
      });
  ASSERT_TRUE(bool(buffer));
  EXPECT_EQ((*buffer)->getBufferSize(), 2000001u);
  EXPECT_LE(longest, size_t(2) << 20);
}

TEST(SingleFiles, NamesToWrite) {
  auto errorOf = [](llvm::StringRef name) {
    return llvm::toString(writeMatrixFile(name, {1, 1}, /*binary=*/true));
  };
  EXPECT_EQ(errorOf("out:12"), "'out:12': error: expects a file to write, but "
                               "got an offset in a file");
  EXPECT_EQ(errorOf(" out"), "' out': error: expects a file name without "
                             "blanks around it");
  EXPECT_EQ(errorOf("cat |"), "cat |: error: expects something to write, but "
                              "got a command to read from");
}

TEST(SingleFiles, ReadInput) {
  TempDir dir;
  std::string path = dir.file("in", "0123456789");
  auto contentsOf = [](const std::string &name) {
    return llvm::cantFail(readInput(name))->getBuffer().str();
  };
  EXPECT_EQ(contentsOf(path), "0123456789");
  EXPECT_EQ(contentsOf(path + ":7"), "789");
  EXPECT_EQ(contentsOf("head -c 3 " + path + " |"), "012");
  EXPECT_EQ(llvm::toString(readInput("| cat").takeError()),
            "| cat: error: expects something to read, but got a command to "
            "write to");
  EXPECT_EQ(llvm::toString(readInput(" x").takeError()),
            "' x': error: expects a file name without blanks around it");
  EXPECT_EQ(
      llvm::toString(readInput("cat |", /*reject=*/nullptr, PipePolicy::Refuse)
                         .takeError()),
      "cat |: error: a command found in a file is not run unless "
      "--allow-scp-pipes is given");
}
} // namespace
