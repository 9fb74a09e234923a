//===- HostKernels.cpp - Kernels for a driver that is not real ------------===//

#include "HostKernels.h"

#include "nnet3/Conversion/KernelsToLLVM/Pipeline.h"
#include "nnet3/Fusion/KernelInterfaces.h"
#include "nnet3/Pipelines/DeviceCode.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Pass/PassManager.h"

#include "gtest/gtest.h"

using namespace nnet3::property;
using namespace mlir::nnet3;
using nnet3::RequestInstance;
using nnet3::runtime::test::FakeCuda;

mlir::OwningOpRef<mlir::ModuleOp>
nnet3::property::copyNetwork(NetworkOp network,
                             llvm::ArrayRef<RequestOp> requests) {
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::ModuleOp::create(network.getLoc());
  mlir::DialectRegistry registry;
  registerKernelModels(registry);
  module->getContext()->appendDialectRegistry(registry);
  auto builder = mlir::OpBuilder::atBlockEnd(module->getBody());
  builder.clone(*network);
  for (RequestOp request : requests)
    builder.clone(*request);
  return module;
}

HostKernels::HostKernels(mlir::OwningOpRef<mlir::ModuleOp> given)
    : module(std::move(given)) {
  mlir::PassManager passes(module->getContext());
  addDevicePasses(passes, nnet3::Stage::Kernels, /*testMode=*/false);
  addKernelsToLLVMPasses(passes);
  EXPECT_TRUE(mlir::succeeded(passes.run(*module)));
  for (auto function : module->getOps<mlir::LLVM::LLVMFuncOp>())
    if (function->hasAttr("nnet3.threads"))
      // Behind arena, weights, row tables and context.
      numPlaces[function.getSymName().str()] = function.getNumArguments() - 4;
  auto code =
      nnet3::emitCode(*module, nnet3::CodeTarget(), nnet3::CodeForm::Object);
  EXPECT_TRUE(mlir::succeeded(code));
  object = llvm::cantFail(nnet3::LoadedObject::load(*code, {}));
}

void HostKernels::addTo(FakeCuda &cuda) {
  for (const auto &[name, count] : numPlaces) {
    ASSERT_LE(size_t(count), kMaxPlaces);
    auto function =
        reinterpret_cast<Function>(llvm::cantFail(object->lookup(name)));
    cuda.kernels[name] = {[function](float *arena, const float *weights,
                                     const int32_t *tables,
                                     const std::vector<int64_t> &places) {
                            std::vector<int64_t> all = places;
                            all.resize(kMaxPlaces);
                            call(function, arena, weights, tables, all.data(),
                                 std::make_index_sequence<kMaxPlaces>());
                          },
                          count};
  }
}

static nnet3::runtime::ConstMatrixView getRows(const RandomIo &io,
                                               const NodeTable &nodes) {
  const int64_t columns = nodes[nodes.find(io.node)].dim;
  return {io.values.data(), int32_t(io.values.size() / columns),
          int32_t(columns), columns};
}

Outputs nnet3::property::runThreeTimes(const Case &test,
                                       RequestInstance &instance) {
  auto nodes = NodeTable::get(test.getNetworkOp());
  std::vector<Outputs> results(3);
  for (Outputs &result : results) {
    for (const RandomIo &io : test.getRequest().inputs) {
      auto status = instance.setInput(io.node, getRows(io, *nodes));
      if (!status.ok())
        return {{}, status.message()};
    }
    auto status = instance.run();
    if (!status.ok())
      return {{}, status.message()};
    for (const RandomIo &io : test.getRequest().outputs) {
      auto output = instance.output(io.node);
      if (!output.ok())
        return {{}, output.status().message()};
      result.values[io.node] = {output->data,
                                output->data + output->rows * output->cols};
    }
  }
  if (results[1].values != results[0].values ||
      results[2].values != results[0].values)
    return {{}, "the graph computes other numbers"};
  return results[0];
}
