//===- ComputationFile.cpp - Kaldi's computations and caches --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nnet3/Kaldi/Examples/ComputationFile.h"
#include "CindexVector.h"
#include "PrecomputedIndexes.h"
#include "llvm/ADT/STLExtras.h"

using namespace nnet3::kaldi;
using llvm::LogicalResult;
using llvm::StringRef;
using llvm::success;
using llvm::Twine;

/// The supported version of computations (spec: formats.md 9.2).
static constexpr int32_t kVersion = 5;
/// Number of arguments of a command in text.
static constexpr size_t kNumArgs = 7;

static constexpr StringRef kCommandNames[] = {"kAllocMatrix",
                                              "kDeallocMatrix",
                                              "kSwapMatrix",
                                              "kSetConst",
                                              "kPropagate",
                                              "kBackprop",
                                              "kBackpropNoModelUpdate",
                                              "kMatrixCopy",
                                              "kMatrixAdd",
                                              "kCopyRows",
                                              "kAddRows",
                                              "kCopyRowsMulti",
                                              "kCopyToRowsMulti",
                                              "kAddRowsMulti",
                                              "kAddToRowsMulti",
                                              "kAddRowRanges",
                                              "kCompressMatrix",
                                              "kDecompressMatrix",
                                              "kAcceptInput",
                                              "kProvideOutput",
                                              "kNoOperation",
                                              "kNoOperationPermanent",
                                              "kNoOperationMarker",
                                              "kNoOperationLabel",
                                              "kGotoLabel"};

/// The options of a cache. From the first time on, the values are numbers.
static constexpr StringRef kOptions[] = {"Optimize",
                                         "ConsolidateModelUpdate",
                                         "PropagateInPlace",
                                         "BackpropInPlace",
                                         "OptimizeRowOps",
                                         "SplitRowOps",
                                         "ExtendMatrices",
                                         "ConvertAddition",
                                         "RemoveAssignments",
                                         "AllowLeftMerge",
                                         "AllowRightMerge",
                                         "InitializeUndefined",
                                         "MoveSizingCommands",
                                         "AllocateFromOther",
                                         "MinDerivTime",
                                         "MaxDerivTime",
                                         "MaxDerivTimeRelative",
                                         "SnipRowOps",
                                         "MemoryCompressionLevel"};

static bool isNumber(StringRef option) {
  return option.contains("DerivTime") || option == "MemoryCompressionLevel";
}

//===----------------------------------------------------------------------===//
// Requests
//===----------------------------------------------------------------------===//

static void transfer(RecordIo &io, KaldiIoSpecification &specification) {
  io.token("<IoSpecification>");
  io.value(specification.name);
  uint64_t count = specification.indexes.size();
  io.token("<NumIndexes>");
  io.size(count);
  io.value("<Indexes>", specification.indexes);
  if (io.isReading() && count != specification.indexes.size())
    (void)io.getReader().fail("expects " + Twine(count) + " indexes, but got " +
                              Twine(specification.indexes.size()));
  io.value("<HasDeriv>", specification.hasDeriv);
  io.token("</IoSpecification>");
  io.newline();
}

static void transfer(RecordIo &io, KaldiRequest &request) {
  auto element = [&](KaldiIoSpecification &value) { transfer(io, value); };
  io.token("<ComputationRequest>");
  io.newline();
  io.list("<NumInputs>", "<Inputs>", request.inputs, element);
  io.list("<NumOutputs>", "<Outputs>", request.outputs, element);
  io.value("<NeedModelDerivative>", request.needModelDerivative);
  io.value("<StoreComponentStats>", request.storeComponentStats);
  io.token("</ComputationRequest>");
  io.newline();
}

//===----------------------------------------------------------------------===//
// Commands
//===----------------------------------------------------------------------===//

/// Reads or writes the name of a command in text.
static void transferType(RecordIo &io, int32_t &type) {
  std::string name;
  if (!io.isReading())
    name = kCommandNames[type].str();
  io.value(name);
  if (!io.isReading())
    return;
  const auto *found = llvm::find(kCommandNames, name);
  if (found == std::end(kCommandNames))
    (void)io.getReader().fail("expects a command, but got " +
                              quoteForMessage(name));
  else
    type = found - kCommandNames;
}

/// Reads or writes the arguments one by one; missing arguments are -1.
static void transferArgs(RecordIo &io, std::vector<int32_t> &args) {
  args.resize(kNumArgs, -1);
  for (int32_t &arg : args)
    io.value(arg);
}

static void transfer(RecordIo &io, KaldiCommand &command) {
  io.token("<Cmd>");
  if (io.isBinary()) {
    io.value(command.type);
    io.value(command.alpha);
    io.value(command.args);
  } else {
    std::vector<int32_t> args = command.args;
    transferType(io, command.type);
    io.newline();
    io.value("<Alpha>", command.alpha);
    io.token("<Args>");
    transferArgs(io, args);
    while (!args.empty() && args.back() == -1)
      args.pop_back();
    command.args = std::move(args);
  }
  if (io.isReading() &&
      (command.type < 0 || command.type >= int32_t(std::size(kCommandNames)) ||
       command.args.size() > kNumArgs))
    (void)io.getReader().fail("expects a command of number 0 to 24 with up to "
                              "7 arguments, but got number " +
                              Twine(command.type) + " with " +
                              Twine(command.args.size()));
  io.token("</Cmd>");
  io.newline();
}

//===----------------------------------------------------------------------===//
// Computations
//===----------------------------------------------------------------------===//

static void transfer(RecordIo &io, KaldiMatrix &matrix) {
  io.token("<MatrixInfo>");
  io.value("<NumRows>", matrix.rows);
  io.value("<NumCols>", matrix.cols);
  io.flag("<StrideEqualNumCols>", matrix.strideEqualsCols);
  io.token("</MatrixInfo>");
  io.newline();
}

static void transfer(RecordIo &io, KaldiMatrixDebug &debug) {
  io.token("<MatrixDebugInfo>");
  io.value("<IsDeriv>", debug.isDeriv);
  io.token("<Cindexes>");
  transferCindexes(io, debug.cindexes);
  io.token("</MatrixDebugInfo>");
  io.newline();
}

static void transfer(RecordIo &io, KaldiSubMatrix &subMatrix) {
  const char *tokens[] = {"<MatrixIndex>", "<RowOffset>", "<NumRows>",
                          "<ColOffset>", "<NumCols>"};
  io.token("<SubMatrixInfo>");
  for (auto [token, value] : llvm::zip_equal(tokens, subMatrix))
    io.value(token, value);
  io.token("</SubMatrixInfo>");
  io.newline();
}

static void transfer(RecordIo &io, KaldiComputation &computation) {
  auto element = [&](auto &value) { transfer(io, value); };
  auto plain = [&](auto &value) { io.value(value); };
  int32_t version = kVersion;
  io.token("<NnetComputation>");
  io.value("<Version>", version);
  if (io.isReading() && !io.hasFailed() && version != kVersion)
    (void)io.getReader().fail("expects a computation of version " +
                              Twine(kVersion) + ", but got " + Twine(version));
  io.newline();
  io.list("<NumMatrices>", "<Matrices>", computation.matrices, element);
  io.list("<NumMatrixDebugInfo>", "<MatrixDebugInfo>", computation.debug,
          element);
  io.list("<NumSubMatrices>", "<SubMatrices>", computation.subMatrices,
          element);
  io.list(
      "<NumComponentPrecomputedIndexes>", "<PrecomputedIndexesInfo>",
      computation.precomputed,
      [&](KaldiPrecomputedIndexes &value) { transferPrecomputed(io, value); },
      /*extra=*/1);
  io.list("<NumIndexes>", "<Indexes>", computation.indexes, plain);
  io.list("<NumIndexesMulti>", "<IndexesMulti>", computation.indexesMulti,
          plain);
  io.list("<NumIndexesRanges>", "<IndexesRanges>", computation.indexesRanges,
          plain);
  io.list("<NumCommands>", "<Commands>", computation.commands, element);
  io.value("<NeedModelDerivative>", computation.needModelDerivative);
  io.token("</NnetComputation>");
  io.newline();
}

//===----------------------------------------------------------------------===//
// Caches
//===----------------------------------------------------------------------===//

static void transferOptions(RecordIo &io, std::vector<int32_t> &options) {
  options.resize(std::size(kOptions));
  io.token("<NnetOptimizeOptions>");
  for (auto [name, value] : llvm::zip_equal(kOptions, options)) {
    io.token(("<" + name + ">").str());
    if (isNumber(name)) {
      io.value(value);
      continue;
    }
    bool truth = value;
    io.value(truth);
    value = truth;
  }
  io.token("</NnetOptimizeOptions>");
  io.newline();
}

static void transfer(RecordIo &io, KaldiComputationCache &cache) {
  transferOptions(io, cache.options);
  int32_t count = cache.entries.size();
  io.value("<ComputationCacheSize>", count);
  io.token("<ComputationCache>");
  io.newline();
  if (io.isReading())
    cache.entries.clear();
  for (int32_t i = 0; i < count && !io.hasFailed(); ++i) {
    auto &[request, computation] =
        io.isReading() ? cache.entries.emplace_back() : cache.entries[i];
    transfer(io, request);
    transfer(io, computation);
  }
}

//===----------------------------------------------------------------------===//
// Both directions
//===----------------------------------------------------------------------===//

template <typename T> static LogicalResult read(KaldiReader &reader, T &value) {
  value = T();
  RecordIo io(reader);
  transfer(io, value);
  return success(!io.hasFailed());
}

template <typename T> static void write(KaldiWriter &writer, T value) {
  RecordIo io(writer);
  transfer(io, value);
}

LogicalResult nnet3::kaldi::readRequest(KaldiReader &reader,
                                        KaldiRequest &request) {
  return read(reader, request);
}

void nnet3::kaldi::writeRequest(KaldiWriter &writer,
                                const KaldiRequest &request) {
  write(writer, request);
}

LogicalResult nnet3::kaldi::readComputation(KaldiReader &reader,
                                            KaldiComputation &computation) {
  return read(reader, computation);
}

void nnet3::kaldi::writeComputation(KaldiWriter &writer,
                                    const KaldiComputation &computation) {
  write(writer, computation);
}

LogicalResult nnet3::kaldi::readComputationCache(KaldiReader &reader,
                                                 KaldiComputationCache &cache) {
  return read(reader, cache);
}

void nnet3::kaldi::writeComputationCache(KaldiWriter &writer,
                                         const KaldiComputationCache &cache) {
  write(writer, cache);
}
