//===- NetworkCopy.cpp - A copy of a network for another thread -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NetworkCopy.h"
#include "nnet3/Target/Kaldi/LoadModel.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace mlir::nnet3;

/// Writes a module that holds only `network`.
static std::unique_ptr<llvm::MemoryBuffer> writeNetwork(NetworkOp network) {
  OwningOpRef<ModuleOp> module = ModuleOp::create(network.getLoc());
  OpBuilder::atBlockEnd(module->getBody()).clone(*network);
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  // Writing to memory does not fail.
  (void)writeMlirModule(*module, os, /*bytecode=*/true);
  // Bytecode has aligned sections, so its buffer must be aligned.
  auto buffer = llvm::WritableMemoryBuffer::getNewUninitMemBuffer(
      bytes.size(), "network", llvm::Align(64));
  llvm::copy(bytes, buffer->getBufferStart());
  return buffer;
}

NetworkCopy::NetworkCopy(NetworkOp network) : bytecode(writeNetwork(network)) {}

FailureOr<NetworkOp> NetworkCopy::getNetwork() {
  if (!module) {
    context.printOpOnDiagnostic(false);
    context.loadDialect<Nnet3Dialect, memref::MemRefDialect>();
    if (bytecode)
      module = parseMlirModule(std::move(bytecode), &context);
  }
  if (!module)
    return failure();
  return *module->getOps<NetworkOp>().begin();
}

FailureOr<OwningOpRef<RequestOp>> NetworkCopy::parse(StringRef request) {
  Block block;
  // The module contains the network that the request names.
  if (failed(parseSourceString(
          request, &block, ParserConfig(&context, /*verifyAfterParse=*/false))))
    return failure();
  auto op = cast<RequestOp>(block.front());
  op->remove();
  return OwningOpRef<RequestOp>(op);
}
