//===- WaveTest.cpp - Sound in WAV files ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Kaldi/Sound/Wave.h"
#include "DamageTestUtil.h"
#include "TestUtil.h"

using namespace nnet3::kaldi;
using namespace nnet3::kaldi::test;
using llvm::StringRef;

namespace {

void append(std::string &file, uint32_t value, int numBytes) {
  for (int i = 0; i < numBytes; ++i)
    file.push_back(static_cast<char>(value >> (8 * i)));
}

/// Returns a file with samples 1 -1 258 -32768 32767 0 in two channels, after a
/// chunk of 3 bytes.
std::string makeFile(uint32_t riffSize = 60, uint32_t dataSize = 12) {
  std::string file = "RIFF";
  append(file, riffSize, 4);
  file += "WAVEfmt ";
  append(file, 16, 4);
  append(file, 1, 2);
  append(file, 2, 2);
  append(file, 8000, 4);
  append(file, 32000, 4);
  append(file, 4, 2);
  append(file, 16, 2);
  file += "note";
  append(file, 3, 4);
  file += std::string("abc\0", 4) + "data";
  append(file, dataSize, 4);
  for (int sample : {1, -1, 258, -32768, 32767, 0})
    append(file, static_cast<uint32_t>(sample), 2);
  return file;
}

void expectSamples(const Wave &wave) {
  EXPECT_EQ(wave.sampleFrequency, 8000);
  ASSERT_EQ(wave.channels.size(), 2u);
  EXPECT_EQ(wave.channels[0], (std::vector<float>{1, 258, 32767}));
  EXPECT_EQ(wave.channels[1], (std::vector<float>{-1, -32768, 0}));
}

TEST(WaveTest, ReadsSamples) {
  Wave wave;
  // Of the lengths, none may be known, or that of the file alone.
  for (auto [riffSize, dataSize] : {std::pair<uint32_t, uint32_t>{60, 12},
                                    {0, 0},
                                    {0xffffffff, 0xffffffff},
                                    {0x7ffff024, 0x7ffff000},
                                    {60, 0},
                                    {0, 12}}) {
    const std::string file = makeFile(riffSize, dataSize);
    KaldiReader reader(file, "input");
    ASSERT_TRUE(succeeded(readWave(reader, wave)));
    expectSamples(wave);
    EXPECT_TRUE(reader.atEnd());
  }
}

TEST(WaveTest, EndsWhereItsLengthSays) {
  // An odd chunk follows the samples, and another record the file.
  const std::string data = makeFile(60 + 8 + 2) + "more\1" +
                           std::string(3, '\0') + "x" + std::string(1, '\0') +
                           "next";
  KaldiReader reader(data, "input");
  Wave wave;
  ASSERT_TRUE(succeeded(readWave(reader, wave)));
  expectSamples(wave);
  StringRef rest;
  ASSERT_TRUE(succeeded(reader.readBytes(4, rest)));
  EXPECT_EQ(rest, "next");
}

TEST(WaveTest, FilesWithoutSamples) {
  const std::string file = makeFile(48, 0).substr(0, 56);
  KaldiReader reader(file, "input");
  Wave wave;
  ASSERT_TRUE(succeeded(readWave(reader, wave)));
  EXPECT_EQ(wave.channels[0].size(), 0u);
}

bool canRead(StringRef contents) {
  KaldiReader reader(contents, "input");
  Wave wave;
  if (succeeded(readWave(reader, wave)))
    return true;
  // Every error says where it is.
  EXPECT_TRUE(
      StringRef(llvm::toString(reader.takeError())).starts_with("input:byte "));
  return false;
}

TEST(WaveTest, DamagedFiles) {
  const std::string file = makeFile();
  expectOnlyWholeRead(file, file.size(), canRead);
  EXPECT_GT(countRefusedChanges(file, {1, 0x80, 0xff}, canRead), 60u);
}

} // namespace
