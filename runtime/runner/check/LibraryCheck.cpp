//===- LibraryCheck.cpp - A case in a library -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Checks.h"
#include "Comparison.h"
#include "runner/library/LibraryModel.h"

namespace nnet3 {
namespace rt {

/// Numbers of runs after which outputs are compared: on a GPU, the second run
/// captures a graph, and later ones replay it.
static constexpr int kRuns[] = {1, 3};

Result<std::shared_ptr<SharedObject>> PackLibraries::get(uint32_t index) {
  std::shared_ptr<SharedObject> &library = opened[index];
  if (!library) {
    const uint32_t chunk = pack.description().libraries()->Get(index)->chunk();
    auto loaded =
        SharedObject::openBytes(pack.chunkData(chunk), pack.chunkSize(chunk));
    if (!loaded.ok())
      return loaded.status();
    library = std::move(*loaded);
  }
  return library;
}

static CheckResult failed(std::string detail) {
  return {Outcome::Failed, std::move(detail)};
}

/// The result for a library that cannot run: skipped if it is for another
/// machine or there is no device, failed if the device itself fails.
static CheckResult notRun(nnet3lib_status status, const std::string &message) {
  const bool isOther = status == NNET3LIB_WRONG_CPU ||
                       (status == NNET3LIB_NO_DEVICE &&
                        message.find("the GPU fails at ") == std::string::npos);
  return {isOther ? Outcome::Skipped : Outcome::Failed, message};
}

/// Returns the inputs of the case that the library takes, by name. The case
/// also has derivatives.
static std::map<std::string, ConstMatrixView>
inputsOf(const CasePack &pack, const schema::Case &entry,
         const std::vector<LibraryMatrix> &takes) {
  std::map<std::string, ConstMatrixView> inputs;
  if (entry.inputs())
    for (const schema::CaseMatrix *input : *entry.inputs())
      for (const LibraryMatrix &taken : takes)
        if (taken.name == input->name()->string_view())
          inputs[taken.name] = pack.values(*input);
  return inputs;
}

/// Compares the outputs of the library, which has no derivatives. Returns an
/// error message, or an empty string.
static std::string
compareOutputs(const CasePack &pack, const schema::Case &entry, double rmsError,
               const std::map<std::string, OwnedMatrix> &outputs) {
  size_t compared = 0;
  if (entry.outputs())
    for (const schema::Expected *expected : *entry.outputs()) {
      auto found = outputs.find(expected->value()->name()->str());
      if (found == outputs.end())
        continue;
      ++compared;
      const std::string wrong =
          compare(valuesOf(found->second.view()), *expected, pack, rmsError);
      if (!wrong.empty())
        return found->first + ": " + wrong;
    }
  return compared != outputs.size() ? "an output is not in the pack" : "";
}

/// The tolerance of the interpreter's outputs.
static constexpr double kDrawnTolerance = 1e-5;

/// Compares the outputs of run number \p times of the library with those of the
/// interpreter's run of the same number, which draws the same random numbers.
static std::string
compareDrawn(const CasePack &pack, const schema::Case &entry, int times,
             const std::map<std::string, ConstMatrixView> &inputs,
             const std::map<std::string, OwnedMatrix> &outputs) {
  auto program = loadProgram(pack, entry);
  if (!program.ok())
    return program.status().message();
  auto instance = Instance::create(*program);
  if (!instance.ok())
    return instance.status().message();
  for (int i = 0; i < times; ++i) {
    Status status;
    for (const auto &[name, values] : inputs)
      if (status.ok())
        status = (*instance)->setInput(name, values);
    if (status.ok())
      status = (*instance)->run();
    if (!status.ok())
      return status.message();
  }
  for (const auto &[name, values] : outputs) {
    auto expected = (*instance)->output(name);
    const std::string wrong =
        expected.ok()
            ? compare(valuesOf(values.view()), *expected, kDrawnTolerance)
            : expected.status().message();
    if (!wrong.empty())
      return name + ": " + wrong;
  }
  return {};
}

CheckResult checkLibrary(const CasePack &pack, const schema::Case &entry,
                         const schema::CaseLibrary &which,
                         PackLibraries &libraries) {
  if (which.left_out())
    return {Outcome::Skipped, which.left_out()->str()};
  auto code = libraries.get(which.file());
  if (!code.ok())
    return failed(code.status().message());
  nnet3lib_status status;
  auto model = LibraryModel::open(*code, which.prefix()->str(),
                                  /*weightsPath=*/"", status);
  if (!model.ok())
    return notRun(status, model.status().message());
  auto takes = (*model)->inputs(0);
  if (!takes.ok())
    return failed(takes.status().message());
  const auto inputs = inputsOf(pack, entry, *takes);
  for (int times : kRuns) {
    auto outputs = (*model)->run(0, inputs, {times}, status);
    if (!outputs.ok())
      return notRun(status, outputs.status().message());
    const std::string wrong =
        entry.draws()
            ? compareDrawn(pack, entry, times, inputs, *outputs)
            : compareOutputs(pack, entry, which.rms_error(), *outputs);
    if (!wrong.empty())
      return failed("run " + std::to_string(times) + ": " + wrong);
  }
  return {};
}

} // namespace rt
} // namespace nnet3
