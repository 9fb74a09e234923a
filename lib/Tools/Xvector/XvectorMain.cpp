//===- XvectorMain.cpp - x-vectors of utterances --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "XvectorPieces.h"
#include "nnet3/Compile/Context.h"
#include "nnet3/Execution/NnetRunner.h"
#include "nnet3/Kaldi/IO/KaldiError.h"
#include "nnet3/Target/Kaldi/Diagnostics.h"
#include "nnet3/Target/Kaldi/ExampleRequest.h"
#include "nnet3/Tools/Common/ModelFiles.h"
#include "nnet3/Tools/Common/NetworkProgram.h"
#include "nnet3/Tools/Common/TestModes.h"
#include "nnet3/Tools/Xvector.h"

#include <algorithm>
#include <deque>

using namespace ::nnet3::kaldi;
using namespace mlir;
using namespace mlir::nnet3;
namespace rt = ::nnet3::rt;
using llvm::Error;

static constexpr StringRef kName = "nnet3-xvector-compute";
static constexpr StringRef kBatchedName = "nnet3-xvector-compute-batched";

static const char kUsage[] =
    "Computes an x-vector for each utterance: the mean of the output at t = 0 "
    "for pieces\nof it, which count as many times as they have frames.\n"
    "Usage: nnet3-xvector-compute [options] MODEL FEATURES-RSPECIFIER "
    "VECTOR-WSPECIFIER\n"
    "\n"
    "e.g.: nnet3-xvector-compute --chunk-size=3000 final.raw scp:feats.scp "
    "ark:xvectors.ark\n";

static const char kBatchedUsage[] =
    "Computes an x-vector for each utterance: the mean of the output at t = 0 "
    "for chunks\nof equal size. Chunks of several utterances are computed "
    "together.\n"
    "Usage: nnet3-xvector-compute-batched [options] MODEL FEATURES-RSPECIFIER\n"
    "         VECTOR-WSPECIFIER\n"
    "\n"
    "e.g.: nnet3-xvector-compute-batched --chunk-size=150 final.raw "
    "scp:feats.scp ark:xvectors.ark\n";

namespace {
struct XvectorOptions : NetworkProgramOptions {
  explicit XvectorOptions(bool isBatched)
      : isBatched(isBatched), chunkSize(isBatched ? 150 : -1),
        batchSize(isBatched ? 32 : 1) {
    useGpu = "no";
  }

  const bool isBatched;
  std::string model, features, vectors;
  int32_t chunkSize;
  int32_t minChunkSize = 100;
  int32_t batchSize;
  bool padInput = true;

  void registerOptions(OptionParser &parser) override;
  Error finish(ArrayRef<std::string> positional) override;
};

/// Computes the utterances of a table.
class Extractor {
public:
  Extractor(MLIRContext *context, NnetRunner &runner,
            const XvectorOptions &options)
      : context(context), runner(runner), options(options) {}

  LogicalResult run();

private:
  struct Utterance {
    std::string key;
    Matrix features;
    std::vector<double> sum;
    double weight = 0;
    size_t numLeft = 0;
  };
  struct Task {
    Utterance *utterance;
    XvectorPiece piece;
  };

  LogicalResult check(Error error) {
    return emitFileError(context, std::move(error));
  }
  std::vector<XvectorPiece> split(int64_t numFrames) const;
  LogicalResult add(StringRef key, Matrix &features);
  LogicalResult compute(ArrayRef<Task> batch);
  LogicalResult writeFinished();

  MLIRContext *context;
  NnetRunner &runner;
  const XvectorOptions &options;
  int64_t networkContext = 0;
  std::unique_ptr<VectorWriter> writer;
  /// Utterances that are not yet written, and pieces that are not yet computed,
  /// in order.
  std::deque<Utterance> utterances;
  std::vector<Task> tasks;
  size_t numDone = 0, numFailed = 0;
};
} // namespace

void XvectorOptions::registerOptions(OptionParser &parser) {
  ProgramOptions::registerOptions(parser);
  parser.beginGroup("Chunks");
  parser.add("chunk-size", &chunkSize,
             isBatched ? "Frames of a chunk"
                       : "Frames of a piece; -1 for the whole utterance");
  if (isBatched)
    parser.add("batch-size", &batchSize, "Chunks that are computed together");
  else
    parser.add("min-chunk-size", &minChunkSize, "The fewest frames of a piece");
  parser.add("pad-input", &padInput,
             "Repeat the first and last frame of what is too short, instead of "
             "leaving it out");
  registerRunnerOptions(parser);
  // Kaldi registers these options without a prefix for this program.
  if (isBatched)
    runner.optimization.forEach([&](StringRef name, bool &value, StringRef) {
      parser.add(name, &value, "The same as --optimization." + name.str());
    });
  parser.addIgnoredBool("use-shortcut", "Accepted for compatibility");
  parser.addIgnoredInt("cache-capacity", "Accepted for compatibility");
  parser.addIgnoredString("cached-compiler-in", "Accepted for compatibility");
  parser.addIgnoredString("cached-compiler-out", "Accepted for compatibility");
}

Error XvectorOptions::finish(ArrayRef<std::string> positional) {
  if (Error error = finishRunnerOptions())
    return error;
  if (chunkSize < 1 && (isBatched || chunkSize != -1))
    return optionError("option '--chunk-size' expects at least 1" +
                       Twine(isBatched ? "" : ", or -1") + ", but got " +
                       Twine(chunkSize));
  if (Error error = expectAtLeast("min-chunk-size", 1, minChunkSize))
    return error;
  if (Error error = expectAtLeast("batch-size", 1, batchSize))
    return error;
  if (positional.size() != 3)
    return optionError("expects a model, features and a table of vectors to "
                       "write, but got " +
                       Twine(positional.size()) + " arguments; see --help");
  model = positional[0];
  features = positional[1];
  vectors = positional[2];
  return Error::success();
}

std::vector<XvectorPiece> Extractor::split(int64_t numFrames) const {
  return options.isBatched
             ? splitEvenly(numFrames, options.chunkSize, networkContext,
                           options.padInput)
             : splitIntoPieces(numFrames, options.chunkSize,
                               options.minChunkSize, options.padInput);
}

LogicalResult Extractor::add(StringRef key, Matrix &features) {
  const StringRef program = options.isBatched ? kBatchedName : kName;
  if (features.rows > 0 && features.cols != runner.getDim("input"))
    return emitError(UnknownLoc::get(context))
           << "utterance " << key << ": the network expects 'input' with "
           << "dimension " << runner.getDim("input") << ", but got "
           << features.cols;
  std::vector<XvectorPiece> pieces;
  if (features.rows > 0)
    pieces = split(features.rows);
  if (pieces.empty()) {
    printWarning(program, "utterance " + key +
                              " has too few frames: " + Twine(features.rows));
    // Kaldi's batch program writes zeros for short utterances.
    if (!options.isBatched || features.rows == 0) {
      ++numFailed;
      return success();
    }
  }
  Utterance &utterance = utterances.emplace_back();
  utterance.key = key.str();
  utterance.features = std::move(features);
  utterance.sum.resize(runner.getDim("output"));
  utterance.numLeft = pieces.size();
  for (const XvectorPiece &piece : pieces) {
    tasks.push_back({&utterance, piece});
    if (tasks.size() < size_t(options.batchSize))
      continue;
    if (failed(compute(tasks)))
      return failure();
    tasks.clear();
  }
  return writeFinished();
}

/// Computes a batch of pieces of the same length.
LogicalResult Extractor::compute(ArrayRef<Task> batch) {
  const int64_t length = batch.front().piece.getLength();
  Matrix input(batch.size() * length, batch.front().utterance->features.cols);
  NnetExample example;
  example.io = {{"input", {}, Matrix()}, {"output", {}, Matrix()}};
  for (int32_t n = 0; n < int32_t(batch.size()); ++n) {
    const auto &[utterance, piece] = batch[n];
    for (int64_t t = 0; t < length; ++t) {
      const int64_t frame =
          piece.firstFrame +
          std::clamp<int64_t>(t - piece.padBefore, 0, piece.numFrames - 1);
      llvm::copy(utterance->features.row(frame),
                 input.row(n * length + t).begin());
      example.io[0].indexes.push_back({n, int32_t(t), 0});
    }
    example.io[1].indexes.push_back({n, 0, 0});
  }
  Location loc = NameLoc::get(
      StringAttr::get(context, "utterance " + batch.front().utterance->key));
  NetworkOp network = runner.getNetwork();
  OpBuilder builder(network->getBlock(), network->getBlock()->end());
  auto request = createExampleRequest(
      example, network.getSymName(),
      [](StringRef io) {
        return io == "input" ? IoRole::Input : IoRole::Output;
      },
      ExampleRequestOptions(), builder, loc);
  if (failed(request))
    return failure();
  OwningOpRef<RequestOp> owner(*request);
  SymbolTableCollection symbolTable;
  if (failed(request->verifySymbolUses(symbolTable)))
    return failure();
  auto instance = runner.prepare(*request);
  if (failed(instance))
    return failure();
  rt::Status status = (*instance)->setInput(
      "input", rt::ConstMatrixView(input.data.data(), input.rows, input.cols,
                                   input.cols));
  if (status.ok())
    status = (*instance)->run();
  auto output = status.ok() ? (*instance)->output("output")
                            : rt::Result<rt::ConstMatrixView>(status);
  if (!output.ok())
    return emitError(loc) << output.status().message();
  for (size_t n = 0; n < batch.size(); ++n) {
    Utterance &utterance = *batch[n].utterance;
    const double weight = options.isBatched ? 1 : batch[n].piece.numFrames;
    for (size_t c = 0; c < utterance.sum.size(); ++c)
      utterance.sum[c] += weight * output->row(n)[c];
    utterance.weight += weight;
    --utterance.numLeft;
  }
  return success();
}

/// Writes the first utterances that are complete.
LogicalResult Extractor::writeFinished() {
  while (!utterances.empty() && utterances.front().numLeft == 0) {
    const Utterance &utterance = utterances.front();
    std::vector<float> vector;
    for (double value : utterance.sum)
      vector.push_back(utterance.weight > 0 ? value / utterance.weight : 0);
    if (failed(check(writer->write(utterance.key, vector))))
      return failure();
    ++numDone;
    utterances.pop_front();
  }
  return success();
}

LogicalResult Extractor::run() {
  if (options.isBatched) {
    auto found = computeContext(runner.getNetwork(), runner.getNodes());
    if (failed(found))
      return failure();
    networkContext = found->left + found->right;
    if (networkContext >= options.chunkSize)
      return check(optionError(
          "option '--chunk-size' expects more than the network's context of " +
          Twine(networkContext) + " frames, but got " +
          Twine(options.chunkSize)));
  }
  auto table =
      SequentialMatrixReader::open(options.features, options.getTableOptions());
  if (!table)
    return check(table.takeError());
  auto opened = VectorWriter::open(options.vectors, options.getTableOptions());
  if (!opened)
    return check(opened.takeError());
  writer = std::move(*opened);
  while (true) {
    auto more = (*table)->next();
    if (!more)
      return check(more.takeError());
    if (!*more)
      break;
    if (failed(add((*table)->getKey(), (*table)->getValue())))
      return failure();
  }
  if (!tasks.empty() && failed(compute(tasks)))
    return failure();
  if (failed(writeFinished()))
    return failure();
  printLog(options.isBatched ? kBatchedName : kName,
           "Done " + Twine(numDone) + " utterances, failed for " +
               Twine(numFailed));
  return check(numDone > 0 ? writer->close()
                           : makeFileError(options.features,
                                           "no x-vector was computed"));
}

static LogicalResult extract(MLIRContext *context,
                             const XvectorOptions &options) {
  auto model = loadModelFile(options.model, context);
  if (failed(model))
    return failure();
  NetworkOp network = model->network;
  setTestModes(network, /*batchnorm=*/true, /*random=*/true);
  if (failed(collapseModel(network)))
    return failure();
  auto runner = NnetRunner::create(network, options.runner);
  if (failed(runner))
    return failure();
  if ((*runner)->getDim("input") == 0 || (*runner)->getDim("output") == 0)
    return emitError(network.getLoc())
           << "expects a network with nodes 'input' and 'output'";
  return Extractor(context, **runner, options).run();
}

static int extract(bool isBatched, int argc, char **argv) {
  XvectorOptions options(isBatched);
  return runNetworkProgram(
      isBatched ? kBatchedUsage : kUsage, argc, argv, options,
      [&](MLIRContext *context) { return extract(context, options); });
}

int mlir::nnet3::xvectorComputeMain(int argc, char **argv) {
  return extract(/*isBatched=*/false, argc, argv);
}

int mlir::nnet3::xvectorComputeBatchedMain(int argc, char **argv) {
  return extract(/*isBatched=*/true, argc, argv);
}
