//===- ChunkProgram.cpp - Examples cut out of utterances ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ChunkProgram.h"
#include "nnet3/Kaldi/IO/KaldiError.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace ::nnet3::kaldi;
using namespace mlir::nnet3;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

void ChunkProgramOptions::registerOptions(OptionParser &parser) {
  ProgramOptions::registerOptions(parser);
  parser.beginGroup("Chunks");
  parser.add("left-context", &chunks.leftContext,
             "Frames of input before each chunk");
  parser.add("right-context", &chunks.rightContext,
             "Frames of input after each chunk");
  parser.add("left-context-initial", &chunks.leftContextInitial,
             "The same before the first chunk of an utterance; -1 for as many "
             "as before the others");
  parser.add("right-context-final", &chunks.rightContextFinal,
             "Frames of input after the last chunk");
  parser.add("num-frames", &chunks.numFrames,
             "Frames of a chunk: the usual size first, then others of which "
             "an utterance gets at most two; -1 for whole utterances");
  parser.add("num-frames-overlap", &chunks.numFramesOverlap,
             "Frames that chunks share, in the mean");
  parser.add("frame-subsampling-factor", &chunks.frameSubsamplingFactor,
             "Frames of input for each of output");
  parser.add("length-tolerance", &lengthTolerance,
             "Frames by which features and i-vectors may differ in length");
  parser.add(toleranceName, &targetsLengthTolerance,
             "Frames of output by which the supervision may be longer or "
             "shorter than the features");
  parser.add("srand", &seed, "Seed of the chunks");
  parser.beginGroup("Inputs");
  parser.add("compress", &compress, "Compress matrices that are full");
  parser.add("online-ivectors", &ivectors,
             "Table of i-vectors, one for each period of frames");
  parser.add("ivectors", &ivectors, "Another name of --online-ivectors");
  parser.add("online-ivector-period", &ivectorPeriod,
             "Frames of input for each i-vector");
}

Error ChunkProgramOptions::finishChunks() const {
  return expectAtLeast("online-ivector-period", 1, ivectorPeriod);
}

Error ChunkProgramOptions::finish(llvm::ArrayRef<std::string> positional) {
  if (Error error = finishChunks())
    return error;
  if (positional.size() != 3)
    return optionError("expects features, their supervision and a table to "
                       "write, but got " +
                       Twine(positional.size()) + " arguments; see --help");
  features = positional[0];
  supervision = positional[1];
  output = positional[2];
  return Error::success();
}

namespace {
/// Cuts the utterances of a table into chunks.
class ExampleMaker {
public:
  ExampleMaker(StringRef program, const ChunkProgramOptions &options,
               Supervision &supervision, ChunkSplitter splitter)
      : program(program), options(options), supervision(supervision),
        splitter(std::move(splitter)), random(options.seed) {}

  Error run();

private:
  Error open();
  Expected<bool> add(StringRef key, const GeneralMatrix &features);
  /// Returns the number of input frames to cut into chunks; none after a
  /// warning.
  Expected<std::optional<int32_t>> findLength(const ExampleSource &source,
                                              int32_t length);
  Expected<bool> findIvectors(StringRef key, int32_t length);
  Error write(StringRef key, const GeneralMatrix &features,
              const ExampleChunk &chunk);
  NnetIo makeInput(const GeneralMatrix &features,
                   const ExampleChunk &chunk) const;
  NnetIo drawIvector(const ExampleChunk &chunk);
  bool warn(const Twine &message) const {
    printWarning(program, message);
    return false;
  }

  StringRef program;
  const ChunkProgramOptions &options;
  Supervision &supervision;
  ChunkSplitter splitter;
  std::mt19937_64 random;
  std::unique_ptr<TableWriter<AnyExample>> table;
  std::unique_ptr<RandomAccessTableReader<GeneralMatrix>> ivectors;
  /// The i-vectors of the current utterance.
  const GeneralMatrix *utteranceIvectors = nullptr;
  int64_t numExamples = 0, numFrames = 0;
};
} // namespace

Error ExampleMaker::open() {
  auto opened =
      TableWriter<AnyExample>::open(options.output, options.getTableOptions());
  if (!opened)
    return opened.takeError();
  table = std::move(*opened);
  if (options.ivectors.empty())
    return Error::success();
  auto reader = RandomAccessTableReader<GeneralMatrix>::open(
      options.ivectors, options.getTableOptions());
  if (!reader)
    return reader.takeError();
  ivectors = std::move(*reader);
  return Error::success();
}

Expected<std::optional<int32_t>>
ExampleMaker::findLength(const ExampleSource &source, int32_t length) {
  Expected<int32_t> found = supervision.select(source);
  if (!found)
    return found.takeError();
  const auto none = std::optional<int32_t>();
  if (*found < 0)
    return warn("no supervision for utterance " + source.key), none;
  const int32_t factor = options.chunks.frameSubsamplingFactor;
  const int32_t wanted = llvm::divideCeil(length, factor);
  if (std::abs(int64_t(*found) - wanted) > options.targetsLengthTolerance)
    return warn("utterance " + source.key + " has " + Twine(wanted) +
                " frames of output, but supervision for " + Twine(*found)),
           none;
  if (*found < wanted && !supervision.canReachBeyond())
    return *found * factor;
  return length;
}

/// Finds the i-vectors of the utterance; returns false after a warning.
Expected<bool> ExampleMaker::findIvectors(StringRef key, int32_t length) {
  if (!ivectors)
    return true;
  Expected<const GeneralMatrix *> matrix = ivectors->find(key);
  if (!matrix)
    return matrix.takeError();
  utteranceIvectors = *matrix;
  if (!utteranceIvectors)
    return warn("no i-vectors for utterance " + key);
  const int64_t covered =
      getNumRows(*utteranceIvectors) * options.ivectorPeriod;
  if (covered == 0 ||
      std::abs(covered - length) >
          std::max(options.lengthTolerance, options.ivectorPeriod))
    return warn("utterance " + key + " has " + Twine(length) +
                " frames, but i-vectors for " + Twine(covered));
  return true;
}

NnetIo ExampleMaker::makeInput(const GeneralMatrix &features,
                               const ExampleChunk &chunk) const {
  NnetIo io;
  io.name = "input";
  std::vector<int64_t> rows;
  const int32_t end = chunk.numFrames + chunk.rightContext;
  for (int32_t t = -chunk.leftContext; t < end; ++t) {
    io.indexes.push_back({0, t, 0});
    rows.push_back(std::clamp<int64_t>(int64_t(chunk.firstFrame) + t, 0,
                                       getNumRows(features) - 1));
  }
  io.features = selectRows(features, rows);
  if (options.compress)
    compressIo(io);
  return io;
}

NnetIo ExampleMaker::drawIvector(const ExampleChunk &chunk) {
  const int32_t frame =
      chunk.firstFrame +
      std::uniform_int_distribution<int32_t>(0, chunk.numFrames - 1)(random);
  const int64_t row = std::min<int64_t>(frame / options.ivectorPeriod,
                                        getNumRows(*utteranceIvectors) - 1);
  NnetIo io{"ivector", {RowIndex()}, selectRows(*utteranceIvectors, row)};
  if (options.compress)
    compressIo(io);
  return io;
}

Error ExampleMaker::write(StringRef key, const GeneralMatrix &features,
                          const ExampleChunk &chunk) {
  std::vector<NnetIo> inputs{makeInput(features, chunk)};
  if (ivectors)
    inputs.push_back(drawIvector(chunk));
  const std::string name = (key + "-" + Twine(chunk.firstFrame)).str();
  auto example = supervision.makeExample(std::move(inputs), chunk);
  if (!example)
    return example.takeError();
  if (!*example)
    return Error::success();
  ++numExamples;
  numFrames += chunk.numFrames;
  return table->write(name, **example);
}

/// Writes the examples of an utterance; returns false if there are none.
Expected<bool> ExampleMaker::add(StringRef key, const GeneralMatrix &features) {
  const int64_t length = getNumRows(features);
  if (length == 0 || length > 100000000)
    return warn("utterance " + key + " has " + Twine(length) + " frames");
  Expected<bool> found = findIvectors(key, length);
  if (!found || !*found)
    return found;
  Expected<std::optional<int32_t>> used =
      findLength({key, features, utteranceIvectors}, length);
  if (!used)
    return used.takeError();
  if (!*used)
    return false;
  const std::vector<ExampleChunk> chunks = splitter.split(**used, random);
  if (chunks.empty())
    return warn("utterance " + key + " is too short for any chunk: it has " +
                Twine(length) + " frames");
  for (const ExampleChunk &chunk : chunks)
    if (Error error = write(key, features, chunk))
      return error;
  return true;
}

Error ExampleMaker::run() {
  auto from = SequentialTableReader<GeneralMatrix>::open(
      options.features, options.getTableOptions());
  if (!from)
    return from.takeError();
  if (Error error = open())
    return error;
  size_t numDone = 0, numFailed = 0;
  while (true) {
    Expected<bool> more = (*from)->next();
    if (!more)
      return more.takeError();
    if (!*more)
      break;
    Expected<bool> done = add((*from)->getKey(), (*from)->getValue());
    if (!done)
      return done.takeError();
    ++(*done ? numDone : numFailed);
  }
  printLog(program, "Made " + Twine(numExamples) + " examples with " +
                        Twine(numFrames) + " frames of " + Twine(numDone) +
                        " utterances, left out " + Twine(numFailed) +
                        " utterances");
  if (numDone + numFailed == 0)
    return makeFileError(options.features, "there are no utterances");
  return numExamples > 0
             ? table->close()
             : makeFileError(options.features, "no example was written");
}

Expected<std::optional<AnyExample>>
RowSupervision::makeExample(std::vector<NnetIo> inputs,
                            const ExampleChunk &chunk) const {
  NnetExample example;
  example.io = std::move(inputs);
  NnetIo &io = example.io.emplace_back();
  io.name = "output";
  io.features = createRows();
  for (size_t i = 0; i < chunk.outputWeights.size(); ++i) {
    io.indexes.push_back({0, int32_t(i) * factor, 0});
    if (Error error = addRow(chunk.firstFrame / factor + int32_t(i),
                             chunk.outputWeights[i], io.features))
      return error;
  }
  return AnyExample(std::move(example));
}

void mlir::nnet3::addTargets(const Matrix &targets, int32_t frame, float weight,
                             Matrix &rows) {
  for (float value : targets.row(std::min<int64_t>(frame, targets.rows - 1)))
    rows.data.push_back(value * weight);
  ++rows.rows;
  rows.cols = targets.cols;
}

Error mlir::nnet3::makeExamples(StringRef program,
                                const ChunkProgramOptions &options,
                                Supervision &supervision) {
  auto splitter = ChunkSplitter::create(options.chunks);
  if (!splitter)
    return splitter.takeError();
  return ExampleMaker(program, options, supervision, std::move(*splitter))
      .run();
}
