//===- SequentialTable.cpp - Tables read from front to back ---------------===//
#include "Script.h"
#include "nnet3/Target/Kaldi/TableSpecifier.h"
#include "nnet3/Target/Kaldi/Tables.h"

using namespace nnet3;
using llvm::StringRef;

namespace {
/// Reads an archive.
template <typename T> class ArchiveReader : public SequentialTableReader<T> {
public:
  ArchiveReader(std::unique_ptr<ByteSource> source, bool permissive,
                const TableOptions &options)
      : source(std::move(source)), reader(*this->source),
        permissive(permissive), options(options) {}

  llvm::Expected<bool> next() override {
    reader.skipSpace();
    if (!reader.atEnd() && succeeded(reader.readKey(this->key)) &&
        succeeded(readTableValue(reader, this->value)))
      return true;
    if (llvm::Error error = reader.takeError()) {
      if (!permissive)
        return error;
      // Where the next record begins cannot be known.
      warnAbout(options, llvm::toString(std::move(error)) +
                             "; the rest of the archive is passed over");
      return false;
    }
    if (llvm::Error error = source->close())
      return error;
    return false;
  }

private:
  std::unique_ptr<ByteSource> source;
  KaldiReader reader;
  bool permissive;
  TableOptions options;
};

/// Reads the files that a script names.
template <typename T> class ScriptReader : public SequentialTableReader<T> {
public:
  ScriptReader(std::unique_ptr<ByteSource> source, bool permissive,
               const TableOptions &options)
      : source(std::move(source)), reader(*this->source),
        permissive(permissive), options(options) {}

  llvm::Expected<bool> next() override {
    ScriptLine line;
    while (!reader.atEnd() && succeeded(readScriptLine(reader, line))) {
      llvm::Error error =
          loadScriptValue(reader.getName(), line, options, this->value);
      if (!error) {
        this->key = line.key;
        return true;
      }
      if (!permissive)
        return error;
      warnAbout(options, llvm::toString(std::move(error)) + "; passed over");
    }
    if (llvm::Error error = reader.takeError())
      return error;
    if (llvm::Error error = source->close())
      return error;
    return false;
  }

private:
  std::unique_ptr<ByteSource> source;
  KaldiReader reader;
  bool permissive;
  TableOptions options;
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
  std::unique_ptr<SequentialTableReader> result;
  if (parsed->isScript)
    result = std::make_unique<ScriptReader<T>>(std::move(*source),
                                               parsed->permissive, options);
  else
    result = std::make_unique<ArchiveReader<T>>(std::move(*source),
                                                parsed->permissive, options);
  return result;
}

template class nnet3::SequentialTableReader<Matrix>;
template class nnet3::SequentialTableReader<std::vector<float>>;
template class nnet3::SequentialTableReader<std::string>;
