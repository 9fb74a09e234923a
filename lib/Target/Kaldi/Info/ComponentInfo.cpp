//===- ComponentInfo.cpp - Info text of components ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "InfoWriter.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::nnet3;

//===----------------------------------------------------------------------===//
// Components with neither weights nor statistics
//===----------------------------------------------------------------------===//

static void describeDims(InfoWriter &writer) { writer.dims(); }

static void describeNormalize(InfoWriter &writer) {
  writer.dims().fields({"target-rms", "add-log-stddev"});
  if (writer.getInt("block_dim") != writer.getInt("input_dim"))
    writer.field("block-dim");
}

static void describeDropout(InfoWriter &writer) {
  writer.type().fields({"dim", "dropout-proportion", "dropout-per-frame"});
}

static void writeContinuous(InfoWriter &writer) {
  if (writer.getBool("continuous"))
    writer.field("continuous");
}

static void describeDropoutMask(InfoWriter &writer) {
  writer.type().fields({"output-dim", "dropout-proportion"});
  writeContinuous(writer);
}

static void describeGeneralDropout(InfoWriter &writer) {
  writer.type().fields({"dim", "block-dim", "dropout-proportion"});
  writeContinuous(writer);
  if (writer.getReal("specaugment_max_proportion") != 0)
    writer.fields({"specaugment-max-proportion", "specaugment-max-regions"});
  writer.fieldUnless(0, "time-period");
}

static void describeTimeMask(InfoWriter &writer) {
  writer.type().fields({"dim", "zeroed-proportion", "time-mask-max-frames"});
}

static void describeNoOp(InfoWriter &writer) {
  writer.type().field("dim").fieldUnless(1, "backprop-scale");
}

static void describeSumBlock(InfoWriter &writer) {
  writer.dims().field("scale");
}

/// Shows the first columns.
static void describePermute(InfoWriter &writer) {
  constexpr size_t most = 5;
  ArrayRef<int64_t> map = writer.getList("column_map");
  raw_ostream &os = writer.type().getStream();
  os << ", dim=" << map.size() << " , column-map=[ ";
  for (int64_t column : map.take_front(most))
    os << column << ' ';
  os << (map.size() > most ? "... ]" : "]");
}

static void describeMaxpooling(InfoWriter &writer) {
  writer.type().fields({"input-x-dim", "input-y-dim", "input-z-dim",
                        "pool-x-size", "pool-y-size", "pool-z-size",
                        "pool-x-step", "pool-y-step", "pool-z-step"});
}

DescribeFn mlir::nnet3::findPlainInfo(StringRef type) {
  return llvm::StringSwitch<DescribeFn>(type)
      .Case("Normalize", describeNormalize)
      .Case("Dropout", describeDropout)
      .Case("DropoutMask", describeDropoutMask)
      .Case("GeneralDropout", describeGeneralDropout)
      .Case("SpecAugmentTimeMask", describeTimeMask)
      .Case("NoOp", describeNoOp)
      .Case("SumBlock", describeSumBlock)
      .Case("Permute", describePermute)
      .Case("Maxpooling", describeMaxpooling)
      .Default(describeDims);
}

//===----------------------------------------------------------------------===//
// All components
//===----------------------------------------------------------------------===//

/// Writes the info text of the parts of a composite component.
static LogicalResult writePartsInfo(ComponentOpInterface component,
                                    raw_ostream &os, int32_t verbose) {
  os << component.getKaldiType();
  auto parts = component->getRegion(0).getOps<ComponentOpInterface>();
  for (auto [number, part] : llvm::enumerate(parts)) {
    os << (number > 0 ? ", " : " ") << "sub-component" << number + 1 << " = { ";
    if (failed(writeComponentInfo(part, os, verbose)))
      return failure();
    os << " }";
  }
  return success();
}

LogicalResult mlir::nnet3::writeComponentInfo(ComponentOpInterface component,
                                              raw_ostream &os,
                                              int32_t verbose) {
  if (component->getNumRegions() > 0)
    return writePartsInfo(component, os, verbose);
  StringRef type = component.getKaldiType();
  type.consume_back("Component");
  InfoWriter writer(component, os, verbose);
  for (auto find : {findWeightInfo, findStatisticsInfo, findPlainInfo})
    if (DescribeFn describe = find(type)) {
      describe(writer);
      break;
    }
  return success(writer.isComplete());
}
