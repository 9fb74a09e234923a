//===- GoldenStream.h - Streams of the reference ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_UNITTESTS_STREAM_GOLDENSTREAM_H
#define NNET3_UNITTESTS_STREAM_GOLDENSTREAM_H

#include "nnet3/Kaldi/IO/Input.h"
#include "nnet3/Stream/StreamPlan.h"
#include "nnet3/Target/Kaldi/ModelReader.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

namespace mlir::nnet3 {

/// A case of the reference, loaded from its folder.
struct GoldenStream {
  explicit GoldenStream(const std::string &name)
      : folder(std::string(NNET3_TEST_INPUTS "/golden/looped/") + name + "/") {
    auto text = llvm::MemoryBuffer::getFile(folder + "case.json");
    json = llvm::cantFail(llvm::json::parse((*text)->getBuffer()));
  }

  const llvm::json::Object &get() const { return *json.getAsObject(); }

  StreamOptions getOptions() const {
    StreamOptions options;
    options.chunks = {*get().getInteger("chunk_size")};
    options.frameSubsamplingFactor =
        *get().getInteger("frame_subsampling_factor");
    options.sequences = {*get().getInteger("num_sequences")};
    options.ivectorPeriod = 0;
    for (const llvm::json::Value &option : *get().getArray("options")) {
      llvm::StringRef text = *option.getAsString();
      EXPECT_TRUE(text.consume_front("--extra-left-context-begin="));
      EXPECT_FALSE(text.getAsInteger(10, options.extraLeftContextInitial));
    }
    return options;
  }

  OwningOpRef<ModuleOp> readModel(MLIRContext &context) const {
    const std::string path = folder + get().getString("model")->str();
    auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
    EXPECT_TRUE(bool(file)) << path;
    return mlir::nnet3::readModel(**file, &context);
  }

  /// Returns the inputs, or outputs, of a chunk.
  llvm::StringMap<::nnet3::kaldi::Matrix>
  getMatrices(int64_t chunk, llvm::StringRef kind) const {
    llvm::StringMap<::nnet3::kaldi::Matrix> matrices;
    for (const llvm::json::Value &value : *get().getArray("files")) {
      const llvm::json::Object &file = *value.getAsObject();
      if (file.getInteger("chunk") == chunk && file.getString("kind") == kind)
        matrices[*file.getString("node")] =
            llvm::cantFail(::nnet3::kaldi::readMatrixFile(
                folder + file.getString("file")->str()));
    }
    return matrices;
  }

  /// Returns the names of all cases.
  static std::vector<std::string> getNames() {
    return {
        "cnn-tdnn", "fast-lstm", "lstmp",          "lstmp-extra-left-context",
        "opgru",    "tdnn",      "tdnn-attention", "tdnn-two-sequences",
        "tdnnf"};
  }

  std::string folder;
  llvm::json::Value json = nullptr;
};

} // namespace mlir::nnet3

#endif // NNET3_UNITTESTS_STREAM_GOLDENSTREAM_H
