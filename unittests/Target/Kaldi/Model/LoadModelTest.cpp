//===- LoadModelTest.cpp - A network from any kind of file ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ModelTestUtil.h"
#include "llvm/Support/FileSystem.h"

using namespace mlir::nnet3::test;
using llvm::StringRef;
using mlir::nnet3::ModelFormat;

static const StringRef config =
    "# two layers\n\ninput-node name=input dim=4\n"
    "component name=a type=NaturalGradientAffineComponent input-dim=4 "
    "output-dim=3\ncomponent-node name=a component=a input=input\n"
    "output-node name=output input=a\n";

TEST(LoadModel, RecognisesContents) {
  EXPECT_EQ(mlir::nnet3::recogniseModel(config), ModelFormat::Config);
  EXPECT_EQ(mlir::nnet3::recogniseModel("\r\n  output-node name=x"),
            ModelFormat::Config);
  EXPECT_EQ(mlir::nnet3::recogniseModel("# net\ninput dim=4 name=input"),
            ModelFormat::Xconfig);
  EXPECT_EQ(mlir::nnet3::recogniseModel("relu-layer name=a\n"),
            ModelFormat::Xconfig);
  EXPECT_EQ(mlir::nnet3::recogniseModel("<Nnet3> \n"), ModelFormat::Kaldi);
  EXPECT_EQ(mlir::nnet3::recogniseModel("\n<TransitionModel> \n"),
            ModelFormat::Kaldi);
  EXPECT_EQ(mlir::nnet3::recogniseModel(StringRef("\0B<Nnet3> ", 10)),
            ModelFormat::Kaldi);
  EXPECT_EQ(mlir::nnet3::recogniseModel("#loc = loc(unknown)\nmodule {\n"),
            ModelFormat::Mlir);
  EXPECT_EQ(mlir::nnet3::recogniseModel("ML\xefR"), ModelFormat::Mlir);
  EXPECT_EQ(mlir::nnet3::recogniseModel("// net\n"), ModelFormat::Mlir);
  EXPECT_EQ(mlir::nnet3::recogniseModel("#a = 1\n{-#"), ModelFormat::Mlir);
  EXPECT_EQ(mlir::nnet3::recogniseModel("nnet3.network @net {"),
            ModelFormat::Mlir);
  EXPECT_EQ(mlir::nnet3::recogniseModel("\"nnet3.network\"() ({"),
            ModelFormat::Mlir);
  EXPECT_EQ(mlir::nnet3::recogniseModel(""), ModelFormat::Unknown);
  EXPECT_EQ(mlir::nnet3::recogniseModel("utt-a  [\n 1 2 ]\n"),
            ModelFormat::Unknown);
}

namespace {
/// A file that the destructor removes.
struct TemporaryFile {
  llvm::SmallString<128> path;

  explicit TemporaryFile(StringRef contents) {
    int fd;
    EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("model", "", fd, path));
    llvm::raw_fd_ostream(fd, /*shouldClose=*/true) << contents;
  }
  ~TemporaryFile() { llvm::sys::fs::remove(path); }
};
} // namespace

/// Loads the file `path` and returns its raw model, or the error.
static std::string load(StringRef path, uint64_t seed = 0) {
  TestContext test;
  auto module = mlir::nnet3::loadModel(path, &test.context, seed);
  return module ? toRaw(*module) : test.messages;
}

TEST(LoadModel, ModelsAndMlir) {
  std::string raw = readModelFile("recipes/tdnnf.raw");
  EXPECT_TRUE(load(modelPath("recipes/tdnnf.raw")) == raw);
  TestContext test;
  auto module = test.read(raw);
  for (bool bytecode : {false, true}) {
    std::string mlir;
    llvm::raw_string_ostream os(mlir);
    ASSERT_TRUE(succeeded(mlir::nnet3::writeMlirModule(*module, os, bytecode)));
    EXPECT_TRUE(load(TemporaryFile(mlir).path) == raw);
  }
}

TEST(LoadModel, ConfigsAreInitialised) {
  TemporaryFile file(config);
  std::string model = load(file.path, 1);
  EXPECT_TRUE(StringRef(model).contains("<LinearParams> FM "));
  EXPECT_TRUE(load(file.path, 1) == model);
  EXPECT_FALSE(load(file.path, 2) == model);
}

TEST(LoadModel, Errors) {
  EXPECT_EQ(load("/nowhere/final.raw"), "/nowhere/final.raw: error: cannot "
                                        "read: No such file or directory\n");
  TemporaryFile empty("# nothing\n");
  EXPECT_EQ(load(empty.path),
            (empty.path + ": error: expects a Kaldi model, a config, an "
                          "xconfig or MLIR, but got an empty file\n")
                .str());
  TemporaryFile archive("# features\n  utt-a  [\n 1 2 ]\n");
  EXPECT_EQ(load(archive.path),
            (archive.path + ":2:3: error: expects a Kaldi model, a config, "
                            "an xconfig or MLIR, but got 'utt-a'\n")
                .str());
  TemporaryFile file("input-node name=input\n");
  EXPECT_TRUE(
      StringRef(load(file.path)).starts_with((file.path + ":1:").str()));
}
