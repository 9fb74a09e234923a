//===- ModuleAttributes.cpp - What is recorded in modules -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A schema of the discardable attributes: what each of them holds.
//
//===----------------------------------------------------------------------===//

#include "nnet3/Dialect/Nnet3/IR/ModuleAttributes.h"
#include "nnet3/Dialect/Nnet3/IR/Nnet3Dialect.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/StringExtras.h"

#include <limits>

using namespace mlir;
using namespace mlir::nnet3;

namespace {
enum class Kind {
  Number,
  Float,
  Bool,
  Text,
  Symbol,
  Numbers,
  Dictionary,
  Unit
};

/// What an attribute, or an entry of a dictionary, holds.
struct Schema {
  StringRef name;
  Kind kind = Kind::Number;
  bool isOptional = false;
  int64_t min = 0, max = std::numeric_limits<int64_t>::max(); ///< of a number
  ArrayRef<StringRef> texts = {}; ///< those that are allowed; empty: all
  ArrayRef<Schema> entries = {};  ///< of a dictionary
  bool isList = false;            ///< of such
};
} // namespace

static constexpr bool kOptional = true;
static constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
/// Threads of a block (CUDA's compute capabilities).
static constexpr int64_t kMaxThreads = 1024;
/// Random numbers have 30 bits for that of a command.
static constexpr int64_t kMaxDraw = (int64_t(1) << 30) - 1;

/// Outputs of a request, whose number libraries keep in 32 bits.
static constexpr int64_t kMaxOutputs = std::numeric_limits<int32_t>::max();

static const StringRef kStages[] = {"network",     "commands", "optimized",
                                    "fused",       "kernels",  "loops",
                                    "llvm-dialect"};
static const StringRef kTargets[] = {"cpu", "cuda"};
static const StringRef kPrecisions[] = {"f32", "bf16", "int8", "tf32", "fp16"};
static const StringRef kForms[] = {"fused", "apart"};
static const StringRef kParts[] = {"panels", "scales",    "sums",
                                   "bias",   "parameter", "vector"};
static const StringRef kStepKinds[] = {"objective", "precondition"};

static const Schema kPlacedMatrix[] = {
    {"cols"}, {"node", Kind::Text}, {"place"}, {"rows"}};
static const Schema kGradient[] = {{"component", Kind::Text},
                                   {"parameter", Kind::Text},
                                   {"place"},
                                   {"rows"},
                                   {"cols"}};
static const Schema kParameter[] = {
    {"component", Kind::Text}, {"parameter", Kind::Text}, {"place"}, {"size"}};
static const Schema kStatistic[] = {
    {"component", Kind::Text}, {"gradient", Kind::Bool}, {"place"}, {"size"}};
static const Schema kPackedPart[] = {
    {"component", Kind::Symbol},
    {"part", Kind::Text, !kOptional, 0, kMax, kParts},
    {"place"},
    {"number"},
    {"folded", Kind::Symbol, kOptional},
    {"precision", Kind::Text, kOptional, 0, kMax, kPrecisions},
    {"name", Kind::Text, kOptional},
    {"columns", Kind::Numbers, kOptional}};
static const Schema kRuntimeCall[] = {
    {"component", Kind::Symbol},
    {"input_rows"},
    {"output_rows"},
    {"precomputed", Kind::Dictionary, kOptional},
    {"draw", Kind::Number, kOptional, 0, kMaxDraw}};
static const Schema kProduct[] = {{"rows"},
                                  {"columns"},
                                  {"depth"},
                                  {"input_stride"},
                                  {"weights_stride"},
                                  {"output_stride"},
                                  {"batches"},
                                  {"input_batch"},
                                  {"output_batch"},
                                  {"epilogue"},
                                  {"beta", Kind::Float},
                                  {"factors", Kind::Number, kOptional},
                                  {"factor_type", Kind::Number, kOptional}};
static const Schema kStep[] = {
    {"kind", Kind::Text, !kOptional, 0, kMax, kStepKinds}};
/// A step with a component.
static const Schema kPrecondition[] = {{"component", Kind::Text},
                                       {"number"},
                                       {"rows"},
                                       {"columns"},
                                       {"stride"},
                                       {"two_sided", Kind::Bool},
                                       {"part", Kind::Number, kOptional}};

static Schema makeList(StringRef name, ArrayRef<Schema> entries) {
  return {name, Kind::Dictionary, false, 0, kMax, {}, entries, /*isList=*/true};
}
static Schema makeText(StringRef name, ArrayRef<StringRef> texts) {
  return {name, Kind::Text, false, 0, kMax, texts};
}

/// All attributes whose readers rely on what they hold.
static ArrayRef<Schema> getSchemas() {
  static const Schema schemas[] = {
      makeText(kStageAttr, kStages),
      makeText(kTargetAttr, kTargets),
      {kElidedWeightsAttr, Kind::Unit},
      makeText(kPrecisionAttr, kPrecisions),
      {"nnet3.packed_weights_size"},
      makeList("nnet3.packed_weights", kPackedPart),
      makeList("nnet3.runtime_calls", kRuntimeCall),
      {"nnet3.arena_size"},
      makeList("nnet3.inputs", kPlacedMatrix),
      makeList("nnet3.outputs", kPlacedMatrix),
      makeList("nnet3.gradients", kGradient),
      makeList("nnet3.parameters", kParameter),
      makeList("nnet3.statistics", kStatistic),
      {"nnet3.random"},
      {"nnet3.product", Kind::Dictionary, false, 0, kMax, {}, kProduct},
      {"nnet3.step", Kind::Dictionary, false, 0, kMax, {}, kStep},
      makeText("nnet3.form", kForms),
      {"nnet3.threads", Kind::Number, false, 1, kMaxThreads},
      {"nnet3.warps", Kind::Unit},
      {"nnet3.blocks", Kind::Number, false, 1},
      {"nnet3.draw", Kind::Number, false, 0, kMaxDraw},
      {"nnet3.min_outputs", Kind::Number, false, 1, kMaxOutputs}};
  return schemas;
}

using EmitError = function_ref<InFlightDiagnostic()>;

static LogicalResult verify(const Schema &schema, Attribute value,
                            EmitError emitError);

static LogicalResult verifyNumber(const Schema &schema, Attribute value,
                                  EmitError emitError) {
  auto number = dyn_cast<IntegerAttr>(value);
  if (!number || !number.getType().isInteger(64))
    return emitError() << "expects '" << schema.name
                       << "' to be a 64-bit integer, but got " << value;
  if (number.getInt() >= schema.min && number.getInt() <= schema.max)
    return success();
  InFlightDiagnostic error = emitError() << "expects '" << schema.name << "' ";
  if (schema.max == kMax)
    error << "of at least " << schema.min;
  else
    error << "from " << schema.min << " to " << schema.max;
  return error << ", but got " << number.getInt();
}

static LogicalResult verifyText(const Schema &schema, Attribute value,
                                EmitError emitError) {
  auto text = dyn_cast<StringAttr>(value);
  if (!text)
    return emitError() << "expects '" << schema.name
                       << "' to be a string, but got " << value;
  if (schema.texts.empty() || llvm::is_contained(schema.texts, text.getValue()))
    return success();
  return emitError() << "expects '" << schema.name << "' to be one of "
                     << llvm::join(schema.texts, ", ") << ", but got " << value;
}

static LogicalResult verifyDictionary(const Schema &schema, Attribute value,
                                      EmitError emitError) {
  auto dictionary = dyn_cast<DictionaryAttr>(value);
  if (!dictionary)
    return emitError() << "expects '" << schema.name
                       << "' to be a dictionary, but got " << value;
  for (const Schema &entry : schema.entries) {
    Attribute given = dictionary.get(entry.name);
    if (!given && entry.isOptional)
      continue;
    if (!given)
      return emitError() << "expects '" << schema.name << "' to have '"
                         << entry.name << "', but got " << value;
    if (failed(verify(entry, given, emitError)))
      return failure();
  }
  return success();
}

static LogicalResult verifyList(const Schema &schema, Attribute value,
                                EmitError emitError) {
  auto list = dyn_cast<ArrayAttr>(value);
  if (!list)
    return emitError() << "expects '" << schema.name
                       << "' to be a list, but got " << value;
  return success(llvm::all_of(list, [&](Attribute entry) {
    return succeeded(verifyDictionary(schema, entry, emitError));
  }));
}

/// Whether `value` is an attribute of type `T`, which is `what`.
template <typename T>
static LogicalResult verifyType(const Schema &schema, Attribute value,
                                StringRef what, EmitError emitError) {
  if (isa<T>(value))
    return success();
  return emitError() << "expects '" << schema.name << "' to be " << what
                     << ", but got " << value;
}

static LogicalResult verify(const Schema &schema, Attribute value,
                            EmitError emitError) {
  if (schema.isList)
    return verifyList(schema, value, emitError);
  switch (schema.kind) {
  case Kind::Number:
    return verifyNumber(schema, value, emitError);
  case Kind::Text:
    return verifyText(schema, value, emitError);
  case Kind::Dictionary:
    return verifyDictionary(schema, value, emitError);
  case Kind::Float:
    return verifyType<FloatAttr>(schema, value, "a float", emitError);
  case Kind::Bool:
    return verifyType<BoolAttr>(schema, value, "a bool", emitError);
  case Kind::Symbol:
    return verifyType<SymbolRefAttr>(schema, value, "a symbol", emitError);
  case Kind::Numbers:
    return verifyType<DenseI64ArrayAttr>(schema, value, "an array of i64",
                                         emitError);
  case Kind::Unit:
    return verifyType<UnitAttr>(schema, value, "a unit", emitError);
  }
  llvm_unreachable("unknown kind of attribute");
}

ArrayRef<StringRef> mlir::nnet3::getStageNames() { return kStages; }

/// What an attribute says of the others of `op`.
static LogicalResult verifyOthers(Operation *op, NamedAttribute attribute) {
  StringRef name = attribute.getName();
  auto value = dyn_cast<DictionaryAttr>(attribute.getValue());
  if (name == "nnet3.step" && value.contains("component")) {
    const Schema schema = {name, Kind::Dictionary, false, 0, kMax,
                           {},   kPrecondition};
    return verify(schema, value, [&] { return op->emitError(); });
  }
  if (name != "nnet3.arena_size")
    return success();
  if (!isa<FunctionOpInterface>(op))
    return op->emitOpError("expects '") << name << "' of a function only";
  for (StringRef other : {"nnet3.inputs", "nnet3.outputs"})
    if (!op->hasAttr(other))
      return op->emitOpError("with '") << name << "' expects '" << other << "'";
  return success();
}

LogicalResult Nnet3Dialect::verifyOperationAttribute(Operation *op,
                                                     NamedAttribute attribute) {
  const Schema *schema = llvm::find_if(getSchemas(), [&](const Schema &known) {
    return known.name == attribute.getName();
  });
  if (schema == getSchemas().end())
    return success();
  return success(succeeded(verify(*schema, attribute.getValue(),
                                  [&] { return op->emitError(); })) &&
                 succeeded(verifyOthers(op, attribute)));
}
