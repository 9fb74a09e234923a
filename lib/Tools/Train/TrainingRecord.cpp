//===- TrainingRecord.cpp - Training as lines of JSON ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TrainingRecord.h"
#include "nnet3/Kaldi/IO/KaldiError.h"

#include "llvm/Support/FileSystem.h"

#include <cmath>

using namespace ::nnet3::kaldi;
using namespace mlir::nnet3;
namespace rt = ::nnet3::rt;

llvm::Expected<std::unique_ptr<TrainingRecord>>
TrainingRecord::open(llvm::StringRef path, int64_t numBytes) {
  auto record = std::make_unique<TrainingRecord>();
  if (path.empty())
    return record;
  record->path = path.str();
  int descriptor;
  std::error_code error = llvm::sys::fs::openFileForReadWrite(
      path, descriptor,
      numBytes == 0 ? llvm::sys::fs::CD_OpenAlways
                    : llvm::sys::fs::CD_OpenExisting,
      llvm::sys::fs::OF_None);
  if (error)
    return makeFileError(path, error.message());
  record->file =
      std::make_unique<llvm::raw_fd_ostream>(descriptor, /*shouldClose=*/true);
  // Devices and pipes have no size.
  if (!llvm::sys::fs::is_regular_file(path))
    return record;
  uint64_t size;
  if ((error = llvm::sys::fs::file_size(path, size)))
    return makeFileError(path, error.message());
  if (size < uint64_t(numBytes))
    return makeFileError(path, "expects at least " + llvm::Twine(numBytes) +
                                   " bytes, which it had at the checkpoint, "
                                   "but got " +
                                   llvm::Twine(size));
  if ((error = llvm::sys::fs::resize_file(descriptor, numBytes)))
    return makeFileError(path, error.message());
  record->file->seek(numBytes);
  return record;
}

void TrainingRecord::writeLine(
    llvm::function_ref<void(llvm::json::OStream &)> attributes) {
  if (!file)
    return;
  llvm::json::OStream json(*file);
  json.object([&] { attributes(json); });
  *file << "\n";
  file->flush();
}

/// Returns null for a number that is not finite, which JSON cannot express.
static llvm::json::Value toJson(double value) {
  if (!std::isfinite(value))
    return nullptr;
  return value;
}

static void writeObjectives(llvm::json::OStream &json, llvm::StringRef name,
                            llvm::ArrayRef<rt::OutputObjective> objectives) {
  json.attributeObject(name, [&] {
    for (const rt::OutputObjective &output : objectives)
      json.attributeObject(output.name, [&] {
        json.attribute("value", toJson(output.objective.value));
        json.attribute("weight", toJson(output.objective.weight));
        json.attribute("auxiliary", toJson(output.auxiliary));
      });
  });
}

void TrainingRecord::add(int64_t minibatch, const rt::TrainingStep &step,
                         const rt::MaxChangeCounts &counts) {
  writeLine([&](llvm::json::OStream &json) {
    json.attribute("minibatch", minibatch);
    writeObjectives(json, "objectives", step.objectives);
    json.attributeObject("max_change", [&] {
      json.attribute("global", toJson(counts.latest.global));
      json.attribute("component", toJson(counts.latest.smallest));
      json.attribute("active", counts.latest.numActive);
    });
    json.attribute("refused", step.refused);
  });
}

void TrainingRecord::addComponents(int64_t numMinibatches,
                                   const rt::Model &model,
                                   const rt::Model &delta,
                                   const rt::MaxChangeCounts &counts) {
  auto writeComponent = [&](llvm::json::OStream &json, int32_t index) {
    json.attribute("norm", toJson(std::sqrt(model.dotProduct(index, model))));
    json.attribute("learning_rate", toJson(model.learningRate(index)));
    if (size_t(index) < counts.latestChanges.size())
      json.attribute("change", toJson(counts.latestChanges[index]));
    json.attributeArray("gradient_spectra", [&] {
      for (const std::vector<double> &spectrum : delta.gradientSpectra(index))
        json.array([&] {
          for (double value : spectrum)
            json.value(toJson(value));
        });
    });
  };
  writeLine([&](llvm::json::OStream &json) {
    json.attribute("minibatches", numMinibatches);
    json.attributeObject("components", [&] {
      for (int32_t i = 0; i < model.numComponents(); ++i)
        if (model.isUpdatable(i))
          json.attributeObject(llvm::StringRef(model.componentName(i)),
                               [&] { writeComponent(json, i); });
    });
  });
}

void TrainingRecord::addValidation(
    int64_t numMinibatches, llvm::ArrayRef<rt::OutputObjective> objectives) {
  writeLine([&](llvm::json::OStream &json) {
    json.attribute("minibatches", numMinibatches);
    writeObjectives(json, "validation", objectives);
  });
}

llvm::Error TrainingRecord::close() {
  if (!file)
    return llvm::Error::success();
  file->close();
  if (!file->has_error())
    return llvm::Error::success();
  const std::string message = file->error().message();
  file->clear_error();
  return makeFileError(path, message);
}
