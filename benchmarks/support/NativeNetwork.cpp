//===- NativeNetwork.cpp - A network as a library -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NativeNetwork.h"
#include "Timing.h"

#include "nnet3/Arithmetic/KernelInterfaces.h"
#include "nnet3/Pipelines/NativeCode.h"
#include "nnet3/Target/Library/LibraryEmitter.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <dlfcn.h>

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::benchmarks;

[[noreturn]] static void fail(const Twine &message) {
  llvm::errs() << message << "\n";
  std::exit(1);
}

/// Returns a module that holds only copies of the network and the request.
static OwningOpRef<ModuleOp> copy(mlir::nnet3::NetworkOp network,
                                  mlir::nnet3::RequestOp request) {
  OwningOpRef<ModuleOp> module = ModuleOp::create(network.getLoc());
  OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
  builder.clone(*network);
  builder.clone(*request);
  return module;
}

void mlir::nnet3::benchmarks::writeLibrary(ModuleOp module,
                                           const std::string &path,
                                           Precision precision) {
  DialectRegistry registry;
  mlir::nnet3::registerKernelModels(registry);
  module->getContext()->appendDialectRegistry(registry);
  LibraryOptions options;
  options.prefix = "net";
  PassManager passes(module->getContext());
  addNativePasses(passes, Stage::Lowered, /*target=*/{}, /*testMode=*/true,
                  precision);
  if (failed(passes.run(module)))
    fail("does not compile");
  auto data = collectLibraryData(module, options.target.getRequirements());
  if (failed(data))
    fail("has no weights");
  auto object = emitLibraryObject(module, *data, options);
  if (failed(object) ||
      failed(linkLibrary(module->getLoc(), *object, *data, options, path)))
    fail("does not link");
}

template <typename Fn> Fn *NativeNetwork::find(const char *name) {
  auto *function = reinterpret_cast<Fn *>(dlsym(handle, name));
  if (!function)
    fail(dlerror());
  return function;
}

void NativeNetwork::check(nnet3lib_status status) {
  if (status != 0)
    fail("the library says error " + Twine(status));
}

void NativeNetwork::load() {
  handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    fail(dlerror());
  nnet3lib_open_options options = {};
  options.struct_size = sizeof(options);
  options.copy_weights = 1;
  check(find<nnet3lib_status(uint32_t, const nnet3lib_open_options *,
                             nnet3lib_model **)>("net_model_open")(
      NNET3LIB_ABI_VERSION, &options, &model));
  nnet3lib_request_info info = {};
  info.struct_size = sizeof(info);
  check(find<decltype(nnet3lib_get_request_info)>("net_get_request_info")(
      model, 0, &info));
  instanceBytes = info.instance_bytes;
  nnet3lib_model_info modelInfo = {};
  modelInfo.struct_size = sizeof(modelInfo);
  check(find<decltype(nnet3lib_get_model_info)>("net_get_model_info")(
      model, &modelInfo));
  weightsBytes = modelInfo.weights_bytes;
  inputs.clear();
  data.clear();
  for (int32_t i = 0; i < info.num_inputs; ++i) {
    nnet3lib_matrix_info matrix = {};
    matrix.struct_size = sizeof(matrix);
    check(find<decltype(nnet3lib_get_input_info)>("net_get_input_info")(
        model, 0, i, &matrix));
    data.emplace_back(size_t(matrix.rows) * matrix.cols, 0.1f);
    inputs.push_back(
        {data.back().data(), matrix.cols, matrix.rows, matrix.cols});
  }
  check(find<decltype(nnet3lib_instance_create)>("net_instance_create")(
      model, 0, &instance));
  runInstance = find<decltype(nnet3lib_instance_run)>("net_instance_run");
}

void NativeNetwork::setThreads(int32_t numThreads) {
  find<decltype(nnet3lib_instance_destroy)>("net_instance_destroy")(instance);
  nnet3lib_instance_options options = {};
  options.struct_size = sizeof(options);
  options.num_threads = numThreads;
  check(find<decltype(nnet3lib_instance_create_with)>(
      "net_instance_create_with")(model, 0, &options, &instance));
}

NativeNetwork::NativeNetwork(Network &network, mlir::nnet3::RequestOp request,
                             mlir::nnet3::Precision precision) {
  SmallString<128> name;
  if (llvm::sys::fs::createTemporaryFile("nnet3-benchmark", "so", name))
    fail("cannot make a temporary file");
  path = name.str().str();
  compileSeconds = seconds(
      [&] { writeLibrary(*copy(network.getOp(), request), path, precision); });
  load();
}

NativeNetwork::~NativeNetwork() {
  unload();
  llvm::sys::fs::remove(path);
}

void NativeNetwork::unload() {
  if (!handle)
    return;
  find<decltype(nnet3lib_instance_destroy)>("net_instance_destroy")(instance);
  find<decltype(nnet3lib_model_close)>("net_model_close")(model);
  dlclose(handle);
  handle = nullptr;
}

void NativeNetwork::run() {
  check(runInstance(instance, inputs.data(), inputs.size(), nullptr, 0));
}
