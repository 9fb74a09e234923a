//===- TableWriter.cpp - Writing of tables --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "IO/Pipe.h"
#include "Script.h"
#include "nnet3/Kaldi/IO/OutputFile.h"
#include "nnet3/Kaldi/Tables/TableSpecifier.h"
#include "nnet3/Kaldi/Tables/Tables.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Errno.h"
#include <fcntl.h>
#include <optional>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

using namespace nnet3::kaldi;
using llvm::StringRef;

namespace {
/// A file, standard output or a command that receives whole records. A large
/// record is written in pieces through the buffer. An existing file keeps its
/// contents, and a new one is removed again, if an error comes before the first
/// record.
class RecordSink final : public llvm::raw_ostream {
public:
  static llvm::Expected<std::unique_ptr<RecordSink>> open(StringRef wxfilename);
  ~RecordSink() override {
    flush();
    if (!owned)
      return;
    ::close(descriptor);
    if (created && !begun)
      ::unlink(name.c_str());
  }

  /// Ends the record that was written to the stream. If writing failed,
  /// truncates a regular file to the earlier records; every later call fails.
  llvm::Error endRecord();

  /// Waits for a command to end; closes a file.
  llvm::Error close();

  bool isPlainFile() const { return plainFile; }

  /// Returns the offset of the current record.
  uint64_t getRecordOffset() const { return recordOffset; }

private:
  /// Small records are buffered until they are complete.
  static constexpr size_t kBufferSize = 1 << 20;

  RecordSink(int descriptor, bool owned, StringRef name, bool created = false)
      : descriptor(descriptor), owned(owned), created(created), name(name) {
    struct stat info;
    plainFile = owned && fstat(descriptor, &info) == 0 && S_ISREG(info.st_mode);
    SetBufferSize(kBufferSize);
  }

  /// Removes the contents that the file had before.
  bool begin();
  void write_impl(const char *data, size_t size) override;
  uint64_t current_pos() const override { return offset; }

  int descriptor;
  bool owned;
  /// Whether the file did not exist before.
  bool created;
  bool plainFile;
  bool begun = false;
  std::string name;
  std::optional<Pipe> pipe;
  uint64_t offset = 0, recordOffset = 0;
  /// The error of writing the current record; empty if there is none.
  std::string reason;
  bool broken = false;
};
} // namespace

llvm::Expected<std::unique_ptr<RecordSink>>
RecordSink::open(StringRef wxfilename) {
  if (wxfilename.empty() || wxfilename == "-")
    return std::unique_ptr<RecordSink>(
        new RecordSink(STDOUT_FILENO, /*owned=*/false, "<stdout>"));
  if (wxfilename.starts_with("|")) {
    llvm::Expected<Pipe> pipe =
        Pipe::open(wxfilename.drop_front(), "w", wxfilename);
    if (!pipe)
      return pipe.takeError();
    std::unique_ptr<RecordSink> sink(
        new RecordSink(pipe->getDescriptor(), /*owned=*/false, wxfilename));
    sink->pipe.emplace(std::move(*pipe));
    return sink;
  }
  if (wxfilename.trim() != wxfilename || wxfilename.ends_with("|"))
    return makeFileError(quoteForMessage(wxfilename),
                         "expects a file name to write to");
  auto openWith = [&](int flags) {
    return llvm::sys::RetryAfterSignal(-1, ::open, wxfilename.str().c_str(),
                                       O_WRONLY | O_CREAT | O_CLOEXEC | flags,
                                       0666);
  };
  int descriptor = openWith(O_EXCL);
  const bool created = descriptor >= 0;
  if (!created)
    descriptor = openWith(0);
  if (descriptor < 0)
    return makeFileError(wxfilename, "cannot write: " + llvm::sys::StrError());
  return std::unique_ptr<RecordSink>(
      new RecordSink(descriptor, /*owned=*/true, wxfilename, created));
}

bool RecordSink::begin() {
  if (begun)
    return true;
  begun = true;
  return !plainFile || ftruncate(descriptor, 0) == 0;
}

void RecordSink::write_impl(const char *data, size_t size) {
  if (!begin()) {
    reason = llvm::sys::StrError();
    broken = true;
  }
  while (size != 0 && !broken) {
    ssize_t written =
        llvm::sys::RetryAfterSignal(-1, ::write, descriptor, data, size);
    if (written < 0) {
      reason = llvm::sys::StrError();
      broken = true;
      return;
    }
    data += written;
    size -= written;
    offset += written;
  }
}

llvm::Error RecordSink::endRecord() {
  flush();
  if (!broken) {
    recordOffset = offset;
    return llvm::Error::success();
  }
  if (reason.empty())
    return makeFileError(name, "cannot write after an error");
  if (plainFile && ftruncate(descriptor, recordOffset) != 0)
    reason += " (and the file ends within a record)";
  return makeFileError(name, "cannot write: " + std::exchange(reason, {}));
}

llvm::Error RecordSink::close() {
  if (pipe)
    return pipe->close();
  if (!owned)
    return llvm::Error::success();
  owned = false;
  const bool hasBegun = begin();
  if (::close(descriptor) != 0 || !hasBegun)
    return makeFileError(name, "cannot write: " + llvm::sys::StrError());
  return llvm::Error::success();
}

/// Keys must be single words: other keys could not be read back.
static llvm::Error checkKey(StringRef key) {
  if (key.empty() || llvm::any_of(key, llvm::isSpace))
    return makeFileError("", "expects a key without blanks, but got " +
                                 quoteForMessage(key));
  return llvm::Error::success();
}

namespace {
/// Writes an archive, and a script with the offsets of its records.
template <typename T> class ArchiveWriter : public TableWriter<T> {
public:
  ArchiveWriter(const WSpecifier &specifier, const TableOptions &options,
                std::unique_ptr<RecordSink> archive,
                std::unique_ptr<RecordSink> script)
      : specifier(specifier), digits(options.digits),
        archive(std::move(archive)), script(std::move(script)) {}

  llvm::Error write(StringRef key, const T &value) override {
    if (llvm::Error error = checkKey(key))
      return error;
    uint64_t valueOffset = archive->getRecordOffset() + key.size() + 1;
    *archive << key << ' ';
    KaldiWriter writer(*archive, specifier.binary, digits);
    writeTableValue(writer, value);
    if (llvm::Error error = archive->endRecord())
      return error;
    if (!script)
      return llvm::Error::success();
    *script << key << ' ' << specifier.archive << ':' << valueOffset << '\n';
    return script->endRecord();
  }

  llvm::Error close() override {
    llvm::Error error = archive->close();
    if (script)
      error = llvm::joinErrors(std::move(error), script->close());
    return error;
  }

private:
  WSpecifier specifier;
  unsigned digits;
  std::unique_ptr<RecordSink> archive;
  std::unique_ptr<RecordSink> script;
};

/// Writes each value to the file that a script names for its key.
template <typename T> class ScriptWriter : public TableWriter<T> {
public:
  ScriptWriter(const WSpecifier &specifier, const TableOptions &options)
      : specifier(specifier), options(options) {}

  llvm::Error readLines() {
    auto source = openInput(specifier.script);
    if (!source)
      return source.takeError();
    KaldiReader script(**source);
    ScriptLine line;
    while (!script.atEnd() && succeeded(readScriptLine(script, line))) {
      if (!line.range.empty())
        (void)script.fail("expects no range in a script to write by");
      else if (StringRef(line.file).starts_with("|") && !options.allowScpPipes)
        (void)script.fail("a command found in a file is not run");
      else if (!files.try_emplace(line.key, line.file).second)
        (void)script.fail("key " + quoteForMessage(line.key) + " comes twice");
    }
    return script.takeError();
  }

  llvm::Error write(StringRef key, const T &value) override {
    auto found = files.find(key);
    if (found == files.end()) {
      if (specifier.permissive)
        return llvm::Error::success();
      return makeFileError(specifier.script,
                           "has no file for key " + quoteForMessage(key));
    }
    auto file = OutputFile::create(found->second);
    if (!file)
      return file.takeError();
    KaldiWriter writer((*file)->getStream(), specifier.binary, options.digits);
    writeTableValue(writer, value);
    return (*file)->commit();
  }

  llvm::Error close() override { return llvm::Error::success(); }

private:
  WSpecifier specifier;
  TableOptions options;
  llvm::StringMap<std::string> files;
};
} // namespace

template <typename T>
llvm::Expected<std::unique_ptr<TableWriter<T>>>
TableWriter<T>::open(StringRef wspecifier, const TableOptions &options) {
  llvm::Expected<WSpecifier> specifier = WSpecifier::parse(wspecifier);
  if (!specifier)
    return specifier.takeError();
  if (!specifier->writesArchive) {
    auto writer = std::make_unique<ScriptWriter<T>>(*specifier, options);
    if (llvm::Error error = writer->readLines())
      return error;
    return writer;
  }
  if (specifier->writesScript && specifier->archive == specifier->script)
    return makeFileError(specifier->archive,
                         "expects different files for archive and script");
  auto archive = RecordSink::open(specifier->archive);
  if (!archive)
    return archive.takeError();
  std::unique_ptr<RecordSink> script;
  if (specifier->writesScript) {
    if (!(*archive)->isPlainFile())
      return makeFileError(specifier->archive,
                           "expects a plain file, to which a script can point");
    auto opened = RecordSink::open(specifier->script);
    if (!opened)
      return opened.takeError();
    script = std::move(*opened);
  }
  return std::make_unique<ArchiveWriter<T>>(
      *specifier, options, std::move(*archive), std::move(script));
}

template class nnet3::kaldi::TableWriter<Matrix>;
template class nnet3::kaldi::TableWriter<std::vector<float>>;
template class nnet3::kaldi::TableWriter<std::string>;
template class nnet3::kaldi::TableWriter<GeneralMatrix>;
template class nnet3::kaldi::TableWriter<GeneralVector>;
template class nnet3::kaldi::TableWriter<std::vector<int32_t>>;
template class nnet3::kaldi::TableWriter<Posterior>;
template class nnet3::kaldi::TableWriter<NnetExample>;
template class nnet3::kaldi::TableWriter<NnetChainExample>;
template class nnet3::kaldi::TableWriter<AnyExample>;
