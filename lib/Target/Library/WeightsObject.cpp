//===- WeightsObject.cpp - An object file of weights ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Target/Library/WeightsObject.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace mlir::nnet3;

LogicalResult mlir::nnet3::emitWeightsObject(Location loc, StringRef symbol,
                                             ArrayRef<char> weights,
                                             const CodeTarget &target,
                                             llvm::raw_pwrite_stream &os) {
  std::string error;
  auto machine = target.createMachine(error);
  if (!machine)
    return emitError(loc) << error;
  llvm::LLVMContext context;
  llvm::Module module("weights", context);
  module.setTargetTriple(machine->getTargetTriple());
  module.setDataLayout(machine->createDataLayout());
  llvm::Constant *bytes = llvm::ConstantDataArray::getRaw(
      StringRef(weights.data(), weights.size()), weights.size(),
      llvm::Type::getInt8Ty(context));
  auto *global = new llvm::GlobalVariable(
      module, bytes->getType(), /*isConstant=*/true,
      llvm::GlobalValue::ExternalLinkage, bytes, symbol);
  global->setVisibility(llvm::GlobalValue::HiddenVisibility);
  global->setAlignment(llvm::Align(64));
  global->setSection(".rodata.nnet3_weights");
  llvm::legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, os, nullptr,
                                   llvm::CodeGenFileType::ObjectFile))
    return emitError(loc) << "cannot write an object file of the weights";
  passes.run(module);
  return success();
}
