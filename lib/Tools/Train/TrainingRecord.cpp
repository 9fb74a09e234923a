//===- TrainingRecord.cpp - Training as lines of JSON ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TrainingRecord.h"
#include "nnet3/Kaldi/IO/KaldiError.h"

#include "llvm/Support/JSON.h"

using namespace ::nnet3::kaldi;
using namespace mlir::nnet3;
namespace rt = ::nnet3::rt;

llvm::Expected<std::unique_ptr<TrainingRecord>>
TrainingRecord::open(llvm::StringRef path) {
  auto record = std::make_unique<TrainingRecord>();
  if (path.empty())
    return record;
  std::error_code error;
  record->path = path.str();
  record->file = std::make_unique<llvm::raw_fd_ostream>(path, error);
  if (error)
    return makeFileError(path, error.message());
  return record;
}

void TrainingRecord::add(int64_t minibatch, const rt::TrainingStep &step,
                         const rt::MaxChangeFactors &factors) {
  if (!file)
    return;
  llvm::json::OStream json(*file);
  json.object([&] {
    json.attribute("minibatch", minibatch);
    json.attributeObject("objectives", [&] {
      for (const rt::OutputObjective &output : step.objectives)
        json.attributeObject(output.name, [&] {
          json.attribute("value", output.objective.value);
          json.attribute("weight", output.objective.weight);
          json.attribute("auxiliary", output.auxiliary);
        });
    });
    json.attributeObject("max_change", [&] {
      json.attribute("global", factors.global);
      json.attribute("component", factors.smallest);
    });
    json.attribute("refused", step.refused);
  });
  *file << "\n";
  file->flush();
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
