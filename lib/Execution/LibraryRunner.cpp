//===- LibraryRunner.cpp - Requests by a compiled library -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Execution/LibraryRunner.h"
#include "nnet3/Target/Kaldi/Diagnostics.h"
#include "nnet3/runtime/cuda/CudaApi.h"

#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace mlir::nnet3;
namespace rt = ::nnet3::rt;

/// Creates a network with the inputs and outputs of `library`.
static NetworkOp createNetwork(OpBuilder &builder, Location loc,
                               const CompiledLibrary &library) {
  auto network = NetworkOp::create(builder, loc, "library");
  OpBuilder body = OpBuilder::atBlockEnd(&network.getBody().emplaceBlock());
  llvm::StringSet<> known;
  for (const CompiledLibrary::Request &request : library.getRequests()) {
    for (const CompiledLibrary::Matrix &input : request.inputs)
      if (known.insert(input.name).second)
        InputNodeOp::create(body, loc,
                            RowsType::get(body.getContext(), input.cols),
                            input.name);
    for (const CompiledLibrary::Matrix &output : request.outputs)
      if (known.insert(output.name).second) {
        auto value = ConstOp::create(
            body, loc, RowsType::get(body.getContext(), output.cols),
            body.getF32FloatAttr(0));
        OutputNodeOp::create(body, loc, output.name, value);
      }
  }
  return network;
}

FailureOr<std::unique_ptr<LibraryRunner>>
LibraryRunner::create(StringRef file, size_t cacheCapacity, int32_t numThreads,
                      MLIRContext *context) {
  auto library = openLibraryFile(file);
  if (!library)
    return emitFileError(context, library.takeError());
  Location loc = NameLoc::get(StringAttr::get(context, file));
  // Fail before any output file is written.
  if ((*library)->runsOnGpu())
    if (auto loaded = rt::cuda::loadCudaApi(); !loaded.ok())
      return emitError(loc) << loaded.status().message();
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
  NetworkOp network = createNetwork(builder, loc, **library);
  FailureOr<NodeTable> nodes = NodeTable::get(network);
  if (failed(nodes))
    return failure();
  return std::unique_ptr<LibraryRunner>(
      new LibraryRunner(std::move(*library), std::move(module), network,
                        std::move(*nodes), cacheCapacity, numThreads));
}

/// Returns true if the ops `OpTy` of a request match `matrices` in any order,
/// with the same rows.
template <typename OpTy>
static bool matches(RequestOp request,
                    const std::vector<CompiledLibrary::Matrix> &matrices) {
  auto ops = llvm::to_vector(request.getOps<OpTy>());
  if (ops.size() != matrices.size())
    return false;
  return llvm::all_of(ops, [&](OpTy op) {
    auto found = llvm::find_if(matrices, [&](const auto &matrix) {
      return matrix.name == op.getName();
    });
    return found != matrices.end() &&
           llvm::equal(op.getIndexes().expand(), found->indexes);
  });
}

FailureOr<std::unique_ptr<RequestInstance>>
LibraryRunner::makeInstance(RequestOp request) {
  for (auto [number, known] : llvm::enumerate(library->getRequests())) {
    if (!matches<RequestInputOp>(request, known.inputs) ||
        !matches<RequestOutputOp>(request, known.outputs))
      continue;
    auto instance = library->makeInstance(int32_t(number), numThreads);
    if (!instance)
      return emitError(request.getLoc())
             << llvm::toString(instance.takeError());
    return std::move(*instance);
  }
  return emitError(request.getLoc())
         << "the library was compiled for other requests than this: "
         << library->describeRequests();
}
