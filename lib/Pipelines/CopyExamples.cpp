//===- CopyExamples.cpp - Training examples, copied and merged ------------===//

#include "CopyOptions.h"
#include "ExampleMerger.h"
#include "nnet3/Target/Kaldi/KaldiError.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace nnet3;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

/// Takes examples, changed as the options say, one after the other.
using ExampleFn = llvm::function_ref<Error(StringRef key, NnetExample &)>;

/// Shifts all but i-vectors, whose t means nothing.
static Error shiftFrames(int32_t shift, NnetExample &example) {
  for (NnetIo &io : example.io) {
    if (io.name == "ivector")
      continue;
    for (RowIndex &index : io.indexes) {
      int64_t t = int64_t(index.t) + shift;
      if (t != int32_t(t))
        return optionError("option '--frame-shift': t = " + llvm::Twine(t) +
                           " does not fit in 32 bits");
      index.t = t;
    }
  }
  return Error::success();
}

static Error readAll(const CopyOptions &options, CopyCount &count,
                     ExampleFn take) {
  auto from = SequentialTableReader<NnetExample>::open(
      options.input, options.getTableOptions());
  if (!from)
    return from.takeError();
  while (true) {
    Expected<bool> more = (*from)->next();
    if (!more)
      return more.takeError();
    if (!*more)
      return Error::success();
    ++count.read;
    NnetExample &example = (*from)->getValue();
    if (Error error = shiftFrames(options.frameShift, example))
      return error;
    if (Error error = take((*from)->getKey(), example))
      return error;
  }
}

/// Copies examples, or the minibatches that they make, to `take`.
static Error copyTo(const CopyOptions &options, CopyCount &count,
                    ExampleFn take) {
  if (options.minibatchSize.empty())
    return readAll(options, count, take);
  auto sizes = MinibatchSizes::parse(options.minibatchSize);
  if (!sizes)
    return sizes.takeError();
  ExampleMerger merger(std::move(*sizes), take);
  Error error =
      readAll(options, count, [&](StringRef, NnetExample &example) -> Error {
        return merger.accept(std::move(example));
      });
  if (error)
    return error;
  if (Error error = merger.finish())
    return error;
  if (merger.getNumDiscarded() > 0)
    llvm::errs() << "warning: " << merger.getNumDiscarded()
                 << " examples fill no minibatch and are left out\n";
  return Error::success();
}

static Expected<CopyCount> copyWhole(const CopyOptions &options) {
  auto to =
      TableWriter<NnetExample>::open(options.output, options.getTableOptions());
  if (!to)
    return to.takeError();
  CopyCount count;
  Error error =
      copyTo(options, count, [&](StringRef key, NnetExample &example) {
        if (options.compress)
          compressExample(example);
        if (options.decompress)
          for (NnetIo &io : example.io)
            if (std::holds_alternative<CompressedMatrix>(io.features))
              io.features = toFull(io.features);
        ++count.written;
        return (*to)->write(key, example);
      });
  if (error)
    return error;
  if (Error error = (*to)->close())
    return error;
  return count;
}

/// Writes the matrices of one io.
static Expected<CopyCount> copyIo(const CopyOptions &options) {
  auto to = TableWriter<GeneralMatrix>::open(options.output,
                                             options.getTableOptions());
  if (!to)
    return to.takeError();
  CopyCount count;
  Error error =
      copyTo(options, count, [&](StringRef key, NnetExample &example) -> Error {
        auto io = llvm::find_if(example.io, [&](const NnetIo &candidate) {
          return candidate.name == options.io;
        });
        if (io == example.io.end())
          return optionError("example " + quoteForMessage(key) + " has no '" +
                             options.io + "'");
        ++count.written;
        return (*to)->write(key, options.decompress
                                     ? GeneralMatrix(toFull(io->features))
                                     : io->features);
      });
  if (error)
    return error;
  if (Error error = (*to)->close())
    return error;
  return count;
}

Expected<CopyCount> nnet3::copyExamples(const CopyOptions &options) {
  return options.io.empty() ? copyWhole(options) : copyIo(options);
}
