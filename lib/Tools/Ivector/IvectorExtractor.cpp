//===- IvectorExtractor.cpp - i-vector extraction for programs ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Tools/IvectorExtractor.h"
#include "nnet3/Kaldi/IO/KaldiError.h"

using namespace ::nnet3::kaldi;
using namespace mlir::nnet3;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

/// Converts `message`, which may begin with "FILE:LINE:COLUMN: " or "FILE:byte
/// N: ", to an error with a location.
static Error makeIvectorError(StringRef message) {
  for (size_t at = message.find(": "); at != StringRef::npos;
       at = message.find(": ", at + 1)) {
    StringRef place = message.take_front(at), text = message.drop_front(at + 2);
    FileLocation location;
    auto [rest, last] = place.rsplit(':');
    if (last.consume_front("byte ") && !last.getAsInteger(10, location.byte))
      return llvm::make_error<KaldiError>(rest.str(), location, text.str());
    auto [file, line] = rest.rsplit(':');
    if (!last.getAsInteger(10, location.column) &&
        !line.getAsInteger(10, location.line))
      return llvm::make_error<KaldiError>(file.str(), location, text.str());
  }
  auto [file, text] = message.split(": ");
  return text.empty() ? makeFileError("", message) : makeFileError(file, text);
}

Expected<std::unique_ptr<IvectorExtractor>>
IvectorExtractor::create(llvm::ArrayRef<std::string> options) {
  std::vector<const char *> arguments;
  for (const std::string &option : options)
    arguments.push_back(option.c_str());
  nnet3_ivector *made = nullptr;
  char message[4096] = "";
  nnet3_ivector_status status = nnet3_ivector_create(
      arguments.data(), arguments.size(), &made, message, sizeof(message));
  Ivector ivector(made, nnet3_ivector_destroy);
  if (status == NNET3_IVECTOR_INVALID_OPTION)
    return makeIvectorError(message);
  nnet3_ivector_stream *opened = nullptr;
  if (status == NNET3_IVECTOR_OK)
    status = nnet3_ivector_open(made, &opened);
  Stream stream(opened, nnet3_ivector_close);
  if (status != NNET3_IVECTOR_OK)
    return makeFileError("", nnet3_ivector_error_text(status));
  return std::unique_ptr<IvectorExtractor>(
      new IvectorExtractor(std::move(ivector), std::move(stream)));
}

void IvectorExtractor::append(Matrix &ivectors) const {
  ivectors.cols = getDim();
  ++ivectors.rows;
  ivectors.data.insert(ivectors.data.end(), row.begin(), row.end());
}

void IvectorExtractor::push(const float *rows, int64_t numRows, int64_t stride,
                            Matrix &ivectors) {
  for (int64_t numUsed = 0, numIvectors = 1; numRows > 0 || numIvectors > 0;
       rows += numUsed * stride, numRows -= numUsed) {
    (void)nnet3_ivector_push(stream.get(), rows, numRows, stride, &numUsed,
                             row.data(), 1, &numIvectors);
    if (numIvectors > 0)
      append(ivectors);
  }
}

void IvectorExtractor::finish(Matrix &ivectors) {
  int64_t numIvectors = 0;
  while (nnet3_ivector_finish(stream.get(), row.data(), 1, &numIvectors) ==
             NNET3_IVECTOR_OK &&
         numIvectors > 0)
    append(ivectors);
}

nnet3_ivector_info IvectorExtractor::getInfo() const {
  nnet3_ivector_info info{};
  info.struct_size = sizeof(info);
  (void)nnet3_ivector_get_info(stream.get(), &info);
  return info;
}
