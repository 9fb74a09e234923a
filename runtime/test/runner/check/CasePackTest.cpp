//===- CasePackTest.cpp - Packs, whole and damaged ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CasePackWriter.h"
#include "nnet3/runtime/Container.h"
#include "runner/check/Checks.h"
#include "test/support/ProgramWriter.h"

#include <cstring>
#include <gtest/gtest.h>

using namespace nnet3::rt;
using namespace nnet3::rt::test;

namespace {

/// y = 2 x + 1, once; and what is expected of that.
CaseData sampleCase() {
  ProgramWriter writer;
  const int32_t affine =
      writer.component("affine", "AffineComponent",
                       {{"input_dim", 1},
                        {"output_dim", 1},
                        {"linear_params", tensor(matrixOf(1, {2}))},
                        {"bias_params", vectorTensor({1})}});
  const int32_t in = writer.input("input", 2, 1), out = writer.zeroed(2, 1);
  writer.propagate(affine, in, out);
  writer.output("output", out);
  CaseData data;
  data.name = "sample";
  data.program = writer.finish();
  data.weights = writer.weights;
  data.inputs = {{"input", matrixOf(2, {3, 4})}};
  data.outputs = {{"output", matrixOf(2, {7, 9})}};
  ExpectedData gradient = {"linear_params", matrixOf(1, {0})};
  gradient.component = "affine";
  gradient.byRms = true;
  gradient.floor = 1;
  data.gradient = {gradient};
  data.leftOut = {"there is no code"};
  return data;
}

std::vector<uint8_t> samplePack() {
  return writeCasePack({sampleCase()}, {"cuda"});
}

/// The message with which opening fails; empty where it does not.
std::string openError(const std::vector<uint8_t> &pack) {
  PackBytes bytes(pack);
  auto opened = CasePack::open(bytes.data(), bytes.size());
  return opened.ok() ? "" : opened.status().message();
}

/// The first thing that is wrong with the one case of a pack.
std::string checkError(const CaseData &data) {
  PackBytes bytes(writeCasePack({data}, {"cuda"}));
  auto pack = CasePack::open(bytes.data(), bytes.size());
  EXPECT_TRUE(pack.ok()) << pack.status().message();
  return checkProgram(*pack, pack->getCase(0)).detail;
}

TEST(CasePackTest, TheSampleIsRight) {
  EXPECT_EQ(openError(samplePack()), "");
  EXPECT_EQ(checkError(sampleCase()), "");
}

TEST(CasePackTest, WrongNumbersFail) {
  CaseData data = sampleCase();
  data.outputs[0].value.at(1, 0) = 9.1f;
  EXPECT_EQ(checkError(data), "output: 1 of 2 values differ, first at [1, 0]: "
                              "expected 9.10000038, got 9");
  data = sampleCase();
  data.gradient[0].value.at(0, 0) = 5;
  EXPECT_EQ(checkError(data), "affine.linear_params: rms error 5, but rms 5");
}

TEST(CasePackTest, WrongNamesFail) {
  CaseData data = sampleCase();
  data.gradient[0].component = "tanh";
  EXPECT_EQ(checkError(data), "tanh.linear_params: there is no such component");
  data = sampleCase();
  data.gradient[0].name = "scales";
  EXPECT_EQ(checkError(data), "affine.scales: there is no such attribute");
  data = sampleCase();
  data.inputs.clear();
  EXPECT_NE(checkError(data), "");
  data = sampleCase();
  data.outputs[0].name = "other";
  EXPECT_NE(checkError(data), "");
}

TEST(CasePackTest, WhatIsLeftOutIsSkipped) {
  PackBytes bytes(samplePack());
  auto pack = CasePack::open(bytes.data(), bytes.size());
  ASSERT_TRUE(pack.ok());
  PackLibraries libraries(*pack);
  const schema::Case &entry = pack->getCase(0);
  const CheckResult result =
      checkLibrary(*pack, entry, *entry.libraries()->Get(0), libraries);
  EXPECT_EQ(result.outcome, Outcome::Skipped);
  EXPECT_EQ(result.detail, "there is no code");
  EXPECT_EQ(backendName(*pack, {0, 0}), "cuda");
  EXPECT_EQ(backendName(*pack, {0, -1}), "interpreter");
}

TEST(CasePackTest, ErrorsTellTheByte) {
  std::vector<uint8_t> pack = samplePack();
  EXPECT_EQ(openError({}), "byte 0: this is no pack of cases");
  EXPECT_EQ(openError({pack.begin(), pack.begin() + 20}),
            "byte 20: the file ends inside of its header");
  pack[4] = 7;
  EXPECT_EQ(openError(pack),
            "byte 4: expects a pack of version 1, but got version 7");
  pack = samplePack();
  pack[64] ^= 1;
  EXPECT_EQ(openError(pack), "byte 64: the description is damaged");
  pack = samplePack();
  ContainerHeader header;
  std::memcpy(&header, pack.data(), sizeof(header));
  const std::string data = std::to_string(header.weightsOffset);
  pack[header.weightsOffset] ^= 1;
  EXPECT_EQ(openError(pack).rfind("byte " + data + ": the ", 0), 0u);
  pack = samplePack();
  pack.push_back(0);
  EXPECT_EQ(openError(pack), "byte " + std::to_string(pack.size() - 1) +
                                 ": expects the end of the file");
}

TEST(CasePackTest, EveryFlippedByteIsFound) {
  const std::vector<uint8_t> pack = samplePack();
  for (size_t i = 0; i < pack.size(); ++i)
    for (uint8_t change : {0x01, 0x41, 0xFF}) {
      std::vector<uint8_t> damaged = pack;
      damaged[i] ^= change;
      EXPECT_NE(openError(damaged), "") << "byte " << i;
    }
}

TEST(CasePackTest, EveryTruncation) {
  const std::vector<uint8_t> pack = samplePack();
  for (size_t size = 0; size < pack.size(); ++size)
    EXPECT_NE(openError({pack.begin(), pack.begin() + size}), "") << size;
}

/// Corrects the checksum of a damaged pack, opens it and, if that succeeds,
/// runs all checks.
bool openAndCheck(std::vector<uint8_t> damaged) {
  sealDescription(damaged);
  PackBytes bytes(damaged);
  auto pack = CasePack::open(bytes.data(), bytes.size());
  if (!pack.ok())
    return false;
  PackLibraries libraries(*pack);
  for (uint32_t i = 0; i < pack->numCases(); ++i) {
    const schema::Case &entry = pack->getCase(i);
    checkProgram(*pack, entry);
    if (entry.libraries())
      for (const schema::CaseLibrary *library : *entry.libraries())
        checkLibrary(*pack, entry, *library, libraries);
  }
  return true;
}

// With the checksum of what is there, the verifier and the checks see the
// damage: the pack is refused, or runs inside of its memory.
TEST(CasePackTest, EveryChangedByteIsHarmlessToTheVerifier) {
  const std::vector<uint8_t> pack = samplePack();
  ContainerHeader header;
  std::memcpy(&header, pack.data(), sizeof(header));
  size_t refused = 0;
  for (size_t i = 0; i < header.programSize; ++i)
    for (uint8_t change : {0x01, 0x02, 0x04, 0x10, 0x40, 0x80, 0xFF}) {
      std::vector<uint8_t> damaged = pack;
      damaged[header.programOffset + i] ^= change;
      refused += !openAndCheck(damaged);
    }
  EXPECT_GT(refused, header.programSize) << "most damage is noticed";
}

TEST(CasePackTest, WordsOfExtremeValues) {
  const std::vector<uint8_t> pack = samplePack();
  ContainerHeader header;
  std::memcpy(&header, pack.data(), sizeof(header));
  for (size_t i = 0; i + 4 <= header.programSize; i += 4)
    for (uint32_t value :
         {0u, 0x7FFFFFFFu, 0x80000000u, 0xFFFFFFFFu, 0x10000u}) {
      std::vector<uint8_t> damaged = pack;
      std::memcpy(&damaged[header.programOffset + i], &value, sizeof(value));
      openAndCheck(damaged);
    }
}

} // namespace
