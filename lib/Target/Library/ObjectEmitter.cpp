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
#include "llvm/CodeGen/TargetLowering.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace mlir::nnet3;

static void optimize(llvm::Module &module, llvm::TargetMachine &machine) {
  if (machine.getOptLevel() == llvm::CodeGenOptLevel::None)
    return;
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PipelineTuningOptions tuning;
  // CPUs that execute instructions in order load far ahead in unrolled loops,
  // and the registers are full as it is.
  tuning.LoopUnrolling =
      machine.getMCSubtargetInfo()->getSchedModel().isOutOfOrder();
  llvm::PassBuilder builder(&machine, tuning);
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

/// Fails with an error if the CPU of `target` lacks an instruction for dot
/// products or conversions that `module` uses.
static LogicalResult checkInstructions(ModuleOp module,
                                       const CodeTarget &target) {
  SmallVector<kernel::DotProductAttr> used = getDotProducts(module);
  const bool converts = convertsHalves(module);
  if (used.empty() && !converts)
    return success();
  std::string error;
  auto attribute = target.getAttribute(module.getContext(), error);
  if (failed(attribute))
    return module.emitError(error);
  for (kernel::DotProductAttr instruction : used)
    if (attribute->getDotProduct(instruction.getElements()) != instruction)
      return module.emitError("needs the instructions ")
             << instruction.getFeature() << ", which CPU '" << target.cpu
             << "' does not have";
  if (converts && !attribute->getConvertsHalves())
    return module.emitError("needs instructions that convert fp16, which CPU '")
           << target.cpu << "' does not have";
  return success();
}

/// As the C compiler of such targets marks integers of 32 bits.
static void extendIntegers(llvm::Module &module) {
  for (llvm::Function &function : module) {
    if (function.isIntrinsic())
      continue;
    if (function.getReturnType()->isIntegerTy(32))
      function.addRetAttr(llvm::Attribute::SExt);
    for (llvm::Argument &argument : function.args())
      if (argument.getType()->isIntegerTy(32))
        argument.addAttr(llvm::Attribute::SExt);
  }
}

/// The same sums of products under another intrinsic.
static void replaceIntrinsic(llvm::Module &module, llvm::Intrinsic::ID from,
                             llvm::Intrinsic::ID to) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
          call && call->getIntrinsicID() == from)
        call->setCalledFunction(llvm::Intrinsic::getOrInsertDeclaration(
            &module, to, {call->getType()}));
}

/// Whether LLVM makes an instruction of `llvm.fma` on vectors. Otherwise it
/// calls a function for each number, also where there is an instruction that
/// may round the product.
static bool hasFma(const llvm::Module &module, llvm::TargetMachine &machine) {
  for (const llvm::Function &function : module)
    if (!function.isDeclaration())
      return machine.getSubtargetImpl(function)
          ->getTargetLowering()
          ->isOperationLegalOrCustom(llvm::ISD::FMA, llvm::MVT::v4f32);
  return true;
}

/// The same integers: vectors are of whole numbers when they become integers,
/// in the approximation of exp.
static void roundVectors(llvm::Module &module) {
  SmallVector<llvm::FPToSIInst *> conversions;
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *conversion = llvm::dyn_cast<llvm::FPToSIInst>(&instruction);
          conversion && conversion->getType()->isVectorTy())
        conversions.push_back(conversion);
  for (llvm::FPToSIInst *conversion : conversions) {
    llvm::IRBuilder<> builder(conversion);
    conversion->replaceAllUsesWith(builder.CreateIntrinsic(
        llvm::Intrinsic::lrint, {conversion->getType(), conversion->getSrcTy()},
        {conversion->getOperand(0)}));
    conversion->eraseFromParent();
  }
}

FailureOr<SmallVector<char>>
mlir::nnet3::emitCode(ModuleOp module, const CodeTarget &target, CodeForm form,
                      llvm::function_ref<void(llvm::Module &)> complete) {
  if (failed(checkInstructions(module, target)))
    return failure();
  std::string error;
  auto machine = target.createMachine(error);
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
  const TargetConventions conventions = target.getConventions();
  if (conventions.extendsIntegers)
    extendIntegers(*code);
  if (conventions.requiresFma)
    replaceIntrinsic(*code, llvm::Intrinsic::fmuladd, llvm::Intrinsic::fma);
  else if (!hasFma(*code, *machine))
    replaceIntrinsic(*code, llvm::Intrinsic::fma, llvm::Intrinsic::fmuladd);
  if (conventions.roundsVectors)
    roundVectors(*code);
  optimize(*code, *machine);
  return print(*code, *machine, form);
}
