//===- SequentialTable.cpp - Sequential reading of tables -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Script.h"
#include "nnet3/Kaldi/Tables/TableSpecifier.h"
#include "nnet3/Kaldi/Tables/Tables.h"
#include "llvm/Support/FileSystem.h"

using namespace nnet3::kaldi;
using llvm::StringRef;

namespace {
/// The file of a table, and how to handle errors in it.
struct TableInput {
  TableInput(std::unique_ptr<ByteSource> source, bool permissive,
             const TableOptions &options)
      : source(std::move(source)), reader(*this->source),
        permissive(permissive), options(options) {}

  /// Returns `error`; if the table is permissive, reports it as a warning that
  /// ends in `consequence` instead.
  llvm::Error passOver(llvm::Error error, StringRef consequence) {
    if (!permissive)
      return error;
    warnAbout(options,
              llvm::toString(std::move(error)) + "; " + consequence.str());
    return llvm::Error::success();
  }

  /// Ends the table: returns false, or the error of closing it.
  llvm::Expected<bool> finish() {
    if (llvm::Error error = source->close())
      return error;
    return false;
  }

  std::optional<double> getFractionRead() const {
    if (size == 0)
      return std::nullopt;
    return std::min(1.0, double(reader.getOffset()) / size);
  }

  std::unique_ptr<ByteSource> source;
  KaldiReader reader;
  /// Bytes of the file; 0 if unknown.
  uint64_t size = 0;
  bool permissive;
  TableOptions options;
};

/// Reads an archive.
template <typename T> class ArchiveReader : public SequentialTableReader<T> {
public:
  explicit ArchiveReader(std::unique_ptr<TableInput> input)
      : input(std::move(input)) {}

  llvm::Expected<bool> next() override {
    KaldiReader &reader = input->reader;
    reader.skipSpace();
    if (!reader.atEnd() && succeeded(reader.readKey(this->key)) &&
        succeeded(readTableValue(reader, this->value)))
      return true;
    if (llvm::Error error = reader.takeError()) {
      // The beginning of the next record is unknown.
      if (llvm::Error fatal = input->passOver(
              std::move(error), "the rest of the archive is passed over"))
        return fatal;
      return false;
    }
    return input->finish();
  }

  std::optional<double> getFractionRead() const override {
    return input->getFractionRead();
  }

private:
  std::unique_ptr<TableInput> input;
};

/// Reads the files that a script names.
template <typename T> class ScriptReader : public SequentialTableReader<T> {
public:
  explicit ScriptReader(std::unique_ptr<TableInput> input)
      : input(std::move(input)) {}

  llvm::Expected<bool> next() override {
    KaldiReader &reader = input->reader;
    ScriptLine line;
    while (!reader.atEnd() && succeeded(readScriptLine(reader, line))) {
      llvm::Error error =
          loadScriptValue(reader.getName(), line, input->options, this->value);
      if (!error) {
        this->key = line.key;
        return true;
      }
      if (llvm::Error fatal = input->passOver(std::move(error), "passed over"))
        return fatal;
    }
    if (llvm::Error error = reader.takeError())
      return error;
    return input->finish();
  }

  std::optional<double> getFractionRead() const override {
    return input->getFractionRead();
  }

private:
  std::unique_ptr<TableInput> input;
};
} // namespace

template <typename T>
llvm::Expected<std::unique_ptr<SequentialTableReader<T>>>
SequentialTableReader<T>::open(StringRef rspecifier,
                               const TableOptions &options) {
  llvm::Expected<RSpecifier> parsed = RSpecifier::parse(rspecifier);
  if (!parsed)
    return parsed.takeError();
  llvm::Expected<std::unique_ptr<ByteSource>> source =
      openInput(parsed->rxfilename);
  if (!source)
    return source.takeError();
  auto input = std::make_unique<TableInput>(std::move(*source),
                                            parsed->permissive, options);
  if (llvm::sys::fs::is_regular_file(parsed->rxfilename) &&
      llvm::sys::fs::file_size(parsed->rxfilename, input->size))
    input->size = 0;
  if (parsed->isScript)
    return std::make_unique<ScriptReader<T>>(std::move(input));
  return std::make_unique<ArchiveReader<T>>(std::move(input));
}

template class nnet3::kaldi::SequentialTableReader<Matrix>;
template class nnet3::kaldi::SequentialTableReader<std::vector<float>>;
template class nnet3::kaldi::SequentialTableReader<std::string>;
template class nnet3::kaldi::SequentialTableReader<std::vector<std::string>>;
template class nnet3::kaldi::SequentialTableReader<GeneralMatrix>;
template class nnet3::kaldi::SequentialTableReader<GeneralVector>;
template class nnet3::kaldi::SequentialTableReader<std::vector<int32_t>>;
template class nnet3::kaldi::SequentialTableReader<Posterior>;
template class nnet3::kaldi::SequentialTableReader<NnetExample>;
template class nnet3::kaldi::SequentialTableReader<NnetChainExample>;
template class nnet3::kaldi::SequentialTableReader<AnyExample>;
template class nnet3::kaldi::SequentialTableReader<ChainSupervision>;
template class nnet3::kaldi::SequentialTableReader<float>;
template class nnet3::kaldi::SequentialTableReader<Wave>;
