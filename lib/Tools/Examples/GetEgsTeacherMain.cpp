//===- GetEgsTeacherMain.cpp - Examples with targets of a model -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ChunkProgram.h"
#include "nnet3/Target/Kaldi/Diagnostics.h"
#include "nnet3/Tools/Common/ModelFiles.h"
#include "nnet3/Tools/Common/NetworkComputer.h"
#include "nnet3/Tools/Common/NetworkProgram.h"
#include "nnet3/Tools/Examples.h"

#include <algorithm>
#include <cmath>

using namespace ::nnet3::kaldi;
using namespace mlir;
using namespace mlir::nnet3;
using llvm::Error;
using llvm::Expected;

static constexpr StringRef kName = "nnet3-get-egs-teacher";

static const char kUsage[] =
    "Cuts training examples out of utterances; the supervision of a frame is "
    "the distribution\nthat a teacher, another model, computes for it.\n"
    "Usage: nnet3-get-egs-teacher [options] TEACHER FEATURES-RSPECIFIER "
    "EGS-WSPECIFIER\n"
    "\n"
    "e.g.: nnet3-get-egs-teacher --temperature=2 --left-context=12 "
    "--num-frames=8 \\\n"
    "        big.raw scp:feats.scp ark:egs.ark\n";

namespace {
struct TeacherOptions : ChunkProgramOptions {
  std::string teacher;
  float temperature = 1;
  int32_t framesPerChunk = 50;
  int32_t extraLeftContext = 0, extraRightContext = 0;

  void registerOptions(OptionParser &parser) override;
  Error finish(ArrayRef<std::string> positional) override;
  UtteranceOptions getUtteranceOptions() const;
};

/// Posteriors that a network computes.
class TeacherSupervision : public RowSupervision {
public:
  TeacherSupervision(MLIRContext *context, UtteranceComputer &teacher,
                     const TeacherOptions &options)
      : RowSupervision(options.chunks), context(context), teacher(teacher),
        file(options.teacher), temperature(options.temperature) {}

  Expected<int32_t> select(const ExampleSource &source) override;

private:
  /// Past the end, the last distribution is repeated.
  Error addRow(int32_t frame, float weight, GeneralMatrix &rows) const override;
  GeneralMatrix createRows() const override { return Matrix(); }

  MLIRContext *context;
  UtteranceComputer &teacher;
  StringRef file;
  float temperature;
  Matrix targets;
};
} // namespace

void TeacherOptions::registerOptions(OptionParser &parser) {
  ChunkProgramOptions::registerOptions(parser);
  parser.beginGroup("Teacher");
  parser.add("temperature", &temperature,
             "Divide the teacher's logarithms by this before they become "
             "probabilities: the higher, the more even they are");
  parser.add("frames-per-chunk", &framesPerChunk,
             "Frames that the teacher computes at once");
  parser.add("extra-left-context", &extraLeftContext,
             "Frames before them, beyond the teacher's own context");
  parser.add("extra-right-context", &extraRightContext,
             "Frames after them, beyond the teacher's own context");
}

Error TeacherOptions::finish(ArrayRef<std::string> positional) {
  if (Error error = finishChunks())
    return error;
  if (!(temperature > 0) || !std::isfinite(temperature))
    return optionError("option '--temperature' expects a number above 0, but "
                       "got " +
                       showNumber(temperature));
  if (positional.size() != 3)
    return expectArguments("TEACHER, FEATURES and EGS", positional.size());
  teacher = positional[0];
  features = positional[1];
  output = positional[2];
  return getUtteranceOptions().finishUtteranceOptions();
}

UtteranceOptions TeacherOptions::getUtteranceOptions() const {
  UtteranceOptions result;
  result.onlineIvectors = ivectors;
  result.compute.onlineIvectorPeriod = ivectorPeriod;
  result.compute.chunks.frameSubsamplingFactor = chunks.frameSubsamplingFactor;
  result.compute.chunks.framesPerChunk = framesPerChunk;
  result.compute.chunks.extraLeftContext = extraLeftContext;
  result.compute.chunks.extraRightContext = extraRightContext;
  return result;
}

/// Applies softmax with a temperature to unnormalised logarithms.
static void softenRow(MutableArrayRef<float> row, float temperature) {
  const float largest = *std::max_element(row.begin(), row.end());
  double sum = 0;
  for (float &value : row) {
    value = std::exp((value - largest) / temperature);
    sum += value;
  }
  for (float &value : row)
    value = float(value / sum);
}

Expected<int32_t> TeacherSupervision::select(const ExampleSource &source) {
  const Matrix features = toFull(source.features);
  Matrix ivectors;
  Utterance utterance;
  utterance.key = source.key;
  utterance.features = &features;
  if (source.ivectors) {
    ivectors = toFull(*source.ivectors);
    utterance.onlineIvectors = &ivectors;
  }
  std::string reason;
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
      return failure();
    reason = diagnostic.str();
    return success();
  });
  FailureOr<Matrix> computed = teacher.compute(utterance);
  if (failed(computed))
    return makeFileError(file, reason);
  targets = std::move(*computed);
  for (int64_t r = 0; r < targets.rows; ++r)
    softenRow(targets.row(r), temperature);
  return targets.rows;
}

Error TeacherSupervision::addRow(int32_t frame, float weight,
                                 GeneralMatrix &rows) const {
  addTargets(targets, frame, weight, std::get<Matrix>(rows));
  return Error::success();
}

static LogicalResult run(MLIRContext *context, const TeacherOptions &options) {
  auto model = loadModelFile(options.teacher, context);
  if (failed(model))
    return failure();
  auto teacher =
      NetworkComputer::create(model->network, options.teacher, RunnerOptions(),
                              options.getUtteranceOptions());
  if (failed(teacher))
    return failure();
  TeacherSupervision supervision(context, *teacher->utterances, options);
  return emitFileError(context, makeExamples(kName, options, supervision));
}

int mlir::nnet3::getEgsTeacherMain(int argc, char **argv) {
  TeacherOptions options;
  return runNetworkProgram(
      kUsage, argc, argv, options,
      [&](MLIRContext *context) { return run(context, options); });
}
