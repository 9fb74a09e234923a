//===- GetEgsDenseTargetsMain.cpp - Examples with dense targets -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ChunkProgram.h"
#include "nnet3/Kaldi/IO/KaldiError.h"
#include "nnet3/Tools/Examples.h"

#include <algorithm>

using namespace ::nnet3::kaldi;
using namespace mlir::nnet3;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

static const char kUsage[] =
    "Cuts training examples out of utterances; the supervision of a frame is a "
    "vector.\n"
    "Usage: nnet3-get-egs-dense-targets [options] FEATURES-RSPECIFIER "
    "TARGETS-RSPECIFIER\n"
    "         EGS-WSPECIFIER\n"
    "\n"
    "e.g.: nnet3-get-egs-dense-targets --num-targets=26 --left-context=12 "
    "--num-frames=8 \\\n"
    "        scp:feats.scp scp:targets.scp ark:egs.ark\n";

namespace {
struct DenseTargetsOptions : ChunkProgramOptions {
  int32_t numTargets = -1;

  void registerOptions(OptionParser &parser) override;
};

class MatrixSupervision : public RowSupervision {
public:
  MatrixSupervision(std::unique_ptr<RandomAccessMatrixReader> from,
                    const DenseTargetsOptions &options)
      : RowSupervision(options.chunks), table(std::move(from)),
        numTargets(options.numTargets) {}

  Expected<int32_t> select(const ExampleSource &source) override;

private:
  /// Past the end, the last vector is repeated.
  Error addRow(int32_t frame, float weight, GeneralMatrix &rows) const override;
  GeneralMatrix createRows() const override { return Matrix(); }

  std::unique_ptr<RandomAccessMatrixReader> table;
  int32_t numTargets;
  const Matrix *targets = nullptr;
};
} // namespace

void DenseTargetsOptions::registerOptions(OptionParser &parser) {
  ChunkProgramOptions::registerOptions(parser);
  parser.beginGroup("Supervision");
  parser.add("num-targets", &numTargets,
             "Columns of the targets; -1 for any number");
}

Expected<int32_t> MatrixSupervision::select(const ExampleSource &source) {
  StringRef key = source.key;
  Expected<const Matrix *> found = table->find(key);
  if (!found)
    return found.takeError();
  targets = *found;
  if (!targets)
    return -1;
  if (targets->rows == 0)
    return makeFileError("",
                         "the targets of utterance " + key + " have no rows");
  if (numTargets >= 0 && targets->cols != numTargets)
    return makeFileError("", "the targets of utterance " + key + " have " +
                                 Twine(targets->cols) +
                                 " columns, but '--num-targets' is " +
                                 Twine(numTargets));
  return targets->rows;
}

Error MatrixSupervision::addRow(int32_t frame, float weight,
                                GeneralMatrix &rows) const {
  addTargets(*targets, frame, weight, std::get<Matrix>(rows));
  return Error::success();
}

static Error getEgs(const DenseTargetsOptions &options) {
  auto table = RandomAccessMatrixReader::open(options.supervision,
                                              options.getTableOptions());
  if (!table)
    return table.takeError();
  MatrixSupervision supervision(std::move(*table), options);
  return makeExamples("nnet3-get-egs-dense-targets", options, supervision);
}

int mlir::nnet3::getEgsDenseTargetsMain(int argc, char **argv) {
  DenseTargetsOptions options;
  return runProgram(kUsage, argc, argv, options,
                    [&]() -> Error { return getEgs(options); });
}
