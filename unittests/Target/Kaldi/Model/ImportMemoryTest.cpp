//===- ImportMemoryTest.cpp - Memory for importing a model ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A model may fill half of the memory, so the bytes of the file and the
// parameters must not be in memory at the same time.
//
//===----------------------------------------------------------------------===//
#include "../../../Kaldi/TempDir.h"
#include "ModelTestUtil.h"
#include "nnet3/Kaldi/IO/Writer.h"
#include "nnet3/Target/Kaldi/LoadModel.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace ::nnet3::kaldi;
using namespace mlir::nnet3;
using namespace ::nnet3::kaldi::test;
using namespace mlir::nnet3::test;

namespace {
/// Writes a binary model of `layers` layers with `dim` inputs and outputs;
/// returns its path.
std::string writeModelFile(const TempDir &dir, int layers, int dim) {
  std::string path = dir.path("big.raw");
  std::error_code code;
  llvm::raw_fd_ostream os(path, code);
  KaldiWriter writer(os, /*binary=*/true);
  writer.writeHeader();
  os << "<Nnet3> \ninput-node name=input dim=" << dim << "\n";
  std::string previous = "input";
  for (int i = 0; i < layers; ++i) {
    std::string name = "a" + std::to_string(i);
    os << "component-node name=" << name << " component=" << name
       << " input=" << previous << "\n";
    previous = name;
  }
  os << "output-node name=output input=" << previous << "\n\n";
  writer.writeToken("<NumComponents>");
  writer.writeInt32(layers);
  Matrix weights(dim, dim);
  for (int i = 0; i < layers; ++i) {
    writer.writeToken("<ComponentName>");
    writer.writeToken("a" + std::to_string(i));
    writer.writeToken("<FixedAffineComponent>");
    writer.writeToken("<LinearParams>");
    writer.writeMatrix(weights);
    writer.writeToken("<BiasParams>");
    writer.writeVector(std::vector<float>(dim));
    writer.writeToken("</FixedAffineComponent>");
  }
  writer.writeToken("</Nnet3>");
  return path;
}

/// Returns an entry of /proc/self/status in bytes; none if there is no such
/// file.
std::optional<uint64_t> readStatus(llvm::StringRef name) {
  auto status = llvm::MemoryBuffer::getFileAsStream("/proc/self/status");
  if (!status)
    return std::nullopt;
  auto [before, after] = (*status)->getBuffer().split(name);
  uint64_t kilobytes;
  if (after.ltrim(": \t").consumeInteger(10, kilobytes))
    return std::nullopt;
  return kilobytes << 10;
}

/// Resets the peak memory; returns false if that is not supported.
bool resetPeak() {
  std::error_code code;
  llvm::raw_fd_ostream os("/proc/self/clear_refs", code,
                          llvm::sys::fs::CD_OpenExisting);
  if (code)
    return false;
  os << "5";
  os.close();
  bool ok = !os.has_error();
  os.clear_error();
  return ok;
}

void expectSmallPeak(int layers, int dim) {
  TempDir dir;
  std::string path = writeModelFile(dir, layers, dim);
  uint64_t size = 0;
  ASSERT_FALSE(llvm::sys::fs::file_size(path, size));
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  auto before = readStatus("VmRSS");
  if (!before || !resetPeak())
    GTEST_SKIP() << "the peak cannot be measured here";
  auto module = loadModel(path, &context);
  ASSERT_TRUE(bool(module));
  auto peak = readStatus("VmHWM");
  ASSERT_TRUE(peak.has_value());
  EXPECT_LT(double(*peak) - double(*before), 1.3 * size);
}

TEST(ImportMemory, ManyLayers) { expectSmallPeak(24, 1024); }
TEST(ImportMemory, OneLayer) { expectSmallPeak(1, 5000); }
} // namespace
