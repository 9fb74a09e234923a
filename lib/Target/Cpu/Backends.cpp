//===- Backends.cpp - LLVM targets of the table ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "InstructionSets.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/TargetParser/AArch64TargetParser.h"
#include "llvm/TargetParser/ARMTargetParser.h"

#include <mutex>

using namespace mlir::nnet3;
using llvm::StringRef;

#define NNET3_BACKENDS(X) X(X86) X(AArch64) X(RISCV) X(ARM) X(WebAssembly)

extern "C" {
#define NNET3_DECLARE(name)                                                    \
  void LLVMInitialize##name##TargetInfo();                                     \
  void LLVMInitialize##name##Target();                                         \
  void LLVMInitialize##name##TargetMC();                                       \
  void LLVMInitialize##name##AsmPrinter();
NNET3_BACKENDS(NNET3_DECLARE)
}

/// LLVM's targets are global to the process.
static void initializeBackends() {
  static std::once_flag once;
  std::call_once(once, [] {
#define NNET3_INITIALIZE(name)                                                 \
  LLVMInitialize##name##TargetInfo();                                          \
  LLVMInitialize##name##Target();                                              \
  LLVMInitialize##name##TargetMC();                                            \
  LLVMInitialize##name##AsmPrinter();
    NNET3_BACKENDS(NNET3_INITIALIZE)
  });
}

const llvm::Target *mlir::nnet3::getBackend(const llvm::Triple &triple) {
  initializeBackends();
  std::string error;
  return llvm::TargetRegistry::lookupTarget(triple, error);
}

static bool hasCpu(const llvm::Triple &triple, StringRef cpu) {
  std::unique_ptr<llvm::MCSubtargetInfo> any(
      getBackend(triple)->createMCSubtargetInfo(triple, /*CPU=*/"",
                                                /*Features=*/""));
  return any->isCPUStringValid(cpu);
}

/// Returns the error for a CPU that `triple` does not have. Names other
/// architectures that have it.
static std::string getUnknownCpu(StringRef cpu) {
  std::string text = ("unknown CPU '" + cpu + "'").str();
  llvm::SmallVector<StringRef> others;
  for (const Architecture &architecture : getArchitectures())
    if (hasCpu(llvm::Triple(architecture.triple), cpu))
      others.push_back(architecture.triple);
  return text + (others.empty() ? "; --target=help lists what is supported"
                                : "; expects --target=" +
                                      llvm::join(others, " or --target="));
}

/// Returns LLVM's name of `feature`. For AArch64, `feature` may also be an
/// extension as in `-march=`.
static StringRef getFeatureName(const llvm::Triple &triple, StringRef feature) {
  if (!triple.isAArch64() || feature.size() < 2)
    return feature;
  StringRef name;
  if (feature.starts_with("+"))
    name = llvm::AArch64::getArchExtFeature(feature.drop_front());
  else if (feature.starts_with("-"))
    name =
        llvm::AArch64::getArchExtFeature(("no" + feature.drop_front()).str());
  return name.empty() ? feature : name;
}

/// Returns the first of `features` that LLVM does not know for the architecture
/// of `any`, or that has no sign.
static std::optional<StringRef>
findUnknownFeature(const llvm::MCSubtargetInfo &any, StringRef features) {
  for (StringRef feature : llvm::split(features, ',')) {
    StringRef name = getFeatureName(any.getTargetTriple(), feature);
    const bool isSigned = name.consume_front("+") || name.consume_front("-");
    if (!feature.empty() &&
        (!isSigned || llvm::none_of(any.getAllProcessorFeatures(),
                                    [&](const llvm::SubtargetFeatureKV &known) {
                                      return name == known.Key;
                                    })))
      return feature;
  }
  return std::nullopt;
}

std::string mlir::nnet3::getAllFeatures(const llvm::Triple &triple,
                                        StringRef cpu, StringRef features) {
  std::vector<StringRef> all;
  // In LLVM, CPUs of this architecture do not imply their floating-point unit.
  if (triple.getArch() == llvm::Triple::arm)
    llvm::ARM::getFPUFeatures(
        llvm::ARM::getDefaultFPU(cpu, llvm::ARM::parseCPUArch(cpu)), all);
  for (StringRef feature : llvm::split(features, ','))
    if (!feature.empty())
      all.push_back(getFeatureName(triple, feature));
  return llvm::join(all, ",");
}

std::unique_ptr<llvm::MCSubtargetInfo>
mlir::nnet3::describeCpu(const llvm::Triple &triple, StringRef cpu,
                         StringRef features, std::string &error) {
  const Architecture *architecture = findArchitecture(triple);
  const llvm::Target *backend = architecture ? getBackend(triple) : nullptr;
  if (!backend) {
    error = "cannot generate code for '" + getTargetName(triple) +
            "'; --target=help lists what is supported";
    return nullptr;
  }
  // LLVM would only print a warning for an unknown name.
  if (!hasCpu(triple, cpu)) {
    error = getUnknownCpu(cpu);
    return nullptr;
  }
  std::unique_ptr<llvm::MCSubtargetInfo> result(
      backend->createMCSubtargetInfo(triple, cpu, /*Features=*/""));
  if (auto unknown = findUnknownFeature(*result, features)) {
    const bool isSigned =
        unknown->starts_with("+") || unknown->starts_with("-");
    error = ("unknown feature '" + *unknown + "' of " + getTargetName(triple) +
             (isSigned ? "" : "; expects + or - before each"))
                .str();
    return nullptr;
  }
  result.reset(backend->createMCSubtargetInfo(
      triple, cpu, getAllFeatures(triple, cpu, features)));
  if (*architecture->required &&
      !result->checkFeatures(architecture->required)) {
    error = ("CPU '" + cpu + "' is none of " + getTargetName(triple)).str();
    return nullptr;
  }
  return result;
}

bool mlir::nnet3::meets(const llvm::MCSubtargetInfo &cpu,
                        const CpuCondition &condition) {
  return cpu.getTargetTriple().getArch() == condition.arch &&
         cpu.checkFeatures(condition.features);
}

const VectorSet *mlir::nnet3::findVectors(const llvm::MCSubtargetInfo &cpu) {
  auto sets = getVectorSets();
  const auto *found = llvm::find_if(
      sets, [&](const VectorSet &set) { return meets(cpu, set.condition); });
  return found == sets.end() ? nullptr : found;
}
