//===- EmulatedCode.cpp - Rewriting GPU code for the host -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "EmulatedCode.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir::nnet3::test;
using namespace llvm;

/// NVPTX's address space of shared memory.
static constexpr unsigned kSharedSpace = 3;

namespace {

class Rewriter {
public:
  explicit Rewriter(Module &module);

  Error rewrite(Function &function);

private:
  Error rewriteCall(CallInst &call);
  Error rewriteIndex(CallInst &call, StringRef name);
  Error rewriteShuffle(CallInst &call, StringRef name);
  void replace(CallInst &call, Value *value);
  /// Before `access` of a value of `type`.
  void addHook(Instruction &access, Value *pointer, Type *type, Align align,
               bool writes);

  Value *number(uint32_t value) { return builder.getInt32(value); }
  Error unknown(const Instruction &instruction) const;

  Module &module;
  IRBuilder<> builder;
  FunctionCallee index, barrier, shuffle, access;
  uint32_t numSites = 0;
};

} // namespace

Rewriter::Rewriter(Module &module)
    : module(module), builder(module.getContext()) {
  Type *none = builder.getVoidTy(), *i32 = builder.getInt32Ty();
  Type *pointer = builder.getPtrTy(), *i64 = builder.getInt64Ty();
  index = module.getOrInsertFunction(kIndexHook, i32, i32);
  // The same for as long as a thread runs.
  auto *function = cast<Function>(index.getCallee());
  function->setDoesNotAccessMemory();
  function->setDoesNotThrow();
  function->setWillReturn();
  barrier = module.getOrInsertFunction(kBarrierHook, none, i32);
  shuffle = module.getOrInsertFunction(kShuffleHook, i64, i32, i32, i32, i32,
                                       i32, i32);
  access =
      module.getOrInsertFunction(kAccessHook, none, pointer, i32, i32, i32);
}

Error Rewriter::unknown(const Instruction &instruction) const {
  std::string text;
  raw_string_ostream(text) << instruction;
  return createStringError("the emulation does not know " + text);
}

void Rewriter::replace(CallInst &call, Value *value) {
  call.replaceAllUsesWith(value);
  call.eraseFromParent();
}

/// Rewrites a read of a register such as tid.x.
Error Rewriter::rewriteIndex(CallInst &call, StringRef name) {
  auto [what, axis] = name.split('.');
  const int group = StringSwitch<int>(what)
                        .Case("tid", 0)
                        .Case("ntid", 3)
                        .Case("ctaid", 6)
                        .Case("nctaid", 9)
                        .Default(-1);
  if (group < 0 || axis.size() != 1 || axis[0] < 'x' || axis[0] > 'z')
    return unknown(call);
  CallInst *result = builder.CreateCall(index, number(group + (axis[0] - 'x')));
  // What the backend is told about the range holds here, too.
  if (call.hasRetAttr(Attribute::Range))
    result->addRetAttr(call.getRetAttr(Attribute::Range));
  replace(call, result);
  return Error::success();
}

/// Rewrites a shuffle such as bfly.f32p; the operands are the mask, the value,
/// b and c.
Error Rewriter::rewriteShuffle(CallInst &call, StringRef name) {
  auto [modeName, typeName] = name.split('.');
  const bool hasPredicate = typeName.consume_back("p");
  const auto mode = StringSwitch<std::optional<ShuffleMode>>(modeName)
                        .Case("up", ShuffleMode::Up)
                        .Case("down", ShuffleMode::Down)
                        .Case("bfly", ShuffleMode::Bfly)
                        .Case("idx", ShuffleMode::Idx)
                        .Default(std::nullopt);
  if (!mode || (typeName != "f32" && typeName != "i32"))
    return unknown(call);
  Type *type = call.getArgOperand(1)->getType();
  Value *bits =
      builder.CreateBitCast(call.getArgOperand(1), builder.getInt32Ty());
  Value *both = builder.CreateCall(
      shuffle,
      {number(++numSites), number(uint32_t(*mode)), call.getArgOperand(0), bits,
       call.getArgOperand(2), call.getArgOperand(3)});
  Value *result = builder.CreateBitCast(
      builder.CreateTrunc(both, builder.getInt32Ty()), type);
  if (hasPredicate) {
    Value *predicate =
        builder.CreateTrunc(builder.CreateLShr(both, 32), builder.getInt1Ty());
    Value *pair = PoisonValue::get(call.getType());
    pair = builder.CreateInsertValue(pair, result, 0);
    result = builder.CreateInsertValue(pair, predicate, 1);
  }
  replace(call, result);
  return Error::success();
}

Error Rewriter::rewriteCall(CallInst &call) {
  Function *callee = call.getCalledFunction();
  if (!callee || (callee->isDeclaration() && !callee->isIntrinsic()))
    return unknown(call);
  builder.SetInsertPoint(&call);
  StringRef name = callee->getName();
  if (name.consume_front("llvm.nvvm.read.ptx.sreg."))
    return rewriteIndex(call, name);
  if (name.consume_front("llvm.nvvm.shfl.sync."))
    return rewriteShuffle(call, name);
  if (name == "llvm.nvvm.barrier.cta.sync.aligned.all" &&
      match(call.getArgOperand(0), PatternMatch::m_Zero())) {
    builder.CreateCall(barrier, number(++numSites));
    call.eraseFromParent();
    return Error::success();
  }
  if (name == "llvm.nvvm.bar.warp.sync") {
    builder.CreateCall(
        shuffle, {number(++numSites), number(uint32_t(ShuffleMode::Barrier)),
                  call.getArgOperand(0), number(0), number(0), number(0)});
    call.eraseFromParent();
    return Error::success();
  }
  // What is left of intrinsics computes, as it does on any machine.
  if (name.starts_with("llvm.nvvm.") ||
      (callee->isIntrinsic() && !callee->doesNotAccessMemory() &&
       !isa<AssumeInst>(call)))
    return unknown(call);
  return Error::success();
}

void Rewriter::addHook(Instruction &instruction, Value *pointer, Type *type,
                       Align align, bool writes) {
  if (isa<AllocaInst>(getUnderlyingObject(pointer)))
    return;
  builder.SetInsertPoint(&instruction);
  const uint64_t bytes = module.getDataLayout().getTypeStoreSize(type);
  builder.CreateCall(access,
                     {builder.CreateAddrSpaceCast(pointer, builder.getPtrTy()),
                      number(bytes), number(align.value()), number(writes)});
}

Error Rewriter::rewrite(Function &function) {
  for (Instruction &instruction :
       make_early_inc_range(instructions(function))) {
    if (auto *load = dyn_cast<LoadInst>(&instruction)) {
      addHook(*load, load->getPointerOperand(), load->getType(),
              load->getAlign(), /*writes=*/false);
    } else if (auto *store = dyn_cast<StoreInst>(&instruction)) {
      addHook(*store, store->getPointerOperand(),
              store->getValueOperand()->getType(), store->getAlign(),
              /*writes=*/true);
    } else if (auto *call = dyn_cast<CallInst>(&instruction)) {
      if (Error error = rewriteCall(*call))
        return error;
    } else if (instruction.mayReadOrWriteMemory()) {
      return unknown(instruction);
    }
  }
  return Error::success();
}

/// Adds a function that takes the parameters as in a launch; returns its name.
static std::string addEntry(Function &kernel) {
  Module &module = *kernel.getParent();
  IRBuilder<> builder(module.getContext());
  auto *type = FunctionType::get(builder.getVoidTy(), {builder.getPtrTy()},
                                 /*isVarArg=*/false);
  auto *entry = Function::Create(type, GlobalValue::ExternalLinkage,
                                 kernel.getName() + ".thread", module);
  builder.SetInsertPoint(BasicBlock::Create(module.getContext(), "", entry));
  SmallVector<Value *> arguments;
  for (Argument &argument : kernel.args()) {
    Value *place = builder.CreateLoad(
        builder.getPtrTy(),
        builder.CreateConstGEP1_32(builder.getPtrTy(), entry->getArg(0),
                                   argument.getArgNo()));
    arguments.push_back(builder.CreateLoad(argument.getType(), place));
  }
  builder.CreateCall(&kernel, arguments);
  builder.CreateRetVoid();
  return entry->getName().str();
}

/// Collects the functions that use `value`.
static void collectUsers(const Value &value,
                         SmallPtrSetImpl<const Function *> &functions) {
  for (const User *user : value.users())
    if (auto *instruction = dyn_cast<Instruction>(user))
      functions.insert(instruction->getFunction());
    else
      collectUsers(*user, functions);
}

static unsigned getMaxThreads(const Function &kernel) {
  unsigned count = 0;
  StringRef text = kernel.getFnAttribute("nvvm.maxntid").getValueAsString();
  return text.consumeInteger(10, count) ? 0 : count;
}

/// Exports shared memory by name.
static Error addShared(Module &module,
                       MutableArrayRef<EmulatedFunction> kernels) {
  for (GlobalVariable &variable : module.globals()) {
    if (variable.getAddressSpace() != kSharedSpace)
      return createStringError("the emulation does not know the variable " +
                               variable.getName());
    variable.setLinkage(GlobalValue::ExternalLinkage);
    SmallPtrSet<const Function *, 4> users;
    collectUsers(variable, users);
    for (EmulatedFunction &kernel : kernels)
      if (users.contains(module.getFunction(kernel.name)))
        kernel.shared.emplace_back(
            variable.getName(),
            module.getDataLayout().getTypeAllocSize(variable.getValueType()));
  }
  return Error::success();
}

Expected<std::vector<EmulatedFunction>>
mlir::nnet3::test::makeEmulatedCode(Module &module) {
  std::vector<Function *> functions;
  for (Function &function : module)
    if (!function.isDeclaration())
      functions.push_back(&function);
  Rewriter rewriter(module);
  std::vector<EmulatedFunction> kernels;
  for (Function *function : functions) {
    if (Error error = rewriter.rewrite(*function))
      return std::move(error);
    if (function->getCallingConv() != CallingConv::PTX_Kernel)
      continue;
    function->setCallingConv(CallingConv::C);
    kernels.push_back({function->getName().str(),
                       addEntry(*function),
                       unsigned(function->arg_size()),
                       getMaxThreads(*function),
                       {}});
  }
  if (Error error = addShared(module, kernels))
    return std::move(error);
  return kernels;
}
