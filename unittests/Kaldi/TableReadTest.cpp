//===- TableReadTest.cpp - Archives and scripts read ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TempDir.h"
#include "TestUtil.h"
#include "nnet3/Kaldi/Tables/Tables.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

using namespace nnet3::kaldi;
using namespace nnet3::kaldi::test;

namespace {
/// The result of reading a table.
template <typename T> struct Contents {
  std::vector<std::string> keys;
  std::vector<T> values;
  std::vector<std::string> warnings;
  std::string error;
};

template <typename T = Matrix>
Contents<T> readAll(const std::string &rspecifier, TableOptions options = {}) {
  Contents<T> contents;
  options.warn = [&](llvm::StringRef warning) {
    contents.warnings.push_back(warning.str());
  };
  auto table = SequentialTableReader<T>::open(rspecifier, options);
  if (!table) {
    contents.error = llvm::toString(table.takeError());
    return contents;
  }
  while (true) {
    llvm::Expected<bool> more = (*table)->next();
    if (!more) {
      contents.error = llvm::toString(more.takeError());
      return contents;
    }
    if (!*more)
      return contents;
    contents.keys.push_back((*table)->getKey().str());
    contents.values.push_back((*table)->getValue());
  }
}

TEST(SequentialTable, GoldenArchives) {
  auto text = readAll("ark:" + inputPath("feats12.txt.ark"));
  auto binary = readAll("ark:" + inputPath("feats12.bin.ark"));
  auto compressed = readAll("ark:" + inputPath("feats12.compressed.ark"));
  for (auto *contents : {&text, &binary, &compressed}) {
    EXPECT_EQ(contents->error, "");
    EXPECT_EQ(contents->keys,
              (std::vector<std::string>{"utt-a", "utt-b", "utt-c", "utt-d"}));
  }
  EXPECT_EQ(text.values, binary.values);
  int64_t rows[] = {57, 12, 131, 1};
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(text.values[i].rows, rows[i]);
    ASSERT_EQ(compressed.values[i].rows, rows[i]);
    ASSERT_EQ(compressed.values[i].cols, 12);
    for (size_t k = 0; k < text.values[i].data.size(); ++k)
      EXPECT_NEAR(compressed.values[i].data[k], text.values[i].data[k], 0.3);
  }
}

/// Returns the golden script with the full path of the archive.
std::string goldenScript() {
  std::string script;
  llvm::SmallVector<llvm::StringRef> lines;
  std::string contents = slurp(inputPath("feats20.scp"));
  llvm::StringRef(contents).split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef line : lines) {
    auto [key, file] = line.split(' ');
    script += (key + " " + inputPath(file) + "\n").str();
  }
  return script;
}

TEST(SequentialTable, GoldenScript) {
  TempDir dir;
  auto script = readAll("scp:" + dir.file("a.scp", goldenScript()));
  auto archive = readAll("ark:" + inputPath("feats20.bin.ark"));
  EXPECT_EQ(script.error, "");
  EXPECT_EQ(script.keys, archive.keys);
  EXPECT_EQ(script.values, archive.values);
  EXPECT_EQ(script.keys.size(), 4u);
}

TEST(SequentialTable, RecordsOfSeveralModes) {
  TempDir dir;
  std::string ark = "a " + slurp(inputPath("matrix.float.bin")) + "b\t[ 1 2 ]" +
                    "\nc [\n 3\n 4 ]\nd " +
                    slurp(inputPath("matrix.empty.bin"));
  auto contents = readAll("ark:" + dir.file("a.ark", ark));
  EXPECT_EQ(contents.error, "");
  EXPECT_EQ(contents.keys, (std::vector<std::string>{"a", "b", "c", "d"}));
  EXPECT_EQ(contents.values[1].cols, 2);
  EXPECT_EQ(contents.values[2].rows, 2);
  EXPECT_EQ(contents.values[3].rows, 0);
}

TEST(SequentialTable, EmptyTables) {
  TempDir dir;
  for (const char *kind : {"ark:", "scp:"}) {
    auto contents = readAll(kind + dir.file("empty", ""));
    EXPECT_EQ(contents.error, "");
    EXPECT_TRUE(contents.keys.empty());
  }
}

TEST(SequentialTable, ScriptRanges) {
  TempDir dir;
  std::string ark = dir.file("a.ark", "x [ 0 1 2\n 3 4 5\n 6 7 8 ]\n");
  std::string at = ark + ":2";
  auto contents =
      readAll("scp:" +
              dir.file("a.scp", "a " + at + "[1:2]\nb " + at + "[0:1,1:2]\nc " +
                                    at + "[:,0:0]\nd " + at + " [2:4]\n"));
  EXPECT_EQ(contents.error, "");
  ASSERT_EQ(contents.values.size(), 4u);
  EXPECT_EQ(contents.values[0].data, (std::vector<float>{3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(contents.values[1].data, (std::vector<float>{1, 2, 4, 5}));
  EXPECT_EQ(contents.values[1].cols, 2);
  EXPECT_EQ(contents.values[2].data, (std::vector<float>{0, 3, 6}));
  EXPECT_EQ(contents.values[3].data, (std::vector<float>{6, 7, 8}));
  EXPECT_EQ(contents.warnings,
            std::vector<std::string>{dir.path("a.scp") +
                                     ":4:1: warning: range '2:4' is cut at 2"});
}

TEST(SequentialTable, ScriptRangeErrors) {
  TempDir dir;
  std::string ark = dir.file("a.ark", "x [ 0 1 2\n 3 4 5\n 6 7 8 ]\n");
  auto errorOfRange = [&](const std::string &range) {
    std::string script = dir.file("a.scp", "a " + ark + ":2" + range + "\n");
    std::string error = readAll("scp:" + script).error;
    EXPECT_EQ(error.find(script + ":1:1: error: "), 0u) << error;
    return error.substr(std::min(error.size(), script.size() + 13));
  };
  EXPECT_EQ(errorOfRange("[1:5]"), "expects a range within 0:2, but got '1:5'");
  EXPECT_EQ(errorOfRange("[3:4]"), "expects a range within 0:2, but got '3:4'");
  EXPECT_EQ(errorOfRange("[2:1]"),
            "expects a range 'first:last', but got '2:1'");
  EXPECT_EQ(errorOfRange("[0:1,0:3]"),
            "expects a range within 0:2, but got '0:3'");
  EXPECT_EQ(errorOfRange("[x]"), "expects a range 'first:last', but got 'x'");
  EXPECT_EQ(errorOfRange("[0:1,]"), "expects a range 'first:last', but got ''");
}

TEST(SequentialTable, ArchiveErrors) {
  TempDir dir;
  std::string ark = dir.file("a.ark", "a [ 1 2 ]\nb [ 1 oops ]\nc [ 3 ]\n");
  auto contents = readAll("ark:" + ark);
  EXPECT_EQ(contents.keys, std::vector<std::string>{"a"});
  EXPECT_EQ(contents.error,
            ark + ":2:7: error: expects a number, but got 'oops'");

  // Permissive: the rest is passed over, with a warning.
  contents = readAll("ark,p:" + ark);
  EXPECT_EQ(contents.keys, std::vector<std::string>{"a"});
  EXPECT_EQ(contents.error, "");
  EXPECT_EQ(contents.warnings.size(), 1u);

  contents = readAll("ark:" + dir.path("missing.ark"));
  EXPECT_EQ(contents.error, dir.path("missing.ark") +
                                ": error: cannot open: No such file or "
                                "directory");
  contents = readAll("ark:" + dir.file("key.ark", "lonely"));
  EXPECT_EQ(contents.error, dir.path("key.ark") +
                                ":1:1: error: expects a blank after the key "
                                "'lonely'");
}

TEST(SequentialTable, ScriptErrors) {
  TempDir dir;
  std::string ark = dir.file("a.ark", "x [ 1 2 ]\n");
  std::string script =
      dir.file("a.scp", "a " + ark + ":2\nb " + dir.path("none") + "\nc " +
                            ark + ":2\n");
  auto contents = readAll("scp:" + script);
  EXPECT_EQ(contents.keys, std::vector<std::string>{"a"});
  EXPECT_EQ(contents.error,
            dir.path("none") +
                ": error: cannot open: No such file or directory\n" + script +
                ":2:1: note: needed for key 'b'");
  contents = readAll("scp,p:" + script);
  EXPECT_EQ(contents.keys, (std::vector<std::string>{"a", "c"}));
  EXPECT_EQ(contents.error, "");
  EXPECT_EQ(contents.warnings.size(), 1u);

  contents = readAll("scp:" + dir.file("b.scp", "a " + ark + ":2\n\n"));
  EXPECT_EQ(contents.error, dir.path("b.scp") +
                                ":2:1: error: expects a key and a file name, "
                                "but got ''");
  contents = readAll("scp:" + dir.file("c.scp", "alone\n"));
  EXPECT_EQ(contents.error, dir.path("c.scp") +
                                ":1:1: error: expects a key and a file name, "
                                "but got 'alone'");
}

TEST(SequentialTable, Pipes) {
  TempDir dir;
  std::string ark = dir.file("a.ark", "x [ 1 2 ]\n");
  auto contents = readAll("ark:cat " + ark + " |");
  EXPECT_EQ(contents.error, "");
  EXPECT_EQ(contents.keys, std::vector<std::string>{"x"});

  contents = readAll("ark:cat " + ark + "; exit 3 |");
  EXPECT_EQ(contents.keys, std::vector<std::string>{"x"});
  EXPECT_EQ(contents.error,
            "cat " + ark +
                "; exit 3 |: error: the command failed with exit status 3");

  std::string proof = dir.path("proof");
  std::string script =
      dir.file("a.scp", "x touch " + proof + "; tail -c +3 " + ark + " |\n");
  contents = readAll("scp:" + script);
  EXPECT_NE(contents.error.find("error: a command found in a file is not run"),
            std::string::npos);
  EXPECT_FALSE(llvm::sys::fs::exists(proof));
  TableOptions options;
  options.allowScpPipes = true;
  contents = readAll("scp:" + script, options);
  EXPECT_EQ(contents.error, "");
  EXPECT_EQ(contents.keys, std::vector<std::string>{"x"});
  EXPECT_TRUE(llvm::sys::fs::exists(proof));
}

TEST(SequentialTable, LargeArchiveTakesTheMemoryOfARecord) {
  TempDir dir;
  std::string record = "key [\n";
  for (int i = 0; i < 500; ++i)
    record += "  1.25 2.5 3.75 4 \n";
  record += "]\n";
  std::string ark;
  for (int i = 0; i < 400; ++i)
    ark += record;
  std::string path = dir.file("large.ark", ark);
  for (const std::string &rspecifier :
       {"ark:" + path, "ark:cat " + path + " |"}) {
    auto table = SequentialMatrixReader::open(rspecifier);
    ASSERT_TRUE(bool(table));
    resetLargestAllocation();
    unsigned count = 0;
    while (llvm::cantFail((*table)->next()))
      ++count;
    EXPECT_EQ(count, 400u);
    EXPECT_LE(largestAllocation(), size_t(4) << 16);
    EXPECT_GT(ark.size(), size_t(16) << 16);
  }
}

TEST(SequentialTable, CorruptArchives) {
  TempDir dir;
  std::string whole =
      "a " + slurp(inputPath("compressed.automatic-4rows.bin")) +
      "b [\n 1 2\n 3 4 ]\nc " + slurp(inputPath("matrix.float.bin"));
  for (size_t i = 0; i < whole.size(); ++i) {
    auto cut = readAll("ark:" + dir.file("a.ark", whole.substr(0, i)));
    EXPECT_LT(cut.keys.size(), 3u);
    std::string flipped = whole;
    flipped[i] ^= 0x80;
    resetLargestAllocation();
    (void)readAll("ark:" + dir.file("a.ark", flipped));
    EXPECT_LE(largestAllocation(), size_t(4) << 16);
  }
}

//===----------------------------------------------------------------------===//
// Random access
//===----------------------------------------------------------------------===//

/// Returns the only element of `key`'s vector, "none", or the error.
std::string findValue(RandomAccessVectorReader &table, llvm::StringRef key) {
  auto found = table.find(key);
  if (!found)
    return llvm::toString(found.takeError());
  return *found ? llvm::utostr((**found)[0]) : "none";
}

class RandomAccessArchive : public testing::TestWithParam<const char *> {};

TEST_P(RandomAccessArchive, FindsKeysInOrder) {
  TempDir dir;
  std::string ark = dir.file("a.ark", "a [ 1 ]\nb [ 2 ]\nd [ 4 ]\n");
  auto table = RandomAccessVectorReader::open(GetParam() + ark);
  ASSERT_TRUE(bool(table));
  EXPECT_EQ(findValue(**table, "a"), "1");
  EXPECT_EQ(findValue(**table, "aa"), "none");
  EXPECT_EQ(findValue(**table, "c"), "none");
  EXPECT_EQ(findValue(**table, "d"), "4");
  EXPECT_EQ(findValue(**table, "e"), "none");
}

INSTANTIATE_TEST_SUITE_P(Options, RandomAccessArchive,
                         testing::Values("ark:", "ark,s:", "ark,s,cs:",
                                         "ark,o:", "ark,o,s,cs:"));

TEST(RandomAccessTable, AnyOrder) {
  TempDir dir;
  std::string ark = dir.file("a.ark", "b [ 2 ]\na [ 1 ]\nc [ 3 ]\n");
  auto table = RandomAccessVectorReader::open("ark:" + ark);
  ASSERT_TRUE(bool(table));
  EXPECT_EQ(findValue(**table, "c"), "3");
  EXPECT_EQ(findValue(**table, "a"), "1");
  EXPECT_EQ(findValue(**table, "b"), "2");
  EXPECT_EQ(findValue(**table, "b"), "2");
}

TEST(RandomAccessTable, ArchiveErrors) {
  TempDir dir;
  std::string ark = dir.file("a.ark", "b [ 2 ]\na [ 1 ]\nb [ 3 ]\n");
  auto table = RandomAccessVectorReader::open("ark:" + ark);
  ASSERT_TRUE(bool(table));
  EXPECT_EQ(findValue(**table, "x"), ark + ": error: key 'b' comes twice");
  table = RandomAccessVectorReader::open("ark,s:" + ark);
  ASSERT_TRUE(bool(table));
  EXPECT_EQ(findValue(**table, "x"),
            ark + ": error: expects sorted keys, but got 'a' after 'b'");
}

TEST(RandomAccessTable, RequestsOutOfOrder) {
  TempDir dir;
  std::string ark = dir.file("a.ark", "a [ 1 ]\nb [ 2 ]\nc [ 3 ]\n");
  auto table = RandomAccessVectorReader::open("ark,s,cs:" + ark);
  ASSERT_TRUE(bool(table));
  EXPECT_EQ(findValue(**table, "b"), "2");
  EXPECT_EQ(findValue(**table, "b"), "2");
  EXPECT_EQ(findValue(**table, "a"),
            ark + ": error: option 'cs' expects requests in sorted order, but "
                  "key 'a' is requested after 'b'");
  // Nothing is dropped in these cases, and every order finds all keys.
  for (const char *options : {"ark,s:", "ark,cs:"}) {
    table = RandomAccessVectorReader::open(options + ark);
    ASSERT_TRUE(bool(table));
    EXPECT_EQ(findValue(**table, "b"), "2");
    EXPECT_EQ(findValue(**table, "a"), "1");
    EXPECT_EQ(llvm::toString((*table)->close()), "");
  }
}

TEST(RandomAccessTable, RequestsRepeated) {
  TempDir dir;
  std::string ark = dir.file("a.ark", "a [ 1 ]\nb [ 2 ]\n");
  for (const char *options : {"ark,o:", "ark,o,s:", "ark,o,s,cs:"}) {
    auto table = RandomAccessVectorReader::open(options + ark);
    ASSERT_TRUE(bool(table));
    EXPECT_EQ(findValue(**table, "a"), "1");
    EXPECT_EQ(findValue(**table, "a"),
              ark + ": error: option 'o' expects one request for each key, but "
                    "key 'a' is requested again");
  }
}

TEST(RandomAccessTable, UnsortedArchive) {
  TempDir dir;
  std::string ark = dir.file("a.ark", "c [ 3 ]\nb [ 2 ]\na [ 1 ]\n");
  for (const char *options : {"ark,s:", "ark,s,cs:"}) {
    auto table = RandomAccessVectorReader::open(options + ark);
    ASSERT_TRUE(bool(table));
    EXPECT_EQ(findValue(**table, "a"), "none");
    EXPECT_EQ(findValue(**table, "c"), "3");
    EXPECT_EQ(llvm::toString((*table)->close()),
              ark + ": error: expects sorted keys, but got 'b' after 'c'");
  }
  std::string twice = dir.file("b.ark", "a [ 1 ]\na [ 2 ]\n");
  auto table = RandomAccessVectorReader::open("ark,s,cs:" + twice);
  ASSERT_TRUE(bool(table));
  EXPECT_EQ(findValue(**table, "b"), twice + ": error: key 'a' comes twice");
}

TEST(RandomAccessTable, Script) {
  TempDir dir;
  std::string ark = dir.file("a.ark", "a [ 1 ]\nb [ 2 ]\n");
  std::string script =
      dir.file("a.scp", "second " + ark + ":10\nfirst " + ark + ":2\nnone " +
                            dir.path("none") + "\n");
  auto table = RandomAccessVectorReader::open("scp:" + script);
  ASSERT_TRUE(bool(table));
  EXPECT_EQ(findValue(**table, "first"), "1");
  EXPECT_EQ(findValue(**table, "second"), "2");
  EXPECT_EQ(findValue(**table, "third"), "none");
  EXPECT_NE(findValue(**table, "none").find(script + ":3:1: note: needed for"),
            std::string::npos);
  table = RandomAccessVectorReader::open("scp,p:" + script);
  ASSERT_TRUE(bool(table));
  EXPECT_EQ(findValue(**table, "none"), "none");

  auto twice = RandomAccessVectorReader::open(
      "scp:" + dir.file("b.scp", "a x\nb y\na z\n"));
  EXPECT_EQ(llvm::toString(twice.takeError()),
            dir.path("b.scp") + ":3:1: error: key 'a' comes twice");
}

TEST(RandomAccessTable, Words) {
  auto table = RandomAccessTokenReader::open("ark:" + inputPath("utt2spk"));
  ASSERT_TRUE(bool(table));
  auto speaker = (*table)->find("utt-c");
  ASSERT_TRUE(bool(speaker) && *speaker);
  EXPECT_EQ(**speaker, "spk1");

  TempDir dir;
  auto bad =
      RandomAccessTokenReader::open("ark:" + dir.file("bad", "a b\nc d e\n"));
  ASSERT_TRUE(bool(bad));
  auto found = (*bad)->find("c");
  EXPECT_EQ(llvm::toString(found.takeError()),
            dir.path("bad") +
                ":2:3: error: expects one word after the key, but got 'd e'");
}
} // namespace
