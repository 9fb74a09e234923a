//===- CopyExamples.cpp - Training examples, copied and merged ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CopyOptions.h"
#include "nnet3/Kaldi/Examples/ChainExamples.h"
#include "nnet3/Kaldi/IO/KaldiError.h"
#include "nnet3/Tools/ExampleMerger.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace ::nnet3::kaldi;
using namespace mlir::nnet3;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

/// Takes examples, changed as the options say, one after the other.
template <typename T>
using ExampleFn = llvm::function_ref<Error(StringRef key, T &)>;

/// Gives examples to such a function.
template <typename T>
using CopyFn = llvm::function_ref<Error(CopyCount &, ExampleFn<T>)>;

//===----------------------------------------------------------------------===//
// Changes of examples
//===----------------------------------------------------------------------===//

/// Shifts all but i-vectors, whose t means nothing.
static Error shiftRows(int32_t shift, StringRef name,
                       std::vector<RowIndex> &indexes) {
  if (name == "ivector")
    return Error::success();
  for (RowIndex &index : indexes) {
    int64_t t = int64_t(index.t) + shift;
    if (t != int32_t(t))
      return optionError("option '--frame-shift': t = " + llvm::Twine(t) +
                         " does not fit in 32 bits");
    index.t = t;
  }
  return Error::success();
}

static Error shiftFrames(int32_t shift, NnetExample &example) {
  for (NnetIo &io : example.io)
    if (Error error = shiftRows(shift, io.name, io.indexes))
      return error;
  return Error::success();
}

static Error shiftFrames(int32_t shift, NnetChainExample &example) {
  for (NnetIo &io : example.inputs)
    if (Error error = shiftRows(shift, io.name, io.indexes))
      return error;
  for (ChainSupervision &output : example.outputs)
    if (Error error = shiftRows(shift, output.name, output.indexes))
      return error;
  return Error::success();
}

static std::vector<NnetIo> &getMatrices(NnetExample &example) {
  return example.io;
}

static std::vector<NnetIo> &getMatrices(NnetChainExample &example) {
  return example.inputs;
}

/// Compresses what is full, or the other way around.
static void convert(const CopyOptions &options, std::vector<NnetIo> &list) {
  for (NnetIo &io : list) {
    if (options.compress)
      compressIo(io);
    if (options.decompress &&
        std::holds_alternative<CompressedMatrix>(io.features))
      io.features = toFull(io.features);
  }
}

//===----------------------------------------------------------------------===//
// Tables of examples
//===----------------------------------------------------------------------===//

/// Gives `take` the examples of a table, shifted.
template <typename T>
static Error readAll(const CopyOptions &options, CopyCount &count,
                     ExampleFn<T> take) {
  auto from =
      SequentialTableReader<T>::open(options.input, options.getTableOptions());
  if (!from)
    return from.takeError();
  while (true) {
    Expected<bool> more = (*from)->next();
    if (!more)
      return more.takeError();
    if (!*more)
      return Error::success();
    ++count.read;
    T &example = (*from)->getValue();
    if (Error error = shiftFrames(options.frameShift, example))
      return error;
    if (Error error = take((*from)->getKey(), example))
      return error;
  }
}

/// Copies examples, or the minibatches that they make, to `take`.
template <typename T>
static Error copyTo(const CopyOptions &options, CopyCount &count,
                    ExampleFn<T> take) {
  if (options.minibatchSize.empty())
    return readAll<T>(options, count, take);
  auto sizes = MinibatchSizes::parse(options.minibatchSize);
  if (!sizes)
    return sizes.takeError();
  ExampleMerger<T> merger(std::move(*sizes), take);
  Error error = readAll<T>(options, count, [&](StringRef, T &example) -> Error {
    return merger.accept(std::move(example));
  });
  return error ? std::move(error) : merger.finish();
}

/// Writes the examples that `copy` gives, converted.
template <typename T>
static Expected<CopyCount> copyWhole(const CopyOptions &options,
                                     CopyFn<T> copy) {
  auto to = TableWriter<T>::open(options.output, options.getTableOptions());
  if (!to)
    return to.takeError();
  CopyCount count;
  Error error = copy(count, [&](StringRef key, T &example) {
    convert(options, getMatrices(example));
    ++count.written;
    return (*to)->write(key, example);
  });
  if (error)
    return error;
  if (Error error = (*to)->close())
    return error;
  return count;
}

/// Writes the matrix of one io.
static Error writeIo(const CopyOptions &options, StringRef key,
                     const NnetExample &example,
                     TableWriter<GeneralMatrix> &to) {
  auto io = llvm::find_if(example.io, [&](const NnetIo &candidate) {
    return candidate.name == options.io;
  });
  if (io == example.io.end())
    return optionError("example " + quoteForMessage(key) + " has no '" +
                       options.io + "'");
  if (options.decompress)
    return to.write(key, toFull(io->features));
  return to.write(key, io->features);
}

/// Writes the matrices of one io; `copy` gives the examples.
static Expected<CopyCount> copyIo(const CopyOptions &options,
                                  CopyFn<NnetExample> copy) {
  auto to = TableWriter<GeneralMatrix>::open(options.output,
                                             options.getTableOptions());
  if (!to)
    return to.takeError();
  CopyCount count;
  Error error = copy(count, [&](StringRef key, NnetExample &example) -> Error {
    ++count.written;
    return writeIo(options, key, example, **to);
  });
  if (error)
    return error;
  if (Error error = (*to)->close())
    return error;
  return count;
}

/// Gives `take` the inputs of chain examples; their outputs have no matrices.
static Error copyChainInputs(const CopyOptions &options, CopyCount &count,
                             ExampleFn<NnetExample> take) {
  return copyTo<NnetChainExample>(
      options, count, [&](StringRef key, NnetChainExample &example) {
        NnetExample inputs{std::move(example.inputs)};
        return take(key, inputs);
      });
}

Expected<CopyCount> mlir::nnet3::copyExamples(const CopyOptions &options) {
  auto copy = [&](CopyCount &count, ExampleFn<NnetExample> take) {
    return copyTo(options, count, take);
  };
  return options.io.empty() ? copyWhole<NnetExample>(options, copy)
                            : copyIo(options, copy);
}

Expected<CopyCount> mlir::nnet3::copyChainExamples(const CopyOptions &options) {
  if (!options.io.empty())
    return copyIo(options, [&](CopyCount &count, ExampleFn<NnetExample> take) {
      return copyChainInputs(options, count, take);
    });
  return copyWhole<NnetChainExample>(
      options, [&](CopyCount &count, ExampleFn<NnetChainExample> take) {
        return copyTo(options, count, take);
      });
}
