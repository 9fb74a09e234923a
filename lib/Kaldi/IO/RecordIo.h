//===- RecordIo.h - Records described for both directions -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_KALDI_IO_RECORDIO_H
#define NNET3_KALDI_IO_RECORDIO_H

#include "nnet3/Kaldi/Examples/RowIndex.h"
#include "nnet3/Kaldi/IO/Reader.h"
#include "nnet3/Kaldi/IO/Writer.h"

namespace nnet3::kaldi {

/// Reads or writes values, so that one description of a record serves both
/// directions. A description calls the functions in the order of the file.
/// After an error, which the reader keeps, the functions do nothing.
class RecordIo {
public:
  explicit RecordIo(KaldiReader &reader) : reader(&reader) {}
  explicit RecordIo(KaldiWriter &writer) : writer(&writer) {}

  bool isReading() const { return reader; }
  bool isBinary() const {
    return reader ? reader->isBinary() : writer->isBinary();
  }
  bool hasFailed() const { return reader && reader->hasFailed(); }
  KaldiReader &getReader() { return *reader; }
  KaldiWriter &getWriter() { return *writer; }

  void token(llvm::StringRef token);
  /// Reads or writes a token that is present if `value` is true.
  void flag(llvm::StringRef token, bool &value);
  /// Writes a line end in text.
  void newline();

  void value(int32_t &number);
  void value(bool &truth);
  void value(float &number);
  void value(std::string &word);
  void value(std::vector<int32_t> &numbers);
  void value(std::vector<std::pair<int32_t, int32_t>> &pairs);
  void value(std::vector<float> &numbers);
  void value(std::vector<RowIndex> &indexes);

  template <typename T> void value(llvm::StringRef before, T &what) {
    token(before);
    value(what);
  }

  /// Reads or writes an unsigned 8-byte number.
  void size(uint64_t &number);

  /// Reads or writes the size of a list of Ts, a token, and the elements, each
  /// with `element`. The stored size is `extra` larger than the number of
  /// elements.
  template <typename T, typename Fn>
  void list(llvm::StringRef sizeToken, llvm::StringRef listToken,
            std::vector<T> &values, Fn element, uint64_t extra = 0) {
    uint64_t count = values.size() + extra;
    token(sizeToken);
    size(count);
    token(listToken);
    newline();
    if (isReading()) {
      values.clear();
      if (count < extra)
        (void)reader->fail("expects a size of at least " + llvm::Twine(extra));
      for (uint64_t i = extra; i < count && !hasFailed(); ++i)
        element(values.emplace_back());
      return;
    }
    for (T &value : values)
      element(value);
  }

private:
  KaldiReader *reader = nullptr;
  KaldiWriter *writer = nullptr;
};

} // namespace nnet3::kaldi

#endif // NNET3_KALDI_IO_RECORDIO_H
