//===- CopyTable.h - Copying the records of a table -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_LIB_TOOLS_COPY_COPYTABLE_H
#define NNET3_LIB_TOOLS_COPY_COPYTABLE_H

#include "CopyOptions.h"
#include "nnet3/Kaldi/IO/KaldiError.h"
#include "nnet3/Kaldi/Tables/TableSpecifier.h"

namespace mlir::nnet3 {

/// Copies a table of From to a table of To. `write` gets the table, and the key
/// and the value of a record, and returns an Error.
template <typename From, typename To, typename WriteFn>
llvm::Expected<CopyCount> copyTable(const CopyOptions &options, WriteFn write) {
  namespace kaldi = ::nnet3::kaldi;
  if (llvm::Error error = kaldi::checkIsNotRead(options.output, options.input))
    return error;
  const kaldi::TableOptions tableOptions = options.getTableOptions();
  auto from =
      kaldi::SequentialTableReader<From>::open(options.input, tableOptions);
  if (!from)
    return from.takeError();
  auto to = kaldi::TableWriter<To>::open(options.output, tableOptions);
  if (!to)
    return to.takeError();
  CopyCount count;
  while (true) {
    llvm::Expected<bool> more = (*from)->next();
    if (!more)
      return more.takeError();
    if (!*more)
      break;
    ++count.read;
    if (llvm::Error error = write(**to, (*from)->getKey(), (*from)->getValue()))
      return error;
    ++count.written;
  }
  if (count.written == 0)
    return kaldi::makeFileError(options.input, "no record was copied");
  if (llvm::Error error = (*to)->close())
    return error;
  return count;
}

} // namespace mlir::nnet3

#endif // NNET3_LIB_TOOLS_COPY_COPYTABLE_H
