//===- IvectorFiles.cpp - An i-vector extractor of typical size -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "IvectorFiles.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

using namespace mlir::nnet3::benchmarks;

static constexpr int32_t kContext = 3, kSpliced = 40 * (2 * kContext + 1);

/// Writes `value` in Kaldi's binary form.
template <typename T> static void put(std::ostream &out, T value) {
  out.write(reinterpret_cast<const char *>(&value), sizeof(value));
}
static void putInt(std::ostream &out, int32_t value) {
  out.put(4);
  put(out, value);
}
static void putMatrix(std::ostream &out, int32_t rows, int32_t cols,
                      const std::vector<float> &values) {
  out << "FM ";
  putInt(out, rows);
  putInt(out, cols);
  for (float value : values)
    put(out, value);
}
static std::ofstream openFile(const std::string &path) {
  std::ofstream out(path, std::ios::binary);
  out.put('\0').put('B');
  return out;
}

static std::vector<float> draw(std::minstd_rand &generator, int64_t count,
                               float deviation) {
  std::normal_distribution<float> normal(0, deviation);
  std::vector<float> values(count);
  for (float &value : values)
    value = normal(generator);
  return values;
}

void IvectorFiles::writeMatrix(const std::string &file, int32_t rows,
                               int32_t cols,
                               const std::vector<float> &values) const {
  std::ofstream out = openFile(folder + "/" + file);
  putMatrix(out, rows, cols, values);
}

void IvectorFiles::writeMixture() const {
  std::ofstream out = openFile(folder + "/final.dubm");
  out << "<DiagGMM> <WEIGHTS> FV ";
  putInt(out, kGaussians);
  for (int32_t g = 0; g < kGaussians; ++g)
    put(out, 1.0f / kGaussians);
  out << "<MEANS_INVVARS> ";
  putMatrix(out, kGaussians, kLda, means);
  out << "<INV_VARS> ";
  putMatrix(out, kGaussians, kLda,
            std::vector<float>(int64_t(kGaussians) * kLda, 1));
  out << "</DiagGMM> ";
}

void IvectorFiles::writeExtractor(int32_t ivectorDim) {
  std::ofstream out = openFile(folder + "/final.ie");
  out << "<IvectorExtractor> <w> ";
  putMatrix(out, 0, 0, {});
  out << "<w_vec> FV ";
  putInt(out, 0);
  out << "<M> ";
  putInt(out, kGaussians);
  for (int32_t g = 0; g < kGaussians; ++g) {
    std::vector<float> projection =
        draw(generator, int64_t(kLda) * ivectorDim, 0.1f);
    for (int32_t e = 0; e < kLda; ++e)
      projection[e * ivectorDim] = means[g * kLda + e] / 100;
    putMatrix(out, kLda, ivectorDim, projection);
  }
  out << "<SigmaInv> ";
  for (int32_t g = 0; g < kGaussians; ++g) {
    out << "FP ";
    putInt(out, kLda);
    for (int32_t r = 0; r < kLda; ++r)
      for (int32_t c = 0; c <= r; ++c)
        put(out, r == c ? 1.0f : 0.01f);
  }
  out << "<IvectorOffset> ";
  out.put(8);
  put(out, 100.0);
  out << "</IvectorExtractor> ";
}

IvectorFiles::IvectorFiles(int32_t ivectorDim) : generator(1) {
  char name[] = "/tmp/nnet3-benchmark-XXXXXX";
  if (!mkdtemp(name))
    std::exit(1);
  folder = name;
  means = draw(generator, int64_t(kGaussians) * kLda, 0.5f);
  // The transform passes the middle frame through unchanged.
  std::vector<float> lda(int64_t(kLda) * kSpliced);
  for (int32_t e = 0; e < kLda; ++e)
    lda[e * kSpliced + kContext * kFeatures + e] = 1;
  writeMatrix("final.mat", kLda, kSpliced, lda);
  std::vector<float> statistics(2 * (kFeatures + 1));
  statistics[kFeatures] = 1000;
  writeMatrix("global_cmvn.stats", 2, kFeatures + 1, statistics);
  std::ofstream(folder + "/splice.conf") << "--left-context=3\n"
                                            "--right-context=3\n";
  std::ofstream(folder + "/online_cmvn.conf") << "# defaults\n";
  writeMixture();
  writeExtractor(ivectorDim);
}

IvectorFiles::~IvectorFiles() { std::filesystem::remove_all(folder); }

std::vector<std::string> IvectorFiles::getOptions() const {
  return {"--splice-config=" + folder + "/splice.conf",
          "--cmvn-config=" + folder + "/online_cmvn.conf",
          "--lda-matrix=" + folder + "/final.mat",
          "--global-cmvn-stats=" + folder + "/global_cmvn.stats",
          "--diag-ubm=" + folder + "/final.dubm",
          "--ivector-extractor=" + folder + "/final.ie",
          "--max-count=100"};
}

std::vector<float> IvectorFiles::makeFrames(int64_t count) {
  constexpr int64_t kHeld = 8;
  std::vector<float> frames = draw(generator, count * kFeatures, 0.7f);
  for (int64_t t = 0; t < count; ++t) {
    const int64_t gaussian = t / kHeld * 7919 % kGaussians;
    for (int32_t d = 0; d < kFeatures; ++d)
      frames[t * kFeatures + d] += means[gaussian * kLda + d];
  }
  return frames;
}
