//===- RoundTripTest.cpp - Models are read and written unchanged ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ModelTestUtil.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mlir::nnet3::test;
using llvm::StringRef;

/// Returns the files under test/Inputs/models/`folder` whose names end with
/// `suffix`, relative to test/Inputs/models.
static std::vector<std::string> listModels(StringRef folder, StringRef suffix) {
  std::vector<std::string> names;
  std::error_code code;
  for (llvm::sys::fs::directory_iterator it(modelPath(folder), code), end;
       it != end && !code; it.increment(code))
    if (StringRef(it->path()).ends_with(suffix))
      names.push_back(
          (folder + "/" + llvm::sys::path::filename(it->path())).str());
  llvm::sort(names);
  EXPECT_FALSE(names.empty()) << folder.str();
  return names;
}

/// Returns all of Kaldi's binary models among the inputs.
static std::vector<std::string> listBinaryModels() {
  std::vector<std::string> names;
  for (StringRef folder : {"components", "descriptors", "networks", "recipes"})
    llvm::append_range(names, listModels(folder, ".raw"));
  return names;
}

TEST(RoundTrip, BinaryIsByteIdentical) {
  for (const std::string &name : listBinaryModels()) {
    SCOPED_TRACE(name);
    TestContext test;
    std::string data = readModelFile(name);
    auto module = test.read(data);
    ASSERT_TRUE(module) << test.messages;
    EXPECT_TRUE(toRaw(*module) == data);
    EXPECT_EQ(test.messages, "");
  }
}

TEST(RoundTrip, TextIsThatOfTheReference) {
  for (StringRef folder : {"components", "descriptors"})
    for (const std::string &name : listModels(folder, ".txt")) {
      SCOPED_TRACE(name);
      TestContext test;
      std::string text = readModelFile(name);
      std::string binary =
          readModelFile(StringRef(name).drop_back(4).str() + ".raw");
      auto fromText = test.read(text), fromBinary = test.read(binary);
      ASSERT_TRUE(fromText && fromBinary) << test.messages;
      EXPECT_EQ(toRaw(*fromBinary, /*binary=*/false), text);
      EXPECT_EQ(toRaw(*fromText, /*binary=*/false), text);
      EXPECT_TRUE(toRaw(*fromText) == binary);
    }
}

/// Writes `module` as MLIR and parses that in a new context.
static std::string throughMlir(mlir::ModuleOp module, bool bytecode) {
  std::string mlir;
  llvm::raw_string_ostream os(mlir);
  EXPECT_TRUE(succeeded(mlir::nnet3::writeMlirModule(module, os, bytecode)));
  TestContext test;
  auto parsed = mlir::nnet3::parseMlirModule(
      llvm::MemoryBuffer::getMemBufferCopy(mlir, "model.mlir"), &test.context);
  EXPECT_TRUE(parsed) << test.messages;
  return parsed ? toRaw(*parsed) : "";
}

TEST(RoundTrip, ThroughMlirTextAndBytecode) {
  for (const std::string &name : listBinaryModels()) {
    SCOPED_TRACE(name);
    TestContext test;
    std::string data = readModelFile(name);
    auto module = test.read(data);
    ASSERT_TRUE(module) << test.messages;
    EXPECT_TRUE(throughMlir(*module, /*bytecode=*/false) == data);
    EXPECT_TRUE(throughMlir(*module, /*bytecode=*/true) == data);
  }
}
