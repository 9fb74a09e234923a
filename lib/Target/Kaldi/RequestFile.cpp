//===- RequestFile.cpp - Requests from files of any format ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Target/Kaldi/Diagnostics.h"
#include "nnet3/Target/Kaldi/LoadModel.h"
#include "nnet3/Target/Kaldi/RequestReader.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace mlir::nnet3;

/// Parses MLIR and moves its requests to `builder`'s insertion point.
static FailureOr<SmallVector<RequestOp>>
parseRequests(llvm::MemoryBufferRef buffer, NetworkOp network,
              OpBuilder &builder) {
  // The network that the request refers to is not in this module, so it is
  // verified later.
  ParserConfig config(network.getContext(), /*verifyAfterParse=*/false);
  Block parsed;
  auto sources = std::make_shared<llvm::SourceMgr>();
  sources->AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBufferCopy(buffer.getBuffer(),
                                           buffer.getBufferIdentifier()),
      SMLoc());
  if (failed(parseSourceFile(sources, &parsed, config)))
    return failure();
  SmallVector<RequestOp> requests;
  for (Operation &op : parsed) {
    if (auto module = dyn_cast<ModuleOp>(op))
      llvm::append_range(requests, module.getOps<RequestOp>());
    else if (auto request = dyn_cast<RequestOp>(op))
      requests.push_back(request);
  }
  if (requests.empty())
    return emitError(FileLineColLoc::get(network.getContext(),
                                         buffer.getBufferIdentifier(), 1, 1))
           << "expects a request, but there is none";
  for (RequestOp request : requests) {
    request->remove();
    builder.insert(request);
    request.setNetwork(network.getSymName());
  }
  return requests;
}

/// Returns true if `data` is MLIR, and not the text form of requests.
static bool isMlir(llvm::MemoryBufferRef data) {
  return isBytecode(data) || data.getBuffer().contains("nnet3.request");
}

static LogicalResult verifyRequest(RequestOp request) {
  SymbolTableCollection symbolTable;
  return success(succeeded(verify(request)) &&
                 succeeded(request.verifySymbolUses(symbolTable)));
}

namespace mlir::nnet3 {

FailureOr<SmallVector<RequestOp>> readRequestFile(StringRef rxfilename,
                                                  NetworkOp network) {
  auto buffer = readTextOrBytecode(rxfilename);
  if (!buffer) {
    (void)emitFileError(network.getContext(), buffer.takeError());
    return failure();
  }
  llvm::MemoryBufferRef data = (*buffer)->getMemBufferRef();
  OpBuilder builder(network->getBlock(), network->getBlock()->end());
  auto requests =
      isMlir(data) ? parseRequests(data, network, builder)
                   : readRequests(data.getBuffer(), data.getBufferIdentifier(),
                                  network.getSymName(), builder);
  if (failed(requests) || !llvm::all_of(*requests, [](RequestOp request) {
        return succeeded(verifyRequest(request));
      }))
    return failure();
  return requests;
}

} // namespace mlir::nnet3
