//===- Chunking.cpp - Which chunks a model can compute --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Execution/Chunking.h"
#include "nnet3/Compile/Context.h"

using namespace mlir::nnet3;
using mlir::nnet3::Index;
using LibraryMatrix = CompiledLibrary::Matrix;

mlir::FailureOr<Chunking>
mlir::nnet3::getNetworkChunking(const RequestRunner &runner,
                                const ChunkOptions &options) {
  auto context =
      mlir::nnet3::computeContext(runner.getNetwork(), runner.getNodes());
  if (failed(context))
    return mlir::failure();
  Chunking chunking;
  chunking.options = options;
  chunking.context = {context->left, context->right};
  chunking.framesPerChunk = roundFramesPerChunk(options, context->modulus);
  return chunking;
}

namespace {
/// The chunk that a library's request computes, if nnet3-compile made it for
/// --chunk: one sequence, outputs from time 0 on, frames around them.
struct ChunkShape {
  ChunkSize size;
  /// Distance of two outputs in frames; 0 if there is only one.
  int64_t step = 0;
  ChunkContext context;

  bool hasStep(int64_t factor) const { return step == 0 || step == factor; }
};
} // namespace

static const LibraryMatrix *
findMatrix(const std::vector<LibraryMatrix> &matrices, llvm::StringRef name) {
  for (const LibraryMatrix &matrix : matrices)
    if (matrix.name == name)
      return &matrix;
  return nullptr;
}

/// Returns the first time of the rows of `matrix`, the last one and their
/// distance (0 if there is one row). None unless the times are evenly spaced
/// and n and x are 0.
static std::optional<std::array<int64_t, 3>>
getTimes(const LibraryMatrix &matrix) {
  const std::vector<Index> &rows = matrix.indexes;
  if (rows.empty())
    return std::nullopt;
  const int64_t first = rows[0].t;
  const int64_t step = rows.size() > 1 ? rows[1].t - first : 0;
  for (auto [i, row] : llvm::enumerate(rows))
    if (row.n != 0 || row.x != 0 || row.t != first + int64_t(i) * step)
      return std::nullopt;
  return std::array<int64_t, 3>{first, rows.back().t, step};
}

static std::optional<ChunkShape>
getShape(const CompiledLibrary::Request &request) {
  const LibraryMatrix *input = findMatrix(request.inputs, "input");
  const LibraryMatrix *ivector = findMatrix(request.inputs, "ivector");
  const LibraryMatrix *output = findMatrix(request.outputs, "output");
  if (!input || !output || request.outputs.size() != 1 ||
      request.inputs.size() != (ivector ? 2 : 1) ||
      (ivector && ivector->indexes != std::vector<Index>{{0, 0, 0}}))
    return std::nullopt;
  auto in = getTimes(*input), out = getTimes(*output);
  if (!in || !out || (*in)[2] > 1 || (*out)[0] != 0 || (*out)[2] < 0)
    return std::nullopt;
  const int64_t minOutputs =
      request.minOutputs > 0 ? request.minOutputs : output->rows;
  return ChunkShape{
      {output->rows, minOutputs}, (*out)[2], {-(*in)[0], (*in)[1] - (*out)[1]}};
}

/// Describes the chunks, for example `'chunk30' of 30 frames, an output every
/// 3`.
static std::string describeChunks(const CompiledLibrary &library) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (const CompiledLibrary::Request &request : library.getRequests()) {
    auto shape = getShape(request);
    if (!shape)
      continue;
    os << (text.empty() ? "" : ", ") << "'" << request.name << "' of ";
    if (shape->step == 0)
      os << "one output";
    else
      os << shape->size.numOutputs * shape->step << " frames";
    if (shape->step > 1)
      os << ", an output every " << shape->step;
  }
  return text;
}

static llvm::Error makeError(const llvm::Twine &message) {
  return llvm::createStringError(message);
}

/// Explains why no chunk matches the options.
static llvm::Error makeChunkError(const ChunkOptions &options,
                                  const GivenChunkOptions &given,
                                  const CompiledLibrary &library) {
  std::string chunks = describeChunks(library);
  if (chunks.empty())
    return makeError("the library has no chunks of frames of one sequence; it "
                     "has " +
                     library.describeRequests());
  if (!given.extraContext.empty())
    return makeError("option '--" + given.extraContext +
                     "' needs a model: the chunks of a library have the "
                     "context that nnet3-compile gave them");
  std::string wanted;
  if (given.framesPerChunk)
    wanted += " of " + std::to_string(options.framesPerChunk) + " frames";
  if (given.frameSubsamplingFactor)
    wanted += " with an output every " +
              std::to_string(options.frameSubsamplingFactor);
  return makeError("the library has no chunks" + wanted + "; it has " + chunks);
}

llvm::Expected<Chunking>
mlir::nnet3::getLibraryChunking(const CompiledLibrary &library,
                                const ChunkOptions &options,
                                const GivenChunkOptions &given) {
  auto getFactor = [&](const ChunkShape &shape) -> int64_t {
    if (shape.step != 0)
      return shape.step;
    return given.frameSubsamplingFactor ? options.frameSubsamplingFactor : 1;
  };
  auto serves = [&](const ChunkShape &shape) {
    const int64_t factor = getFactor(shape);
    return (!given.frameSubsamplingFactor ||
            factor == options.frameSubsamplingFactor) &&
           (!given.framesPerChunk ||
            shape.size.numOutputs ==
                (options.framesPerChunk + factor - 1) / factor);
  };
  std::optional<ChunkShape> best;
  llvm::SmallVector<ChunkShape> shapes;
  for (const CompiledLibrary::Request &request : library.getRequests())
    if (auto shape = getShape(request)) {
      shapes.push_back(*shape);
      if (serves(*shape) &&
          (!best || shape->size.numOutputs > best->size.numOutputs))
        best = shape;
    }
  if (!best || !given.extraContext.empty())
    return makeChunkError(options, given, library);
  Chunking chunking;
  chunking.options.frameSubsamplingFactor = int32_t(getFactor(*best));
  chunking.context = best->context;
  chunking.framesPerChunk = best->size.numOutputs * getFactor(*best);
  for (const ChunkShape &shape : shapes)
    if (shape.size.numOutputs <= best->size.numOutputs &&
        shape.hasStep(getFactor(*best)) &&
        shape.context.left == best->context.left &&
        shape.context.right == best->context.right)
      chunking.addSize(shape.size);
  chunking.onlySizes = true;
  return chunking;
}
