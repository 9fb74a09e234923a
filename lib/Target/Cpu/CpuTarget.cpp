//===- CpuTarget.cpp - CPUs that code is generated for --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Target/Cpu/CpuTarget.h"
#include "InstructionSets.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"
#include "llvm/TargetParser/Host.h"

#include <mutex>

using namespace mlir;
using namespace mlir::nnet3;

/// LLVM keeps its targets for the whole process.
static void initializeTargets() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
  });
}

/// The features of the machine that this runs on.
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

std::unique_ptr<llvm::TargetMachine>
CodeTarget::createMachine(std::string &error) const {
  initializeTargets();
  const bool native = cpu == "native";
  llvm::Triple triple(llvm::sys::getDefaultTargetTriple());
  const llvm::Target *backend =
      llvm::TargetRegistry::lookupTarget(triple, error);
  if (!backend)
    return nullptr;
  std::string name = native ? llvm::sys::getHostCPUName().str() : cpu;
  llvm::TargetOptions options;
  // Products and sums become one instruction anyway: kernels ask for it.
  options.AllowFPOpFusion = llvm::FPOpFusion::Standard;
  // A target machine would print warnings about the name.
  std::unique_ptr<llvm::MCSubtargetInfo> any(
      backend->createMCSubtargetInfo(triple, /*CPU=*/"", /*Features=*/""));
  if (!any || !any->isCPUStringValid(name)) {
    error = "unknown CPU '" + name + "'";
    return nullptr;
  }
  return std::unique_ptr<llvm::TargetMachine>(backend->createTargetMachine(
      triple, name, native ? getHostFeatures() : "", options, llvm::Reloc::PIC_,
      std::nullopt,
      isOptimized ? llvm::CodeGenOptLevel::Aggressive
                  : llvm::CodeGenOptLevel::None));
}

/// Whether the CPU of `machine` meets a condition.
static bool meets(const llvm::TargetMachine &machine,
                  const CpuCondition &condition) {
  return machine.getTargetTriple().getArch() == condition.arch &&
         machine.getMCSubtargetInfo()->checkFeatures(condition.features);
}

/// The attribute of `vectors` and those instructions for dot products that
/// `has` accepts.
static kernel::TargetAttr
makeTarget(MLIRContext *context, const VectorSet &vectors,
           llvm::function_ref<bool(const DotProductSet &)> has) {
  SmallVector<Attribute> dotProducts;
  for (const DotProductSet &set : getDotProductSets())
    if (set.condition.arch == vectors.condition.arch &&
        set.vectorBits == vectors.vectorBits && has(set))
      dotProducts.push_back(kernel::DotProductAttr::get(
          context, set.elements, set.group, set.isFirstUnsigned, set.intrinsic,
          set.name));
  return kernel::TargetAttr::get(
      context, vectors.vectorBits, vectors.vectorRegisters, vectors.hasFma,
      vectors.l2Bytes,
      dotProducts.empty() ? ArrayAttr() : ArrayAttr::get(context, dotProducts));
}

FailureOr<kernel::TargetAttr>
CodeTarget::getAttribute(MLIRContext *context, std::string &error) const {
  auto machine = createMachine(error);
  if (!machine)
    return failure();
  for (const VectorSet &set : getVectorSets())
    if (meets(*machine, set.condition))
      return makeTarget(context, set, [&](const DotProductSet &dotProduct) {
        return meets(*machine, dotProduct.condition);
      });
  error = "no vectors are known for CPU '" + cpu + "'";
  return failure();
}

kernel::DotProductAttr mlir::nnet3::getDotProduct(ModuleOp module) {
  auto target = module->getAttrOfType<kernel::TargetAttr>(kernel::kTargetAttr);
  auto resources = kernel::ResourcesOp::find(module);
  return target && resources ? target.getDotProduct(resources.getPrecision())
                             : kernel::DotProductAttr();
}

std::vector<std::string> CodeTarget::getRequirements() const {
  std::string error;
  auto machine = createMachine(error);
  std::vector<std::string> names;
  auto add = [&](auto sets) {
    auto found = llvm::find_if(
        sets, [&](const auto &set) { return meets(*machine, set.condition); });
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
    else if (llvm::none_of(getDotProductSets(), isNamed)) {
      error = "unknown instruction set '" + name + "'";
      return failure();
    }
  }
  if (!vectors) {
    error = "expects an instruction set with vectors";
    return failure();
  }
  return makeTarget(context, *vectors, [&](const DotProductSet &set) {
    return llvm::is_contained(instructionSets, set.name);
  });
}
