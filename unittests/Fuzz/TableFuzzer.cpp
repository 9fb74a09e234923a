//===- TableFuzzer.cpp - Any bytes as archives and script files -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "FuzzTarget.h"
#include "nnet3/Kaldi/Examples/Posterior.h"
#include "nnet3/Kaldi/Examples/RowIndex.h"
#include "nnet3/Kaldi/IO/Reader.h"
#include "nnet3/Kaldi/IO/Writer.h"
#include "nnet3/Kaldi/Matrix/GeneralMatrix.h"
#include "nnet3/Kaldi/Tables/Tables.h"
#include "llvm/Support/raw_ostream.h"
#include <sys/mman.h>
#include <unistd.h>

using namespace ::nnet3::kaldi;
using namespace mlir::nnet3;
using namespace mlir::nnet3::fuzz;

namespace {
/// A file in memory, with a path.
class MemoryFile {
public:
  MemoryFile(const uint8_t *data, size_t size)
      : descriptor(memfd_create("fuzz", 0)) {
    require(write(descriptor, data, size) == ssize_t(size),
            "no file in memory");
  }
  ~MemoryFile() { close(descriptor); }
  std::string getPath() const {
    return "/proc/self/fd/" + std::to_string(descriptor);
  }

private:
  int descriptor;
};
} // namespace

/// Reads an archive of T until its end or an error.
template <typename T> static void readArchive(const MemoryFile &file) {
  auto table = SequentialTableReader<T>::open("ark:" + file.getPath());
  require(bool(table), "the file cannot be opened");
  while (true) {
    llvm::Expected<bool> more = (*table)->next();
    if (!more)
      return llvm::consumeError(more.takeError());
    if (!*more)
      return;
  }
}

/// Looks up a key that the archive probably lacks, which reads all of it.
template <typename T> static void searchArchive(const MemoryFile &file) {
  auto table = RandomAccessTableReader<T>::open("ark,s,cs:" + file.getPath());
  require(bool(table), "the file cannot be opened");
  for (const char *key : {"utt1", "utt9"}) {
    llvm::Expected<const T *> value = (*table)->find(key);
    if (!value)
      return llvm::consumeError(value.takeError());
  }
}

/// Reads the lines of a script file, but not the files in it.
static void readScript(const MemoryFile &file) {
  auto table = TableWriter<Matrix>::open("scp:" + file.getPath());
  if (!table)
    llvm::consumeError(table.takeError());
}

/// Reads a file with one T and writes it; checks that it reads and writes the
/// same again.
template <typename T, typename ReadFn, typename WriteFn>
static void checkFile(llvm::StringRef bytes, ReadFn read, WriteFn write) {
  std::string first;
  for (bool again : {false, true}) {
    KaldiReader reader(bytes, "fuzz");
    T value;
    (void)reader.readHeader();
    (void)read(reader, value);
    bool isRead = !reader.hasFailed();
    llvm::consumeError(reader.takeError());
    require(isRead || !again, "what was written cannot be read");
    if (!isRead)
      return;
    std::string written;
    llvm::raw_string_ostream os(written);
    KaldiWriter writer(os, /*binary=*/true);
    writer.writeHeader();
    write(writer, value);
    require(!again || written == first, "what was written changes");
    first = written;
    bytes = first;
  }
}

/// Sparse matrices of any size are read, but only small ones are expanded.
static void decode(const GeneralMatrix &matrix) {
  if (getNumRows(matrix) * getNumCols(matrix) < 1 << 20)
    (void)toFull(matrix);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  MemoryFile file(data, size);
  readArchive<Matrix>(file);
  readArchive<std::vector<float>>(file);
  readArchive<std::string>(file);
  readArchive<GeneralMatrix>(file);
  readArchive<std::vector<int32_t>>(file);
  readArchive<Posterior>(file);
  searchArchive<Matrix>(file);
  readScript(file);
  llvm::StringRef bytes(reinterpret_cast<const char *>(data), size);
  checkFile<GeneralMatrix>(bytes, readGeneralMatrix,
                           [](KaldiWriter &writer, const GeneralMatrix &value) {
                             decode(value);
                             writeGeneralMatrix(writer, value);
                           });
  checkFile<GeneralVector>(bytes, readGeneralVector, writeGeneralVector);
  checkFile<std::vector<RowIndex>>(bytes, readIndexVector, writeIndexVector);
  checkFile<Posterior>(bytes, readPosterior, writePosterior);
  return 0;
}
