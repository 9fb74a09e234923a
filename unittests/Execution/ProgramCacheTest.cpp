//===- ProgramCacheTest.cpp - Compiled programs on disk -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Execution/ProgramCache.h"
#include "../Kaldi/TempDir.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlir::nnet3;
namespace fs = llvm::sys::fs;

namespace {

constexpr uint64_t kHeaderSize = 80;
constexpr uint64_t kMegabyte = 1 << 20;

ProgramKey makeKey(uint8_t number) {
  ProgramKey key = {};
  key.front() = number;
  return key;
}

std::string readBytes(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  return buffer ? (*buffer)->getBuffer().str() : "";
}

void writeBytes(const std::string &path, llvm::StringRef bytes) {
  std::error_code code;
  llvm::raw_fd_ostream(path, code) << bytes;
  ASSERT_FALSE(code);
}

/// Sets the time of last use of an entry to `age` hours ago.
void setAge(const std::string &path, int age) {
  int file = open(path.c_str(), O_RDWR);
  ASSERT_GE(file, 0);
  ASSERT_FALSE(fs::setLastAccessAndModificationTime(
      file, std::chrono::system_clock::now() - std::chrono::hours(age)));
  close(file);
}

class ProgramCacheTest : public ::testing::Test {
protected:
  ProgramCache makeCache(uint64_t maxBytes = kMegabyte) {
    return ProgramCache(
        folder, maxBytes,
        [this](const llvm::Twine &line) { warnings.push_back(line.str()); },
        [this](const llvm::Twine &line) { messages.push_back(line.str()); });
  }

  ::nnet3::kaldi::test::TempDir dir;
  std::string folder = dir.path("cache");
  std::vector<std::string> warnings, messages;
};

TEST_F(ProgramCacheTest, FindsWhatWasStored) {
  ProgramCache cache = makeCache();
  EXPECT_FALSE(cache.find(makeKey(1)));
  cache.store(makeKey(1), "one");
  cache.store(makeKey(2), llvm::StringRef("\0\n", 2));
  cache.store(makeKey(3), "");
  // Another process.
  ProgramCache other = makeCache();
  EXPECT_EQ(other.find(makeKey(1)), "one");
  EXPECT_EQ(other.find(makeKey(2)), std::string("\0\n", 2));
  EXPECT_EQ(other.find(makeKey(3)), "");
  EXPECT_FALSE(other.find(makeKey(4)));
  EXPECT_TRUE(warnings.empty());
  EXPECT_TRUE(messages.empty());
}

/// Damage to any byte, or to the length, of an entry is detected.
TEST_F(ProgramCacheTest, TrustsNothingThatIsDamaged) {
  ProgramCache cache = makeCache();
  ProgramKey key = makeKey(1);
  cache.store(key, "a program of some bytes");
  std::string path = cache.getPath(key), good = readBytes(path);
  ASSERT_EQ(good.size(), kHeaderSize + 23);
  for (size_t at = 0; at < good.size(); ++at)
    for (int bit : {0, 7}) {
      std::string bad = good;
      bad[at] ^= 1 << bit;
      writeBytes(path, bad);
      EXPECT_FALSE(cache.find(key)) << "byte " << at;
    }
  for (size_t size = 0; size < good.size(); ++size) {
    writeBytes(path, good.substr(0, size));
    EXPECT_FALSE(cache.find(key)) << size << " bytes";
  }
  writeBytes(path, good + '\0');
  EXPECT_FALSE(cache.find(key));
  EXPECT_EQ(messages.size(), 3 * good.size() + 1);
  EXPECT_EQ(messages.front(), path + " is damaged");

  // It is written anew.
  cache.store(key, "another");
  EXPECT_EQ(cache.find(key), "another");
  EXPECT_TRUE(warnings.empty());
}

TEST_F(ProgramCacheTest, DoesNotTakeOneEntryForAnother) {
  ProgramCache cache = makeCache();
  cache.store(makeKey(1), "one");
  writeBytes(cache.getPath(makeKey(2)), readBytes(cache.getPath(makeKey(1))));
  EXPECT_FALSE(cache.find(makeKey(2)));
  EXPECT_EQ(cache.find(makeKey(1)), "one");
}

TEST_F(ProgramCacheTest, PassesOverWhatIsNoFile) {
  ProgramCache cache = makeCache();
  cache.store(makeKey(1), "one");
  ASSERT_FALSE(fs::create_directory(cache.getPath(makeKey(2))));
  EXPECT_FALSE(cache.find(makeKey(2)));
  // Opening a pipe to which nobody writes would not end.
  ASSERT_EQ(mkfifo(cache.getPath(makeKey(3)).c_str(), 0600), 0);
  EXPECT_FALSE(cache.find(makeKey(3)));
  cache.store(makeKey(3), "three");
  EXPECT_EQ(cache.find(makeKey(3)), "three");
}

TEST_F(ProgramCacheTest, RemovesWhatIsUnusedForLongest) {
  std::string program(1000, 'x');
  uint64_t size = kHeaderSize + program.size();
  ProgramCache cache = makeCache(3 * size);
  for (int i : {1, 2, 3}) {
    cache.store(makeKey(i), program);
    setAge(cache.getPath(makeKey(i)), 10 - i);
  }
  EXPECT_TRUE(messages.empty());
  EXPECT_TRUE(cache.find(makeKey(1))); // used now
  cache.store(makeKey(4), program);
  EXPECT_TRUE(cache.find(makeKey(1)));
  EXPECT_FALSE(cache.find(makeKey(2)));
  EXPECT_TRUE(cache.find(makeKey(3)));
  EXPECT_TRUE(cache.find(makeKey(4)));
  EXPECT_EQ(messages.size(), 1u);

  // One that takes the place of two; files of others do not count.
  writeBytes(folder + "/other", std::string(10 * size, 'x'));
  setAge(cache.getPath(makeKey(4)), 2);
  cache.store(makeKey(5), std::string(2000, 'x'));
  EXPECT_TRUE(cache.find(makeKey(5)));
  EXPECT_FALSE(cache.find(makeKey(4)));
  EXPECT_FALSE(cache.find(makeKey(3)) && cache.find(makeKey(1)));
  EXPECT_TRUE(fs::exists(folder + "/other"));

  // One that is too large is not stored, and pushes nothing out.
  cache.store(makeKey(6), std::string(3 * size, 'x'));
  EXPECT_FALSE(cache.find(makeKey(6)));
  EXPECT_TRUE(cache.find(makeKey(5)));
}

TEST_F(ProgramCacheTest, RemovesWhatKilledProcessesLeft) {
  ProgramCache cache = makeCache();
  cache.store(makeKey(1), "one");
  std::string old = folder + "/1.n3pc.tmp1", fresh = folder + "/1.n3pc.tmp2";
  writeBytes(old, "half");
  writeBytes(fresh, "half");
  setAge(old, 2);
  cache.store(makeKey(2), "two");
  EXPECT_FALSE(fs::exists(old));
  EXPECT_TRUE(fs::exists(fresh));
}

TEST_F(ProgramCacheTest, WarnsOnceWhereItCannotWrite) {
  writeBytes(folder, "a file");
  ProgramCache cache = makeCache();
  EXPECT_FALSE(cache.find(makeKey(1)));
  cache.store(makeKey(1), "one");
  cache.store(makeKey(2), "two");
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings.front(), "warning: cannot write to the program cache " +
                                  folder +
                                  ": Not a directory; compiled programs are "
                                  "not kept");
}

/// Entries in a read-only folder can be used.
TEST_F(ProgramCacheTest, ReadsReadOnlyFolders) {
  ProgramCache cache = makeCache();
  cache.store(makeKey(1), "one");
  ASSERT_EQ(chmod(dir.path("").c_str(), 0755), 0);
  ASSERT_EQ(chmod(folder.c_str(), 0555), 0);
  // Nothing is read-only for root.
  bool isRoot = geteuid() == 0;
  if (isRoot)
    ASSERT_EQ(seteuid(65534), 0);
  EXPECT_EQ(cache.find(makeKey(1)), "one");
  cache.store(makeKey(2), "two");
  if (isRoot)
    ASSERT_EQ(seteuid(0), 0);
  EXPECT_FALSE(cache.find(makeKey(2)));
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings.front().find("Permission denied"), std::string::npos);
  chmod(folder.c_str(), 0755);
}

/// Processes that store, find and remove the same few entries only read
/// complete ones.
TEST_F(ProgramCacheTest, IsSharedByProcesses) {
  auto getProgram = [](int number) {
    return std::string(500 + 100 * number, char('a' + number));
  };
  auto work = [&](int process) {
    // Room for about half of them.
    ProgramCache cache(folder, 4000);
    for (int i = 0; i < 300; ++i) {
      int number = (i * (process + 1)) % 7;
      auto program = cache.find(makeKey(number));
      if (program && *program != getProgram(number))
        _exit(1);
      if (!program)
        cache.store(makeKey(number), getProgram(number));
    }
    _exit(0);
  };
  std::vector<pid_t> children;
  for (int process = 0; process < 4; ++process) {
    children.push_back(fork());
    if (children.back() == 0)
      work(process);
  }
  for (pid_t child : children) {
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  std::error_code code;
  for (fs::directory_iterator it(folder, code), end; it != end && !code;
       it.increment(code))
    EXPECT_TRUE(llvm::StringRef(it->path()).ends_with(".n3pc")) << it->path();
}

} // namespace
