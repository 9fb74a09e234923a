//===- CpuTarget.cpp - CPUs that code is generated for --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Target/Cpu/CpuTarget.h"
#include "InstructionSets.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"
#include "llvm/TargetParser/Host.h"

using namespace mlir;
using namespace mlir::nnet3;

static llvm::Triple getHost() {
  return llvm::Triple(llvm::sys::getDefaultTargetTriple());
}

/// Returns the features of the host CPU.
static std::string getHostFeatures() {
  std::string features;
  for (const auto &feature : llvm::sys::getHostCPUFeatures()) {
    if (!features.empty())
      features += ',';
    features += (feature.second ? '+' : '-');
    features += feature.first();
  }
  return features;
}

std::string mlir::nnet3::getTargetName(const llvm::Triple &triple) {
  const bool hasVendor = triple.getVendor() != llvm::Triple::UnknownVendor;
  if (hasVendor || !triple.isOSLinux())
    return llvm::Triple::normalize(triple.str());
  return (triple.getArchName() + "-" + triple.getOSAndEnvironmentName()).str();
}

/// Returns the error for a CPU without a supported vector instruction set.
static std::string getNoVectors(const CodeTarget &target) {
  return "CPU '" + target.cpu + "' of " + getTargetName(target.getTriple()) +
         " has no vectors that code is made for; --target=help lists what is "
         "supported";
}

FailureOr<CodeTarget> CodeTarget::get(StringRef triple, StringRef cpu,
                                      StringRef features, std::string &error) {
  CodeTarget result;
  result.triple = triple;
  result.features = features;
  const Architecture *architecture = findArchitecture(result.getTriple());
  const bool isDefault = architecture && (cpu == architecture->cpu ||
                                          (cpu.empty() && !triple.empty()));
  if (!cpu.empty())
    result.cpu = cpu;
  if (isDefault) {
    result.cpu = architecture->cpu;
    result.features = architecture->features;
    if (!result.features.empty() && !features.empty())
      result.features += ",";
    result.features += features;
  }
  auto machine = result.createMachine(error);
  if (!machine)
    return failure();
  if (!findVectors(*machine->getMCSubtargetInfo())) {
    error = getNoVectors(result);
    return failure();
  }
  return result;
}

std::vector<CodeTarget> CodeTarget::getVariants(StringRef triple,
                                                kernel::Precision precision) {
  std::vector<CodeTarget> result;
  CodeTarget target;
  target.triple = triple;
  target.panelColumns = kVariantColumns;
  for (const CpuVariant &variant : getCpuVariants())
    if (variant.arch == target.getTriple().getArch() &&
        (!variant.precision || *variant.precision == precision)) {
      target.cpu = variant.cpu;
      target.features = variant.features;
      result.push_back(target);
    }
  return result;
}

/// Completes the triple from the table: adds a system to an architecture, and
/// an environment to Linux.
llvm::Triple CodeTarget::getTriple() const {
  if (triple.empty())
    return getHost();
  llvm::Triple result(llvm::Triple::normalize(triple));
  const Architecture *architecture = findArchitecture(result);
  if (!architecture)
    return result;
  const llvm::Triple usual(llvm::Triple::normalize(architecture->triple));
  if (!StringRef(triple).contains('-'))
    result.setOS(usual.getOS());
  if (result.isOSLinux() && !result.hasEnvironment())
    result.setEnvironment(usual.getEnvironment());
  return llvm::Triple(llvm::Triple::normalize(result.str()));
}

std::unique_ptr<llvm::TargetMachine>
CodeTarget::createMachine(std::string &error) const {
  const llvm::Triple triple = getTriple();
  const bool native = cpu == "native";
  const Architecture *architecture = findArchitecture(triple);
  if (native && architecture && triple.getArch() != getHost().getArch()) {
    error =
        "CPU 'native' is this machine's, and none of " + getTargetName(triple);
    return nullptr;
  }
  const std::string name = native ? llvm::sys::getHostCPUName().str() : cpu;
  if (!describeCpu(triple, name, features, error))
    return nullptr;
  std::string all = native ? getHostFeatures() : "";
  if (!all.empty() && !features.empty())
    all += ',';
  all = getAllFeatures(triple, name, all + features);
  std::unique_ptr<llvm::MCSubtargetInfo> info(
      getBackend(triple)->createMCSubtargetInfo(triple, name, all));
  const VectorSet *vectors = findVectors(*info);
  if (vectors && *vectors->tuning)
    all += (all.empty() ? "" : ",") + std::string(vectors->tuning);
  llvm::TargetOptions options;
  // Kernels request fused multiply-adds explicitly, so LLVM need not form more.
  options.AllowFPOpFusion = llvm::FPOpFusion::Standard;
  return std::unique_ptr<llvm::TargetMachine>(
      getBackend(triple)->createTargetMachine(
          triple, name, all, options, architecture->relocation, std::nullopt,
          isOptimized ? llvm::CodeGenOptLevel::Aggressive
                      : llvm::CodeGenOptLevel::None));
}

/// Creates the target attribute for a CPU with `vectors` and panels of
/// `panelColumns` columns. `has` tells whether the CPU has an instruction set
/// of the other tables.
template <typename Predicate>
static kernel::TargetAttr makeTarget(MLIRContext *context,
                                     const VectorSet &vectors,
                                     int64_t panelColumns, Predicate has) {
  SmallVector<Attribute> dotProducts;
  for (const DotProductSet &set : getDotProductSets())
    if (set.isFor(vectors) && has(set))
      dotProducts.push_back(kernel::DotProductAttr::get(
          context, set.elements, set.group, set.isFirstUnsigned,
          vectors.hasLaneIntrinsics(),
          vectors.hasLaneIntrinsics() ? set.laneIntrinsic : set.intrinsic,
          set.name));
  kernel::LaneIntrinsicsAttr lanes;
  if (vectors.hasLaneIntrinsics())
    lanes = kernel::LaneIntrinsicsAttr::get(context, vectors.laneCopy,
                                            vectors.laneFma);
  StringAttr pairProducts;
  for (const PairProductSet &set : getPairProductSets())
    if (set.condition.arch == vectors.condition.arch &&
        set.vectorBits == vectors.vectorBits && has(set))
      pairProducts = StringAttr::get(context, set.intrinsic);
  return kernel::TargetAttr::get(
      context, vectors.vectorBits, vectors.vectorRegisters, vectors.hasFma,
      vectors.l2Bytes,
      dotProducts.empty() ? ArrayAttr() : ArrayAttr::get(context, dotProducts),
      vectors.rowLanes, panelColumns, vectors.scalableBits, lanes,
      vectors.hasWideProducts, pairProducts,
      llvm::any_of(getHalfConversions(), has), /*threads=*/1);
}

FailureOr<kernel::TargetAttr>
CodeTarget::getAttribute(MLIRContext *context, std::string &error) const {
  auto machine = createMachine(error);
  if (!machine)
    return failure();
  const llvm::MCSubtargetInfo &info = *machine->getMCSubtargetInfo();
  if (const VectorSet *vectors = findVectors(info))
    return makeTarget(context, *vectors, panelColumns, [&](const auto &set) {
      return meets(info, set.condition);
    });
  error = getNoVectors(*this);
  return failure();
}

bool CodeTarget::isThisMachine() const {
  const llvm::Triple host = getHost(), triple = getTriple();
  return triple.getArch() == host.getArch() && triple.getOS() == host.getOS() &&
         triple.getEnvironment() == host.getEnvironment();
}

TargetConventions CodeTarget::getConventions() const {
  std::string error;
  auto machine = createMachine(error);
  const VectorSet *vectors =
      machine ? findVectors(*machine->getMCSubtargetInfo()) : nullptr;
  if (!vectors)
    return {};
  const Architecture *architecture = findArchitecture(getTriple());
  return {architecture->conventions.extendsIntegers,
          architecture->conventions.requiresFma && vectors->hasFma,
          architecture->conventions.roundsVectors};
}

/// Returns true if `module` has packed weights of this precision.
static bool hasWeights(ModuleOp module, Precision precision) {
  auto resources = kernel::ResourcesOp::find(module);
  return resources &&
         llvm::any_of(resources.getLayout().getAsRange<kernel::PackedAttr>(),
                      [&](kernel::PackedAttr part) {
                        return part.getPrecision() == precision;
                      });
}

bool mlir::nnet3::convertsHalves(ModuleOp module) {
  auto target = module->getAttrOfType<kernel::TargetAttr>(kernel::kTargetAttr);
  return target && target.getConvertsHalves() &&
         hasWeights(module, Precision::FP16);
}

SmallVector<kernel::DotProductAttr>
mlir::nnet3::getDotProducts(ModuleOp module) {
  auto target = module->getAttrOfType<kernel::TargetAttr>(kernel::kTargetAttr);
  SmallVector<kernel::DotProductAttr> used;
  if (!target)
    return used;
  for (Precision precision :
       {Precision::Int8, Precision::BF16, Precision::Int16}) {
    kernel::DotProductAttr instruction = target.getDotProduct(precision);
    if (instruction && hasWeights(module, precision))
      used.push_back(instruction);
  }
  return used;
}

std::vector<std::string> CodeTarget::getRequirements() const {
  std::string error;
  auto machine = createMachine(error);
  std::vector<std::string> names;
  auto add = [&](auto sets) {
    auto found = llvm::find_if(sets, [&](const auto &set) {
      return meets(*machine->getMCSubtargetInfo(), set.condition);
    });
    if (found != sets.end())
      names.push_back(found->name);
  };
  if (machine) {
    add(getCpuLevels());
    add(getVectorSets());
  }
  return names;
}

FailureOr<kernel::TargetAttr>
mlir::nnet3::getTarget(MLIRContext *context,
                       ArrayRef<std::string> instructionSets,
                       std::string &error) {
  const VectorSet *vectors = nullptr;
  for (const std::string &name : instructionSets) {
    auto isNamed = [&](const auto &set) { return set.name == name; };
    const VectorSet *found = llvm::find_if(getVectorSets(), isNamed);
    if (found != getVectorSets().end())
      vectors = found;
    else if (llvm::none_of(getDotProductSets(), isNamed) &&
             llvm::none_of(getPairProductSets(), isNamed) &&
             llvm::none_of(getHalfConversions(), isNamed)) {
      error = "unknown instruction set '" + name + "'";
      return failure();
    }
  }
  if (!vectors) {
    error = "expects an instruction set with vectors";
    return failure();
  }
  return makeTarget(context, *vectors, /*panelColumns=*/0,
                    [&](const auto &set) {
                      return llvm::is_contained(instructionSets, set.name);
                    });
}
