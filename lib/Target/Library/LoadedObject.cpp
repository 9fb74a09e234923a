//===- LoadedObject.cpp - Machine code in this process --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Target/Library/LoadedObject.h"

#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"

using namespace mlir::nnet3;
using llvm::StringRef;
namespace orc = llvm::orc;

/// Generated code has no exceptions and no static initialisers, so the linker
/// needs no plugins, and the session no platform.
static llvm::Expected<std::unique_ptr<orc::LLJIT>> createLinker() {
  llvm::InitializeNativeTarget();
  orc::LLJITBuilder builder;
  builder.setPlatformSetUp(orc::setUpInactivePlatform);
  builder.setObjectLinkingLayerCreator([](orc::ExecutionSession &session) {
    return std::make_unique<orc::ObjectLinkingLayer>(session);
  });
  return builder.create();
}

static orc::SymbolMap makeSymbols(orc::LLJIT &jit,
                                  llvm::ArrayRef<HostSymbol> symbols) {
  orc::SymbolMap result;
  for (const HostSymbol &symbol : symbols)
    result[jit.mangleAndIntern(symbol.name)] = {
        orc::ExecutorAddr::fromPtr(symbol.address),
        llvm::JITSymbolFlags::Exported};
  return result;
}

LoadedObject::LoadedObject(std::unique_ptr<orc::LLJIT> jit)
    : jit(std::move(jit)) {}

LoadedObject::~LoadedObject() = default;

llvm::Expected<std::unique_ptr<LoadedObject>>
LoadedObject::load(llvm::ArrayRef<char> object,
                   llvm::ArrayRef<HostSymbol> symbols) {
  auto jit = createLinker();
  if (!jit)
    return jit.takeError();
  orc::JITDylib &main = (*jit)->getMainJITDylib();
  if (!symbols.empty())
    if (llvm::Error error =
            main.define(orc::absoluteSymbols(makeSymbols(**jit, symbols))))
      return std::move(error);
  auto bytes = llvm::MemoryBuffer::getMemBufferCopy(
      StringRef(object.data(), object.size()), "generated code");
  if (llvm::Error error = (*jit)->addObjectFile(std::move(bytes)))
    return std::move(error);
  return std::unique_ptr<LoadedObject>(new LoadedObject(std::move(*jit)));
}

llvm::Expected<void *> LoadedObject::lookup(StringRef name) {
  auto address = jit->lookup(name);
  if (!address)
    return address.takeError();
  return address->toPtr<void *>();
}
