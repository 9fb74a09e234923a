// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nnet3-compute by Kaldi's own code: computes the outputs of a table of
// utterances with the shared libraries of the PyPI package
// kaldi-active-grammar, which export Kaldi's classes but no headers. The
// declarations below have the sizes and the order of members of those classes.
// kaldi.py builds this file and runs it.
//
//   kaldi_compute MODEL FEATURES OUTPUTS SUBSAMPLING FRAMES-PER-CHUNK
//   [IVECTORS]
//
// FEATURES and IVECTORS are binary archives of float matrices and vectors, with
// equal keys in the same order. Prints the processor time in seconds of
// everything but reading the model.
//
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

namespace kaldi {
template <typename T> class VectorBase {
public:
  T *data = nullptr;
  int32_t dim = 0;
};

template <typename T> class MatrixBase {
public:
  T *data = nullptr;
  int32_t cols = 0, rows = 0, stride = 0;
};

template <typename T> class Matrix : public MatrixBase<T> {
public:
  void Destroy();
};

namespace nnet3 {
struct NnetOptimizeOptions {
  bool optimize = true, consolidateModelUpdate = true, propagateInPlace = true,
       backpropInPlace = true, optimizeRowOps = true, splitRowOps = true,
       extendMatrices = true, convertAddition = true, removeAssignments = true,
       allowLeftMerge = true, allowRightMerge = true,
       initializeUndefined = true, moveSizingCommands = true,
       allocateFromOther = true;
  int32_t minDerivTime = INT32_MIN, maxDerivTime = INT32_MAX,
          maxDerivTimeRelative = INT32_MAX;
  bool snipRowOps = true;
  int32_t memoryCompressionLevel = 1;
  bool optimizeLoopedComputation = false;

  void Write(std::ostream &stream, bool binary) const;
};

struct CachingOptimizingCompilerOptions {
  bool useShortcut = true;
  int32_t cacheCapacity = 64;
};

struct NnetSimpleComputationOptions {
  int32_t extraLeftContext = 0, extraRightContext = 0,
          extraLeftContextInitial = -1, extraRightContextFinal = -1,
          frameSubsamplingFactor = 1, framesPerChunk = 50;
  float acousticScale = 1;
  bool debugComputation = false;
  NnetOptimizeOptions optimize;
  bool debug = false;
  CachingOptimizingCompilerOptions compiler;
};

struct CollapseModelConfig {
  bool dropout = false, batchnorm = false, affine = true, scale = true;
};

class Nnet {
public:
  ~Nnet();
  void Read(std::istream &stream, bool binary);
  int32_t OutputDim(const std::string &name) const;

private:
  std::vector<std::string> componentNames;
  std::vector<void *> components;
  std::vector<std::string> nodeNames;
  std::vector<void *> nodes;
};

void SetBatchnormTestMode(bool test, Nnet *nnet);
void SetDropoutTestMode(bool test, Nnet *nnet);
void CollapseModel(const CollapseModelConfig &config, Nnet *nnet);

class CachingOptimizingCompiler {
public:
  CachingOptimizingCompiler(const Nnet &nnet,
                            const NnetOptimizeOptions &optimize,
                            CachingOptimizingCompilerOptions options);
  ~CachingOptimizingCompiler();

private:
  char members[4096];
};

class DecodableNnetSimple {
public:
  DecodableNnetSimple(const NnetSimpleComputationOptions &options,
                      const Nnet &nnet, const VectorBase<float> &priors,
                      const MatrixBase<float> &features,
                      CachingOptimizingCompiler *compiler,
                      const VectorBase<float> *ivector,
                      const MatrixBase<float> *onlineIvectors,
                      int32_t onlineIvectorPeriod);
  /// The library's destructor is inline. Without priors, only the outputs of
  /// the last chunk have memory.
  ~DecodableNnetSimple() { chunk.Destroy(); }
  void GetOutputForFrame(int32_t frame, VectorBase<float> *output);

  /// Returns the width of the outputs of the last chunk. If it is right, the
  /// declared layout of the class matches the library's.
  int32_t getChunkWidth() const { return chunk.cols; }

private:
  NnetSimpleComputationOptions options;
  const Nnet &nnet;
  int32_t leftContext, rightContext, outputDim;
  VectorBase<float> logPriors;
  const MatrixBase<float> &features;
  int32_t numFrames;
  const VectorBase<float> *ivector;
  const MatrixBase<float> *onlineIvectors;
  int32_t onlineIvectorPeriod;
  CachingOptimizingCompiler &compiler;
  Matrix<float> chunk;
  int32_t chunkOffset;
};
} // namespace nnet3
} // namespace kaldi

using namespace kaldi;
using namespace kaldi::nnet3;

[[noreturn]] static void fail(const std::string &message) {
  std::fprintf(stderr, "kaldi_compute: %s\n", message.c_str());
  std::exit(1);
}

/// Checks that the options have the members that the library expects, by the
/// text that the library writes for them.
static void checkLayout() {
  std::ostringstream text;
  NnetOptimizeOptions options;
  options.memoryCompressionLevel = 7;
  options.maxDerivTimeRelative = 11;
  options.Write(text, false);
  for (const char *part : {"<Optimize> T", "<OptimizeRowOps> T",
                           "<AllocateFromOther> T", "<MaxDerivTimeRelative> 11",
                           "<SnipRowOps> T", "<MemoryCompressionLevel> 7"})
    if (text.str().find(part) == std::string::npos)
      fail("the library has other options: " + text.str());
}

/// An entry of an archive: its key, number of rows (1 for a vector), number of
/// columns, and elements.
struct Entry {
  std::string key;
  int32_t rows = 1, cols = 0;
  std::vector<float> values;

  bool read(std::istream &stream) {
    if (!(stream >> key))
      return false;
    char marker[6] = {};
    stream.read(marker, 6);
    if (std::memcmp(marker, " \0BFM ", 6) == 0)
      rows = readInteger(stream);
    else if (std::memcmp(marker, " \0BFV ", 6) == 0)
      rows = 1;
    else
      fail("no binary float matrix or vector: " + key);
    cols = readInteger(stream);
    values.resize(size_t(rows) * cols);
    stream.read(reinterpret_cast<char *>(values.data()),
                values.size() * sizeof(float));
    return bool(stream);
  }

private:
  static int32_t readInteger(std::istream &stream) {
    int32_t value = 0;
    stream.get();
    stream.read(reinterpret_cast<char *>(&value), 4);
    return value;
  }
};

static void write(std::ostream &stream, const Entry &entry) {
  stream << entry.key;
  stream.write(" \0BFM ", 6);
  for (int32_t size : {entry.rows, entry.cols}) {
    stream.put(4);
    stream.write(reinterpret_cast<const char *>(&size), 4);
  }
  stream.write(reinterpret_cast<const char *>(entry.values.data()),
               entry.values.size() * sizeof(float));
}

int main(int count, char **arguments) {
  if (count < 6)
    fail("MODEL FEATURES OUTPUTS SUBSAMPLING FRAMES-PER-CHUNK [IVECTORS]");
  checkLayout();
  Nnet nnet;
  std::ifstream model(arguments[1], std::ios::binary);
  bool binary = model.peek() == '\0';
  if (binary)
    model.ignore(2);
  nnet.Read(model, binary);
  SetBatchnormTestMode(true, &nnet);
  SetDropoutTestMode(true, &nnet);
  CollapseModel({}, &nnet);
  int32_t outputDim = nnet.OutputDim("output");

  std::clock_t begin = std::clock();
  NnetSimpleComputationOptions options;
  options.frameSubsamplingFactor = std::atoi(arguments[4]);
  options.framesPerChunk = std::atoi(arguments[5]);
  CachingOptimizingCompiler compiler(nnet, options.optimize, options.compiler);
  std::ifstream featureFile(arguments[2], std::ios::binary), ivectorFile;
  if (count > 6)
    ivectorFile.open(arguments[6], std::ios::binary);
  std::ofstream outputFile(arguments[3], std::ios::binary);
  Entry features, ivector, outputs;
  while (features.read(featureFile)) {
    MatrixBase<float> matrix;
    matrix.data = features.values.data();
    matrix.rows = features.rows;
    matrix.cols = matrix.stride = features.cols;
    VectorBase<float> vector, noPriors;
    if (count > 6) {
      if (!ivector.read(ivectorFile) || ivector.key != features.key)
        fail("no i-vector of " + features.key);
      vector.data = ivector.values.data();
      vector.dim = ivector.cols;
    }
    DecodableNnetSimple decodable(options, nnet, noPriors, matrix, &compiler,
                                  count > 6 ? &vector : nullptr, nullptr, 1);
    outputs.key = features.key;
    outputs.rows = (features.rows + options.frameSubsamplingFactor - 1) /
                   options.frameSubsamplingFactor;
    outputs.cols = outputDim;
    outputs.values.resize(size_t(outputs.rows) * outputDim);
    for (int32_t frame = 0; frame < outputs.rows; ++frame) {
      VectorBase<float> row;
      row.data = outputs.values.data() + size_t(frame) * outputDim;
      row.dim = outputDim;
      decodable.GetOutputForFrame(frame, &row);
    }
    if (decodable.getChunkWidth() != outputDim)
      fail("the library has another DecodableNnetSimple");
    write(outputFile, outputs);
  }
  outputFile.close();
  if (!outputFile)
    fail("cannot write the outputs");
  std::printf("%.3f\n", double(std::clock() - begin) / CLOCKS_PER_SEC);
}
