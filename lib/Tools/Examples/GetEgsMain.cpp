//===- GetEgsMain.cpp - Examples with classes as supervision --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ChunkProgram.h"
#include "nnet3/Kaldi/Examples/Posterior.h"
#include "nnet3/Kaldi/IO/KaldiError.h"
#include "nnet3/Tools/Examples.h"

#include <algorithm>
#include <map>

using namespace ::nnet3::kaldi;
using namespace mlir::nnet3;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

static const char kUsage[] =
    "Cuts training examples out of utterances; the supervision of a frame is "
    "classes and\ntheir weights.\n"
    "Usage: nnet3-get-egs [options] FEATURES-RSPECIFIER POSTERIORS-RSPECIFIER "
    "EGS-WSPECIFIER\n"
    "\n"
    "e.g.: nnet3-get-egs --num-pdfs=2658 --left-context=12 --right-context=9 "
    "--num-frames=8 \\\n"
    "        scp:feats.scp ark:pdf.post ark:egs.ark\n";

namespace {
struct GetEgsOptions : ChunkProgramOptions {
  int32_t numPdfs = -1;

  void registerOptions(OptionParser &parser) override;
  Error finish(llvm::ArrayRef<std::string> positional) override;
};

class PosteriorSupervision : public RowSupervision {
public:
  PosteriorSupervision(std::unique_ptr<RandomAccessTableReader<Posterior>> from,
                       const GetEgsOptions &options)
      : RowSupervision(options.chunks), table(std::move(from)),
        numPdfs(options.numPdfs) {}

  Expected<int32_t> select(const ExampleSource &source) override;

private:
  Error addRow(int32_t frame, float weight, GeneralMatrix &rows) const override;
  GeneralMatrix createRows() const override;

  std::unique_ptr<RandomAccessTableReader<Posterior>> table;
  int32_t numPdfs;
  std::string utterance;
  const Posterior *posterior = nullptr;
};
} // namespace

void GetEgsOptions::registerOptions(OptionParser &parser) {
  ChunkProgramOptions::registerOptions(parser);
  parser.beginGroup("Supervision");
  parser.add("num-pdfs", &numPdfs, "How many classes there are");
}

Error GetEgsOptions::finish(llvm::ArrayRef<std::string> positional) {
  if (Error error = expectAtLeast("num-pdfs", 1, numPdfs))
    return error;
  return ChunkProgramOptions::finish(positional);
}

Expected<int32_t> PosteriorSupervision::select(const ExampleSource &source) {
  StringRef key = source.key;
  Expected<const Posterior *> found = table->find(key);
  if (!found)
    return found.takeError();
  posterior = *found;
  utterance = key.str();
  return posterior ? int32_t(posterior->size()) : -1;
}

GeneralMatrix PosteriorSupervision::createRows() const {
  SparseMatrix rows;
  rows.cols = numPdfs;
  return rows;
}

Error PosteriorSupervision::addRow(int32_t frame, float weight,
                                   GeneralMatrix &rows) const {
  SparseRow &row = std::get<SparseMatrix>(rows).rows.emplace_back();
  // There is no supervision past the end.
  if (frame >= int32_t(posterior->size()))
    return Error::success();
  std::map<int32_t, float> sums;
  for (auto [pdf, value] : (*posterior)[frame]) {
    if (pdf < 0 || pdf >= numPdfs)
      return makeFileError("", "frame " + Twine(frame) + " of utterance " +
                                   utterance + " has class " + Twine(pdf) +
                                   ", but '--num-pdfs' is " + Twine(numPdfs));
    sums[pdf] += value * weight;
  }
  row.assign(sums.begin(), sums.end());
  return Error::success();
}

static Error getEgs(const GetEgsOptions &options) {
  auto table = RandomAccessTableReader<Posterior>::open(
      options.supervision, options.getTableOptions());
  if (!table)
    return table.takeError();
  PosteriorSupervision supervision(std::move(*table), options);
  return makeExamples("nnet3-get-egs", options, supervision);
}

int mlir::nnet3::getEgsMain(int argc, char **argv) {
  GetEgsOptions options;
  return runProgram(kUsage, argc, argv, options,
                    [&]() -> Error { return getEgs(options); });
}
