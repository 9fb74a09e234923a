//===- XvectorGetEgsMain.cpp - Examples with speakers as classes ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spec: nnet3bin.md 12.1.
//
//===----------------------------------------------------------------------===//

#include "nnet3/Kaldi/Examples/Examples.h"
#include "nnet3/Kaldi/IO/Input.h"
#include "nnet3/Kaldi/IO/KaldiError.h"
#include "nnet3/Tools/Common/Program.h"
#include "nnet3/Tools/Examples.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace ::nnet3::kaldi;
using namespace mlir::nnet3;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

static constexpr StringRef kName = "nnet3-xvector-get-egs";

static const char kUsage[] =
    "Cuts training examples for x-vectors out of utterances; the supervision "
    "of a chunk is\nits speaker.\n"
    "Usage: nnet3-xvector-get-egs [options] RANGES FEATURES-RSPECIFIER "
    "EGS-WSPECIFIER...\n"
    "\n"
    "RANGES has a line for each chunk: utterance, number of the table to write "
    "to, a number\nthat is not used, first frame, number of frames, speaker.\n"
    "e.g.: nnet3-xvector-get-egs --num-pdfs=100 ranges.1 scp:feats.scp "
    "ark:egs.1.ark ark:egs.2.ark\n";

namespace {
struct XvectorGetEgsOptions : ProgramOptions {
  std::string ranges, features;
  std::vector<std::string> outputs;
  bool compress = true;
  int32_t numPdfs = -1;

  void registerOptions(OptionParser &parser) override;
  Error finish(llvm::ArrayRef<std::string> positional) override;
};

/// A line of the ranges file.
struct SpeakerChunk {
  int32_t output = 0, firstFrame = 0, numFrames = 0, speaker = 0;
};

using ChunksOfUtterances = llvm::StringMap<std::vector<SpeakerChunk>>;
using ExampleTables = std::vector<std::unique_ptr<TableWriter<NnetExample>>>;
} // namespace

void XvectorGetEgsOptions::registerOptions(OptionParser &parser) {
  ProgramOptions::registerOptions(parser);
  parser.add("compress", &compress, "Compress matrices that are full");
  parser.add("num-pdfs", &numPdfs, "How many speakers there are");
}

Error XvectorGetEgsOptions::finish(llvm::ArrayRef<std::string> positional) {
  if (Error error = expectAtLeast("num-pdfs", 1, numPdfs))
    return error;
  if (positional.size() < 3)
    return optionError(
        "expects ranges, features and tables to write, but got " +
        Twine(positional.size()) + " arguments; see --help");
  ranges = positional[0];
  features = positional[1];
  outputs = positional.drop_front(2).vec();
  return Error::success();
}

/// Parses a line; returns an error message, or an empty string.
static std::string parseChunk(llvm::ArrayRef<StringRef> words,
                              const XvectorGetEgsOptions &options,
                              SpeakerChunk &chunk) {
  if (words.size() != 6)
    return ("expects 6 words, but got " + Twine(words.size())).str();
  int32_t unused;
  int32_t *const numbers[] = {&chunk.output, &unused, &chunk.firstFrame,
                              &chunk.numFrames, &chunk.speaker};
  for (auto [word, number] : llvm::zip_equal(words.drop_front(), numbers))
    if (word.getAsInteger(10, *number) || *number < 0)
      return "expects a number of at least 0, but got " + quoteForMessage(word);
  if (chunk.output >= int64_t(options.outputs.size()))
    return ("expects one of " + Twine(options.outputs.size()) +
            " tables, counted from 0, but got " + Twine(chunk.output))
        .str();
  if (chunk.numFrames == 0)
    return "expects a chunk of at least 1 frame, but got 0";
  if (chunk.speaker >= options.numPdfs)
    return ("expects a speaker below '--num-pdfs', " + Twine(options.numPdfs) +
            ", but got " + Twine(chunk.speaker))
        .str();
  return {};
}

static Expected<ChunksOfUtterances>
readRanges(const XvectorGetEgsOptions &options) {
  auto buffer = readInput(options.ranges, hasZeroByte);
  if (!buffer)
    return buffer.takeError();
  const StringRef text = (*buffer)->getBuffer();
  if (Error error = checkIsText(text, options.ranges))
    return error;
  ChunksOfUtterances chunks;
  llvm::SmallVector<StringRef> lines;
  text.split(lines, '\n', -1, /*KeepEmpty=*/true);
  for (auto [number, line] : llvm::enumerate(lines)) {
    llvm::SmallVector<StringRef> words;
    llvm::SplitString(line, words, " \t\r");
    if (words.empty())
      continue;
    SpeakerChunk chunk;
    const std::string error = parseChunk(words, options, chunk);
    if (!error.empty())
      return llvm::make_error<KaldiError>(
          options.ranges, FileLocation{unsigned(number) + 1, 1}, error);
    chunks[words.front()].push_back(chunk);
  }
  return chunks;
}

/// Makes the example of a chunk. `firstFrame` may differ from the chunk's own.
static NnetExample makeExample(const GeneralMatrix &features,
                               int32_t firstFrame, const SpeakerChunk &chunk,
                               const XvectorGetEgsOptions &options) {
  NnetExample example;
  NnetIo &input = example.io.emplace_back();
  input.name = "input";
  for (int32_t t = 0; t < chunk.numFrames; ++t)
    input.indexes.push_back({0, t, 0});
  input.features =
      extract(features, firstFrame, chunk.numFrames, 0, getNumCols(features));
  if (options.compress)
    compressIo(input);
  SparseMatrix speaker;
  speaker.cols = options.numPdfs;
  speaker.rows.push_back({{chunk.speaker, 1.0f}});
  example.io.push_back({"output", {RowIndex()}, std::move(speaker)});
  return example;
}

/// Writes the examples of an utterance; returns their number.
static Expected<int64_t> writeChunks(StringRef key,
                                     const GeneralMatrix &features,
                                     llvm::ArrayRef<SpeakerChunk> chunks,
                                     const XvectorGetEgsOptions &options,
                                     const ExampleTables &tables) {
  const int64_t length = getNumRows(features);
  int64_t numWritten = 0;
  for (const SpeakerChunk &chunk : chunks) {
    if (length < chunk.numFrames) {
      printWarning(kName, "utterance " + key + " has " + Twine(length) +
                              " frames, but a chunk needs " +
                              Twine(chunk.numFrames));
      continue;
    }
    const auto first =
        int32_t(std::min<int64_t>(chunk.firstFrame, length - chunk.numFrames));
    const std::string name =
        (key + "-" + Twine(first) + "-" + Twine(chunk.numFrames) + "-" +
         Twine(chunk.speaker))
            .str();
    if (Error error = tables[chunk.output]->write(
            name, makeExample(features, first, chunk, options)))
      return error;
    ++numWritten;
  }
  return numWritten;
}

static Expected<ExampleTables> openTables(const XvectorGetEgsOptions &options) {
  ExampleTables tables;
  for (const std::string &output : options.outputs) {
    auto table =
        TableWriter<NnetExample>::open(output, options.getTableOptions());
    if (!table)
      return table.takeError();
    tables.push_back(std::move(*table));
  }
  return tables;
}

static Error getEgs(const XvectorGetEgsOptions &options) {
  auto chunks = readRanges(options);
  if (!chunks)
    return chunks.takeError();
  auto from = SequentialTableReader<GeneralMatrix>::open(
      options.features, options.getTableOptions());
  if (!from)
    return from.takeError();
  auto tables = openTables(options);
  if (!tables)
    return tables.takeError();
  int64_t numWritten = 0, numWithout = 0;
  while (true) {
    Expected<bool> more = (*from)->next();
    if (!more)
      return more.takeError();
    if (!*more)
      break;
    const auto found = chunks->find((*from)->getKey());
    if (found == chunks->end()) {
      ++numWithout;
      continue;
    }
    auto written = writeChunks((*from)->getKey(), (*from)->getValue(),
                               found->second, options, *tables);
    if (!written)
      return written.takeError();
    numWritten += *written;
  }
  printLog(kName, "Made " + Twine(numWritten) + " examples; " +
                      Twine(numWithout) + " utterances have no range");
  if (numWritten == 0)
    return makeFileError(options.features, "no example was written");
  for (auto &table : *tables)
    if (Error error = table->close())
      return error;
  return Error::success();
}

int mlir::nnet3::xvectorGetEgsMain(int argc, char **argv) {
  XvectorGetEgsOptions options;
  return runProgram(kUsage, argc, argv, options,
                    [&]() -> Error { return getEgs(options); });
}
