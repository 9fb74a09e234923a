//===- ObjectEmitter.cpp - Machine code of a module -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Target/Library/ObjectEmitter.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
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

static std::unique_ptr<llvm::TargetMachine>
createMachine(const CodeTarget &target, std::string &error) {
  initializeTargets();
  const bool native = target.cpu == "native";
  llvm::Triple triple(llvm::sys::getDefaultTargetTriple());
  const llvm::Target *backend =
      llvm::TargetRegistry::lookupTarget(triple, error);
  if (!backend)
    return nullptr;
  std::string cpu = native ? llvm::sys::getHostCPUName().str() : target.cpu;
  llvm::TargetOptions options;
  // Products and sums become one instruction anyway: kernels ask for it.
  options.AllowFPOpFusion = llvm::FPOpFusion::Standard;
  // A target machine would print warnings about the name.
  std::unique_ptr<llvm::MCSubtargetInfo> any(
      backend->createMCSubtargetInfo(triple, /*CPU=*/"", /*Features=*/""));
  if (!any || !any->isCPUStringValid(cpu)) {
    error = "unknown CPU '" + cpu + "'";
    return nullptr;
  }
  return std::unique_ptr<llvm::TargetMachine>(backend->createTargetMachine(
      triple, cpu, native ? getHostFeatures() : "", options, llvm::Reloc::PIC_,
      std::nullopt,
      target.isOptimized ? llvm::CodeGenOptLevel::Aggressive
                         : llvm::CodeGenOptLevel::None));
}

FailureOr<CodeTarget::Vectors>
CodeTarget::getVectors(std::string &error) const {
  auto machine = createMachine(*this, error);
  if (!machine)
    return failure();
  const llvm::MCSubtargetInfo &info = *machine->getMCSubtargetInfo();
  if (info.checkFeatures("+avx512f"))
    return Vectors{16, 32, info.checkFeatures("+avx512bf16"),
                   info.checkFeatures("+avx512vnni")};
  if (info.checkFeatures("+avx"))
    return Vectors{8, 16, false, info.checkFeatures("+avxvnni")};
  return Vectors{4, 16};
}

unsigned CodeTarget::getLevel() const {
  std::string error;
  auto machine = createMachine(*this, error);
  if (!machine || !machine->getTargetTriple().isX86_64())
    return 0;
  const llvm::MCSubtargetInfo &info = *machine->getMCSubtargetInfo();
  if (info.checkFeatures("+avx512f,+avx512bw,+avx512cd,+avx512dq,+avx512vl"))
    return 4;
  if (info.checkFeatures("+avx2,+bmi,+bmi2,+f16c,+fma,+lzcnt,+movbe"))
    return 3;
  return info.checkFeatures("+sse4.2,+popcnt") ? 2 : 1;
}

static void optimize(llvm::Module &module, llvm::TargetMachine &machine) {
  if (machine.getOptLevel() == llvm::CodeGenOptLevel::None)
    return;
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3)
      .run(module, modules);
}

static FailureOr<SmallVector<char>>
print(llvm::Module &module, llvm::TargetMachine &machine, CodeForm form) {
  SmallVector<char> code;
  llvm::raw_svector_ostream os(code);
  if (form == CodeForm::LLVM) {
    module.print(os, nullptr);
    return code;
  }
  llvm::legacy::PassManager passes;
  auto type = form == CodeForm::Object ? llvm::CodeGenFileType::ObjectFile
                                       : llvm::CodeGenFileType::AssemblyFile;
  if (machine.addPassesToEmitFile(passes, os, nullptr, type))
    return failure();
  passes.run(module);
  return code;
}

/// `module` without networks and requests.
static OwningOpRef<ModuleOp> copyFunctions(ModuleOp module) {
  OwningOpRef<ModuleOp> result = ModuleOp::create(module.getLoc());
  OpBuilder builder = OpBuilder::atBlockEnd(result->getBody());
  for (Operation &op : *module.getBody())
    if (isa<LLVM::LLVMDialect>(op.getDialect()))
      builder.clone(op);
  return result;
}

FailureOr<SmallVector<char>>
mlir::nnet3::emitCode(ModuleOp module, const CodeTarget &target, CodeForm form,
                      llvm::function_ref<void(llvm::Module &)> complete) {
  std::string error;
  auto machine = createMachine(target, error);
  if (!machine)
    return module.emitError(error);
  DialectRegistry registry;
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  module->getContext()->appendDialectRegistry(registry);
  llvm::LLVMContext context;
  OwningOpRef<ModuleOp> functions = copyFunctions(module);
  std::unique_ptr<llvm::Module> code =
      mlir::translateModuleToLLVMIR(*functions, context);
  if (!code)
    return module.emitError("cannot be translated to LLVM");
  // Vectors are only used where the target is known before the optimisations.
  code->setTargetTriple(machine->getTargetTriple());
  code->setDataLayout(machine->createDataLayout());
  for (llvm::Function &function : *code) {
    function.addFnAttr("target-cpu", machine->getTargetCPU());
    function.addFnAttr("target-features", machine->getTargetFeatureString());
    function.addFnAttr("prefer-vector-width", "512");
  }
  if (complete)
    complete(*code);
  optimize(*code, *machine);
  return print(*code, *machine, form);
}
