//===- RecognizeOptions.cpp - The command line of nnet3-recognize ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RecognizeOptions.h"
#include "nnet3/Kaldi/IO/KaldiError.h"
#include "nnet3/Tools/Common/CommandLine.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <set>

using namespace mlir::nnet3;
using llvm::Error;
using llvm::StringRef;
using llvm::Twine;

static const char kUsage[] =
    "Writes the words of sound files, or of sound as it comes.\n"
    "Usage: nnet3-recognize [options] MODEL_DIR WAV...\n"
    "   or: nnet3-recognize [options] --live MODEL_DIR WAV\n"
    "\n"
    "MODEL_DIR is a folder like those of Vosk, with am/final.mdl, conf/, "
    "graph/ "
    "and, if the\nnetwork takes i-vectors, ivector/. WAV may be - for the "
    "standard input.\n"
    "e.g.: nnet3-recognize model hello.wav\n";

/// Options of Vosk's servers that have no effect.
static const char *const kIgnored[] = {"lattice-beam",
                                       "determinize-lattice",
                                       "prune-interval",
                                       "beam-delta",
                                       "hash-ratio",
                                       "frames-per-chunk",
                                       "silence-weight",
                                       "endpoint.silence-phones",
                                       "add-pitch",
                                       "online-pitch-config",
                                       "extra-left-context-initial"};

void RecognizeOptions::registerOptions(OptionParser &parser) {
  ProgramOptions::registerOptions(parser);
  parser.beginGroup("Sound");
  parser.add("live", &live,
             "Write what is recognised so far every 200 ms, as a line of JSON");
  parser.add("channel", &channel,
             "Which channel is read, from 0; -1: the only one");
  parser.beginGroup("Search");
  parser.add("graph", &graph, "Folder of the graph; MODEL_DIR/graph");
  parser.add("beam", &beam,
             "Give up paths that are worse than the best by so "
             "much");
  parser.add("max-active", &maxActive, "The most paths of a frame");
  parser.add("min-active", &minActive, "The fewest that the beam leaves");
  parser.add("acoustic-scale", &acousticScale,
             "Multiply log-likelihoods by this");
  parser.beginGroup("Network");
  parser.add("backend", &backend,
             "What computes the network: library or interpreter");
  parser.add("library", &library,
             "A library of nnet3-compile --streaming for the model");
  parser.add("precision", &precision,
             "In which numbers the library multiplies: f32, bf16, fp16, "
             "int16 or int8");
  parser.add("chunk", &framesPerChunk,
             "Frames that are computed together; 21 live, else 51");
  parser.add("frame-subsampling-factor", &frameSubsamplingFactor,
             "Frames for each output of the network");
  parser.add("num-threads", &numThreads, "Threads that share large matmuls");
  parser.add("cache", &cache,
             "Folder where compiled models are kept; nnet3 in the user's "
             "cache");
  for (const char *name : kIgnored)
    parser.addIgnoredString(name, "Accepted for compatibility");
  for (int rule = 1; rule <= 5; ++rule)
    for (const char *name : {"must-contain-silence", "min-trailing-silence",
                             "max-relative-cost", "min-utterance-length"})
      parser.addIgnoredString(
          ("endpoint.rule" + Twine(rule) + "." + name).str(),
          "Accepted for compatibility");
}

Error RecognizeOptions::finish(llvm::ArrayRef<std::string> positional) {
  if (positional.size() < 2)
    return optionError("expects a model's folder and sound, but got " +
                       Twine(positional.size()) + " arguments; see --help");
  folder = positional[0];
  sounds.assign(positional.begin() + 1, positional.end());
  if (live && sounds.size() > 1)
    return optionError("option '--live' expects one sound, but got " +
                       Twine(sounds.size()));
  if (Error error = expectOneOf("precision", precision,
                                {"f32", "bf16", "fp16", "int16", "int8"}))
    return error;
  if (Error error = expectOneOf("backend", backend, {"library", "interpreter"}))
    return error;
  if (!(beam > 0))
    return optionError("option '--beam' expects more than 0, but got " +
                       showNumber(beam));
  for (auto [name, least, value] :
       {std::tuple("max-active", 1, maxActive),
        std::tuple("min-active", 0, minActive),
        std::tuple("chunk", 0, framesPerChunk),
        std::tuple("frame-subsampling-factor", 1, frameSubsamplingFactor),
        std::tuple("num-threads", 1, numThreads)})
    if (Error error = expectAtLeast(name, least, value))
      return error;
  if (minActive > maxActive)
    return optionError("option '--min-active' expects at most --max-active, " +
                       Twine(maxActive) + ", but got " + Twine(minActive));
  if (graph.empty())
    graph = getPath("graph");
  if (framesPerChunk == 0)
    framesPerChunk = live ? kLiveChunk : kFileChunk;
  framesPerChunk = llvm::alignTo(framesPerChunk, frameSubsamplingFactor);
  return Error::success();
}

llvm::SmallVector<int64_t> RecognizeOptions::getChunkLengths() const {
  // All libraries have the usual lengths, so that one serves live sound and
  // files. The short length reduces the work after the last frame.
  std::set<int64_t> lengths = {2 * frameSubsamplingFactor, framesPerChunk};
  for (int32_t length : {kLiveChunk, kFileChunk})
    lengths.insert(llvm::alignTo(length, frameSubsamplingFactor));
  return llvm::SmallVector<int64_t>(lengths.begin(), lengths.end());
}

std::string RecognizeOptions::getPath(StringRef file) const {
  llvm::SmallString<256> path(folder);
  llvm::sys::path::append(path, file);
  return path.str().str();
}

std::optional<int>
mlir::nnet3::parseRecognizeOptions(int argc, char **argv,
                                   RecognizeOptions &options) {
  const auto fail = [](Error error) {
    llvm::errs() << llvm::toString(std::move(error)) << "\n";
    return 1;
  };
  std::vector<const char *> arguments(argv + 1, argv + argc);
  std::string config;
  // The first pass finds the model's folder, the second one also reads its
  // configuration.
  for (const bool isFirst : {true, false}) {
    RecognizeOptions parsed;
    OptionParser parser(kUsage);
    parsed.registerOptions(parser);
    auto positional = parser.parse(arguments);
    if (!positional)
      return fail(positional.takeError());
    if (parser.wantsText())
      return parser.printText();
    if (positional->empty()) {
      parser.printHelp(llvm::errs());
      return 1;
    }
    if (isFirst && !parser.wasGiven("config")) {
      parsed.folder = positional->front();
      config = parsed.getPath("conf/model.conf");
      if (llvm::sys::fs::exists(config)) {
        config = "--config=" + config;
        arguments.insert(arguments.begin(), config.c_str());
        continue;
      }
    }
    if (Error error = parsed.finish(*positional))
      return fail(std::move(error));
    options = std::move(parsed);
    if (options.printArgs)
      printArguments(llvm::ArrayRef(argv, argc));
    break;
  }
  return std::nullopt;
}
