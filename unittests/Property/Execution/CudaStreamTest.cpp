//===- CudaStreamTest.cpp - Streams on a GPU against the reference --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Libraries of nnet3-compile --streaming --target=cuda for the networks of the
// reference, with a fake driver: the reference's chunks, for one stream and for
// two with different starts.
//
//===----------------------------------------------------------------------===//

#include "FakeCudaLibrary.h"
#include "GoldenStream.h"

#include "nnet3/Pipelines/NativeCode.h"
#include "nnet3/Stream/CreateStream.h"

#include <cstring>

using namespace mlir::nnet3::property;
using namespace mlir::nnet3;
using ::nnet3::kaldi::Matrix;

namespace {

struct FreeState {
  void operator()(void *state) const { std::free(state); }
};

/// One of the streams.
struct Stream {
  std::unique_ptr<void, FreeState> state;
  int64_t numChunks = 0; ///< so far
};

class CudaStreamTest : public ::testing::TestWithParam<std::string> {
protected:
  void SetUp() override;
  void TearDown() override {
    functions().stepper_destroy(stepper);
    library.close();
  }

  const LibraryFunctions &functions() const {
    return library.get()->getFunctions();
  }
  nnet3lib_model *model() const { return library.get()->getModel(); }
  Stream open() const;
  Matrix takeFirst(const Matrix &matrix) const;
  std::vector<Matrix> step(llvm::ArrayRef<Stream *> streams);
  void expectGolden(const Matrix &output, int64_t chunk) const;

  GoldenStream golden{GetParam()};
  mlir::MLIRContext context;
  FakeCudaLibrary library;
  nnet3lib_stream_info info = {};
  nnet3lib_stepper *stepper = nullptr;
  int64_t numFrames = 0;
};

void CudaStreamTest::SetUp() {
  context.loadDialect<Nnet3Dialect, mlir::memref::MemRefDialect>();
  mlir::OwningOpRef<mlir::ModuleOp> module = golden.readModel(context);
  ASSERT_TRUE(module);
  ASSERT_TRUE(mlir::succeeded(
      prepareForStreams(*module, Precision::F32, /*device=*/true)));
  StreamOptions options = golden.getOptions();
  numFrames = options.chunks.front();
  options.sequences = {1, 2};
  mlir::SymbolTable symbols(*module);
  ASSERT_TRUE(mlir::succeeded(
      createStream(symbols, *module->getOps<NetworkOp>().begin(), options)));
  library.build(std::move(module));
  ASSERT_FALSE(HasFailure());
  ASSERT_TRUE(library->runsOnGpu());
  info.struct_size = sizeof(info);
  ASSERT_EQ(functions().get_stream_info(model(), &info), NNET3LIB_OK);
  ASSERT_EQ(functions().stepper_create(model(), nullptr, &stepper),
            NNET3LIB_OK);
}

Stream CudaStreamTest::open() const {
  Stream stream;
  stream.state.reset(std::aligned_alloc(
      NNET3LIB_ALIGNMENT, llvm::alignTo(info.state_bytes, NNET3LIB_ALIGNMENT)));
  EXPECT_EQ(
      functions().state_init(model(), stream.state.get(), info.state_bytes),
      NNET3LIB_OK);
  return stream;
}

/// Returns the rows of the first sequence.
Matrix CudaStreamTest::takeFirst(const Matrix &matrix) const {
  const int64_t count = golden.getOptions().sequences.front();
  Matrix first(matrix.rows / count, matrix.cols);
  std::copy_n(matrix.data.begin(), first.data.size(), first.data.begin());
  return first;
}

/// Runs the next chunk of each stream and returns the outputs.
std::vector<Matrix> CudaStreamTest::step(llvm::ArrayRef<Stream *> streams) {
  std::vector<Matrix> inputs, outputs;
  for (const Stream *stream : streams) {
    auto given = golden.getMatrices(stream->numChunks, "input");
    for (const char *name : {"input", "ivector"})
      inputs.push_back(takeFirst(given[name]));
    const auto wanted = golden.getMatrices(stream->numChunks, "output");
    outputs.push_back(takeFirst(wanted.lookup("output")));
    outputs.back().data.assign(outputs.back().data.size(), NAN);
  }
  std::vector<nnet3lib_input> inputViews;
  for (const Matrix &matrix : inputs)
    inputViews.push_back({matrix.data.data(), matrix.cols, int32_t(matrix.rows),
                          int32_t(matrix.cols)});
  std::vector<nnet3lib_output> outputViews;
  for (Matrix &matrix : outputs)
    outputViews.push_back({matrix.data.data(), matrix.cols,
                           int32_t(matrix.rows), int32_t(matrix.cols)});
  const int32_t numInputs = inputs[1].rows > 0 ? 2 : 1;
  std::vector<nnet3lib_step> steps;
  for (auto [i, stream] : llvm::enumerate(streams)) {
    steps.push_back({stream->state.get(), &inputViews[2 * i], &outputViews[i],
                     numInputs, NNET3LIB_OK});
    ++stream->numChunks;
  }
  EXPECT_EQ(functions().stepper_step_batch(stepper, int32_t(numFrames),
                                           steps.data(), int32_t(steps.size())),
            NNET3LIB_OK);
  return outputs;
}

void CudaStreamTest::expectGolden(const Matrix &output, int64_t chunk) const {
  const Matrix expected =
      takeFirst(golden.getMatrices(chunk, "output")["output"]);
  for (size_t i = 0; i < expected.data.size(); ++i)
    ASSERT_NEAR(output.data[i], expected.data[i],
                1e-4f + 1e-4f * std::abs(expected.data[i]))
        << "chunk " << chunk << ", element " << i;
}

/// A stream, one that is a chunk behind it, and a copy of it.
TEST_P(CudaStreamTest, SameOutputs) {
  Stream early = open(), late = open(), copy = open();
  expectGolden(step({&early})[0], 0);
  const int64_t numChunks = *golden.get().getInteger("chunks");
  for (int64_t chunk = 1; chunk < numChunks; ++chunk) {
    if (chunk == numChunks - 1) {
      EXPECT_EQ(functions().state_seal(model(), early.state.get()),
                NNET3LIB_OK);
      std::memcpy(copy.state.get(), early.state.get(), info.state_bytes);
      copy.numChunks = chunk;
      EXPECT_EQ(
          functions().state_check(model(), copy.state.get(), info.state_bytes),
          NNET3LIB_OK);
    }
    const std::vector<Matrix> outputs = step({&early, &late});
    ASSERT_NO_FATAL_FAILURE(expectGolden(outputs[0], chunk));
    ASSERT_NO_FATAL_FAILURE(expectGolden(outputs[1], chunk - 1));
  }
  expectGolden(step({&copy})[0], numChunks - 1);
}

std::string getTestName(const ::testing::TestParamInfo<std::string> &info) {
  std::string name = info.param;
  llvm::replace(name, '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Golden, CudaStreamTest,
                         ::testing::ValuesIn(GoldenStream::getNames()),
                         getTestName);

} // namespace
