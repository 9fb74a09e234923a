//===- LibraryStream.cpp - A stream by a compiled library -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Execution/ChunkStream.h"
#include "nnet3/Execution/Chunking.h"

#include "llvm/Support/MemAlloc.h"

using namespace ::nnet3::kaldi;
using namespace mlir;
using namespace mlir::nnet3;
using llvm::Expected;

/// Returns a zero-filled struct of the library's interface with its size set.
template <typename Struct> static Struct sized() {
  Struct value = {};
  value.struct_size = sizeof(value);
  return value;
}

static llvm::Error makeError(const llvm::Twine &message) {
  return llvm::createStringError(message);
}

namespace {
class LibraryStream : public ChunkStream {
public:
  LibraryStream(std::shared_ptr<CompiledLibrary> library, Location loc)
      : library(std::move(library)), functions(this->library->getFunctions()),
        loc(loc) {}
  ~LibraryStream() override {
    functions.stepper_destroy(stepper);
    if (state)
      llvm::deallocate_buffer(state, info.state_bytes, NNET3LIB_ALIGNMENT);
  }

  llvm::Error open(int32_t numThreads);
  /// Chooses a chunk length of `numFrames` frames; 0 means the longest.
  llvm::Error choose(int64_t numFrames);
  std::string describeChunks() const;

  int64_t getRight() const override { return info.right_context; }
  int64_t getFrameSubsamplingFactor() const override {
    return info.frame_subsampling_factor;
  }
  void begin() override {
    hasBegun = false;
    functions.state_init(library->getModel(), state, info.state_bytes);
  }
  int64_t getNumFrames(int64_t numFrames) const override;
  std::pair<int64_t, int64_t> getInputTimes(int64_t numFrames) const override {
    const int64_t last = numFrames + info.right_context - 1;
    return {hasBegun ? info.right_context : -int64_t(info.left_context), last};
  }
  int64_t getNumIvectors(int64_t numFrames) const override {
    const nnet3lib_chunk_info &chunk = getChunk(numFrames);
    return hasBegun ? chunk.next_ivector_rows : chunk.first_ivector_rows;
  }
  FailureOr<Matrix> step(int64_t numFrames, const Matrix &input,
                         const Matrix &ivectors) override;

private:
  llvm::Error check(nnet3lib_status status) const {
    return status == NNET3LIB_OK ? llvm::Error::success()
                                 : makeError(functions.error_text(status));
  }
  const nnet3lib_chunk_info &getChunk(int64_t numFrames) const {
    return *llvm::find_if(chunks, [&](const nnet3lib_chunk_info &chunk) {
      return chunk.num_frames == numFrames;
    });
  }

  std::shared_ptr<CompiledLibrary> library;
  const LibraryFunctions &functions;
  Location loc;
  nnet3lib_stream_info info = sized<nnet3lib_stream_info>();
  std::vector<nnet3lib_chunk_info> chunks; ///< sorted by length
  nnet3lib_stepper *stepper = nullptr;
  void *state = nullptr;
  bool hasBegun = false;
  int64_t usual = 0; ///< chunk length in frames
};
} // namespace

llvm::Error LibraryStream::open(int32_t numThreads) {
  if (functions.get_stream_info(library->getModel(), &info) != NNET3LIB_OK)
    return makeError("the library computes no streams; it has " +
                     library->describeRequests());
  for (int32_t i = 0; i < info.num_chunks; ++i) {
    chunks.push_back(sized<nnet3lib_chunk_info>());
    if (llvm::Error error = check(
            functions.get_chunk_info(library->getModel(), i, &chunks.back())))
      return error;
  }
  auto options = sized<nnet3lib_instance_options>();
  options.num_threads = numThreads;
  if (llvm::Error error = check(
          functions.stepper_create(library->getModel(), &options, &stepper)))
    return error;
  state = llvm::allocate_buffer(info.state_bytes, NNET3LIB_ALIGNMENT);
  return check(
      functions.state_init(library->getModel(), state, info.state_bytes));
}

std::string LibraryStream::describeChunks() const {
  std::string text;
  for (const nnet3lib_chunk_info &chunk : chunks)
    text += (text.empty() ? "" : ", ") + std::to_string(chunk.num_frames);
  return text + " frames, an output every " +
         std::to_string(info.frame_subsampling_factor);
}

llvm::Error LibraryStream::choose(int64_t numFrames) {
  usual = numFrames ? numFrames : chunks.back().num_frames;
  if (llvm::any_of(chunks, [&](const nnet3lib_chunk_info &chunk) {
        return chunk.num_frames == usual;
      }))
    return llvm::Error::success();
  return makeError("the library has no chunks of " + llvm::Twine(usual) +
                   " frames for streams; it has chunks of " + describeChunks());
}

int64_t LibraryStream::getNumFrames(int64_t numFrames) const {
  SmallVector<int64_t> lengths;
  for (const nnet3lib_chunk_info &chunk : chunks)
    if (hasBegun || chunk.can_begin)
      lengths.push_back(chunk.num_frames);
  return chooseChunkLength(lengths, usual, numFrames);
}

FailureOr<Matrix> LibraryStream::step(int64_t numFrames, const Matrix &input,
                                      const Matrix &ivectors) {
  const nnet3lib_input inputs[] = {
      {input.data.data(), input.cols, int32_t(input.rows), int32_t(input.cols)},
      {ivectors.data.data(), ivectors.cols, int32_t(ivectors.rows),
       int32_t(ivectors.cols)}};
  Matrix result(getChunk(numFrames).output_rows, info.output_dim);
  const nnet3lib_output output = {result.data.data(), result.cols,
                                  int32_t(result.rows), int32_t(result.cols)};
  if (llvm::Error error =
          check(functions.stepper_step(stepper, state, int32_t(numFrames),
                                       inputs, ivectors.cols ? 2 : 1, &output)))
    return emitError(loc) << llvm::toString(std::move(error));
  hasBegun = true;
  return result;
}

Expected<std::unique_ptr<ChunkStream>> mlir::nnet3::makeLibraryStream(
    std::shared_ptr<CompiledLibrary> library, const ChunkOptions &options,
    const GivenChunkOptions &given, int32_t numThreads, Location loc) {
  auto stream = std::make_unique<LibraryStream>(std::move(library), loc);
  if (llvm::Error error = stream->open(numThreads))
    return std::move(error);
  if (!given.extraContext.empty())
    return makeError("option '--" + given.extraContext +
                     "' needs a model: the streams of a library have the "
                     "context that nnet3-compile gave them");
  if (given.frameSubsamplingFactor &&
      options.frameSubsamplingFactor != stream->getFrameSubsamplingFactor())
    return makeError("the library has no streams with an output every " +
                     llvm::Twine(options.frameSubsamplingFactor) +
                     "; it has chunks of " + stream->describeChunks());
  if (llvm::Error error =
          stream->choose(given.framesPerChunk ? options.framesPerChunk : 0))
    return std::move(error);
  return std::unique_ptr<ChunkStream>(std::move(stream));
}
