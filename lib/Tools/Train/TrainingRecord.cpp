//===- TrainingRecord.cpp - Training as lines of JSON ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TrainingRecord.h"
#include "nnet3/Kaldi/IO/KaldiError.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"

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
  // A device or a pipe has no size.
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
