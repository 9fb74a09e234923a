//===- PrecomputedIndexes.cpp - Precomputed indexes of components ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "PrecomputedIndexes.h"

using namespace nnet3::kaldi;
using llvm::StringRef;

namespace {
/// The kind of value that follows a token.
enum class Kind {
  None,
  Int,
  TwoInts,
  EightInts,
  Float,
  Ints,
  Pairs,
  Floats,
  IntLists, ///< a count and that many lists
  Steps,    ///< a count and that many steps of a convolution
};

struct Field {
  const char *token;
  Kind kind;
};

struct Format {
  StringRef type;
  std::vector<Field> fields;
};
} // namespace

static const Format kFormats[] = {
    {"Distribute", {{"<Pairs>", Kind::Pairs}}},
    {"StatisticsExtraction",
     {{"<ForwardIndexes>", Kind::Pairs},
      {"<Counts>", Kind::Floats},
      {"<BackwardIndexes>", Kind::Ints}}},
    {"StatisticsPooling",
     {{"<ForwardIndexes>", Kind::Pairs}, {"<BackwardIndexes>", Kind::Pairs}}},
    {"BackpropTruncation",
     {{"<Zeroing>", Kind::Floats}, {"<ZeroingSum>", Kind::Float}}},
    {"Tdnn", {{"<RowStride>", Kind::Int}, {"<RowOffsets>", Kind::Ints}}},
    {"GeneralDropout",
     {{"<NumMaskRows>", Kind::Int}, {"<Indexes>", Kind::Ints}}},
    {"SpecAugmentTimeMask", {{"<Indexes>", Kind::IntLists}}},
    {"TimeHeightConvolution",
     {{"<Computation>", Kind::None},
      {"<ConvComputation>", Kind::None},
      {"<NumFiltersInOut>", Kind::TwoInts},
      {"<HeightInOut>", Kind::TwoInts},
      {"<NumTInOut>", Kind::TwoInts},
      {"<NumImages>", Kind::Int},
      {"<TempRowsCols>", Kind::TwoInts},
      {"<NumSteps>", Kind::Steps},
      {"</ConvComputation>", Kind::None}}},
    {"RestrictedAttention",
     {{"<Io>", Kind::None},
      {"<ConvCompIo>", Kind::EightInts},
      {"</ConvCompIo>", Kind::None}}},
};

static constexpr StringRef kSuffix = "ComponentPrecomputedIndexes>";

namespace {
/// Reads or writes the values of one object in order.
class Values {
public:
  Values(RecordIo &io, std::vector<KaldiPrecomputedIndexes::Value> &values)
      : io(io), values(values) {}

  void field(const Field &field);

private:
  /// Returns the next value.
  template <typename T> T &next() {
    if (io.isReading())
      values.emplace_back(T());
    return std::get<T>(values[position++]);
  }
  template <typename T> T &transfer() {
    T &value = next<T>();
    io.value(value);
    return value;
  }
  void ints(int count) {
    for (int i = 0; i < count; ++i)
      transfer<int32_t>();
  }
  void repeat(llvm::function_ref<void()> element);

  RecordIo &io;
  std::vector<KaldiPrecomputedIndexes::Value> &values;
  size_t position = 0;
};
} // namespace

/// Reads or writes a count and that many elements.
void Values::repeat(llvm::function_ref<void()> element) {
  int32_t count = transfer<int32_t>();
  for (int32_t i = 0; i < count && !io.hasFailed(); ++i)
    element();
}

void Values::field(const Field &field) {
  io.token(field.token);
  switch (field.kind) {
  case Kind::None:
    return;
  case Kind::Int:
    return ints(1);
  case Kind::TwoInts:
    return ints(2);
  case Kind::EightInts:
    return ints(8);
  case Kind::Float:
    transfer<float>();
    return;
  case Kind::Ints:
    transfer<std::vector<int32_t>>();
    return;
  case Kind::Pairs:
    transfer<IntPairs>();
    return;
  case Kind::Floats:
    transfer<std::vector<float>>();
    return;
  case Kind::IntLists:
    return repeat([&] { transfer<std::vector<int32_t>>(); });
  case Kind::Steps:
    return repeat([&] {
      for (const char *token : {"<TimeShift>", "<ParamsStartCol>"}) {
        io.token(token);
        ints(1);
      }
      io.token("<HeightMap>");
      transfer<std::vector<int32_t>>();
    });
  }
}

static const Format *findFormat(StringRef type) {
  for (const Format &format : kFormats)
    if (format.type == type)
      return &format;
  return nullptr;
}

/// Reads the opening token, which names the type.
static void readType(KaldiReader &reader, std::string &type) {
  std::string token;
  if (failed(reader.readToken(token)))
    return;
  StringRef name = token;
  if (name.consume_front("<") && name.consume_back(kSuffix) && findFormat(name))
    type = name.str();
  else
    (void)reader.fail("expects the indexes of a component, but got " +
                      quoteForMessage(token));
}

void nnet3::kaldi::transferPrecomputed(RecordIo &io,
                                       KaldiPrecomputedIndexes &indexes) {
  if (io.isReading())
    readType(io.getReader(), indexes.type);
  else
    io.token(("<" + indexes.type + kSuffix).str());
  const Format *format = findFormat(indexes.type);
  if (!format)
    return; // after an error
  Values values(io, indexes.values);
  for (const Field &field : format->fields)
    values.field(field);
  io.token(("</" + indexes.type + kSuffix).str());
  io.value(indexes.inputs);
  io.value(indexes.outputs);
  io.newline();
}
