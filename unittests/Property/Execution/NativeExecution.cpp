//===- NativeExecution.cpp - Runs cases as machine code -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NativeExecution.h"
#include "MatmulLoops.h"

#include "nnet3/Arithmetic/KernelInterfaces.h"
#include "nnet3/Compile/NodeTable.h"
#include "nnet3/Conversion/KernelToVector/Passes.h"
#include "nnet3/Conversion/KernelsToLLVM/Pipeline.h"
#include "nnet3/Conversion/Nnet3ToKernels/Pipeline.h"
#include "nnet3/Dialect/Kernel/IR/KernelDialect.h"
#include "nnet3/Optimize/Passes.h"
#include "nnet3/Pipelines/DeviceCode.h"
#include "nnet3/Target/Cpu/Passes.h"
#include "nnet3/Target/Library/LoadedObject.h"
#include "nnet3/Target/Library/WeightPacker.h"
#include "nnet3/runtime/GeneratedCode.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Pass/PassManager.h"

#include <limits>

using namespace mlir::nnet3::property;
using namespace mlir::nnet3;
using mlir::ArrayAttr;
using mlir::DictionaryAttr;

namespace {

using Function = void (*)(float *, float *, const int32_t *, void *);

/// Callback state: the components of the calls, by number.
struct Context {
  struct Call {
    ReferenceComponent component;
    int64_t inputRows, outputRows;
    DictionaryAttr precomputed; ///< null if there is none
  };
  std::vector<Call> calls;
  bool isBlockByBlock = false;
};

/// A case that is compiled to machine code.
class NativeCase {
public:
  explicit NativeCase(const Case &test)
      : test(test), module(test.getModule().clone()) {}

  /// Computes blocks of `size` sequences, if the request can have them.
  void makeBlocks(int64_t size);
  /// `addPasses` go from the network to the LLVM dialect.
  Outputs run(llvm::function_ref<void(mlir::PassManager &)> addPasses);

private:
  bool lower(llvm::function_ref<void(mlir::PassManager &)> addPasses);
  void packWeights();
  void addCalls();
  std::unique_ptr<mlir::nnet3::LoadedObject> load();
  Outputs runCode(Function code);
  void supplyInputs(int64_t block);
  void readOutputs(Outputs &result) const;

  const Case &test;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::string error;
  Context context;
  std::vector<float> arena, weights;
  std::vector<int32_t> tables;
  std::vector<kernel::IoAttr> inputs, outputs;
  int64_t numBlocks = 1;
};

} // namespace

/// Called by the generated code.
static void propagate(void *context, int32_t call, const float *input,
                      int64_t inputStride, float *output,
                      int64_t outputStride) {
  const Context::Call &c = static_cast<Context *>(context)->calls[call];
  auto component = mlir::cast<ComponentOpInterface>(c.component.op);
  for (int64_t row = 0; row < c.outputRows; ++row) {
    PrecomputedReads reads{{row}, Index()};
    if (c.inputRows == 0)
      reads.rows.clear();
    else if (c.precomputed)
      reads = getPrecomputedReads(c.component.op, c.precomputed, row);
    std::vector<Vector> inputs;
    for (int64_t from : reads.rows) {
      const float *x = input + from * inputStride;
      inputs.emplace_back(x, x + component.getComponentInputDim());
    }
    Kinks kinks;
    Vector y = evaluateComponent(c.component, reads.index, inputs, kinks);
    llvm::copy(y, output + row * outputStride);
  }
}

static void parallelRows(float *arena, const float *weights,
                         const int32_t *tables, void *context,
                         const int64_t *places, int64_t count,
                         nnet3lib_rows_fn rows) {
  auto run = [&](int64_t begin, int64_t end) {
    rows(arena, weights, tables, context, places, begin, end);
  };
  if (!static_cast<Context *>(context)->isBlockByBlock)
    return run(0, count);
  for (int64_t block = count; block-- > 0;)
    run(block, block + 1);
}

bool NativeCase::lower(
    llvm::function_ref<void(mlir::PassManager &)> addPasses) {
  mlir::ScopedDiagnosticHandler handler((*module).getContext(),
                                        [&](mlir::Diagnostic &diagnostic) {
                                          error += diagnostic.str() + "\n";
                                          return mlir::success();
                                        });
  mlir::PassManager passes((*module).getContext());
  addPasses(passes);
  return mlir::succeeded(passes.run(*module));
}

void NativeCase::packWeights() {
  auto resources = kernel::ResourcesOp::find(*module);
  weights.resize(std::max<int64_t>(1, resources.getSize()));
  auto packed =
      mlir::nnet3::packWeights(resources, sizeof(float) * resources.getSize());
  if (mlir::succeeded(packed))
    std::memcpy(weights.data(), packed->data(), packed->size());
  else
    error += "no weights";
  tables = resources.getRowTableEntries();
}

void NativeCase::addCalls() {
  ArrayAttr calls = kernel::ResourcesOp::find(*module).getCalls();
  for (auto call : calls.getAsRange<kernel::CallAttr>())
    context.calls.push_back(
        {ReferenceComponent(test.getNetworkOp().lookupSymbol(
             call.getComponent().getLeafReference())),
         call.getInputRows(), call.getOutputRows(), call.getPrecomputed()});
}

std::unique_ptr<mlir::nnet3::LoadedObject> NativeCase::load() {
  auto object = mlir::nnet3::emitCode(*module, mlir::nnet3::CodeTarget(),
                                      mlir::nnet3::CodeForm::Object);
  if (mlir::failed(object)) {
    error = "no code";
    return nullptr;
  }
  const mlir::nnet3::HostSymbol symbols[] = {
      {"nnet3lib_propagate", reinterpret_cast<const void *>(&propagate)},
      {"nnet3lib_parallel_rows",
       reinterpret_cast<const void *>(&parallelRows)}};
  auto loaded = mlir::nnet3::LoadedObject::load(*object, symbols);
  if (loaded)
    return std::move(*loaded);
  error = llvm::toString(loaded.takeError());
  return nullptr;
}

void NativeCase::makeBlocks(int64_t size) {
  auto request =
      module->lookupSymbol<RequestOp>(test.getRequestOp().getSymName());
  auto nodes = NodeTable::get(test.getNetworkOp());
  if (!request.getSequences().empty() && mlir::succeeded(nodes) &&
      !mixesRows(*nodes))
    request.setBlockSize(size);
  numBlocks = request.getNumBlocks();
}

void NativeCase::supplyInputs(int64_t block) {
  for (kernel::IoAttr input : inputs)
    for (const RandomIo &io : test.getRequest().inputs)
      if (io.node == input.getNode().getValue()) {
        const int64_t size = io.values.size() / numBlocks;
        std::copy_n(io.values.begin() + block * size, size,
                    arena.begin() + input.getOffset());
      }
}

/// Appends the outputs of a block of sequences to those of earlier blocks.
void NativeCase::readOutputs(Outputs &result) const {
  for (kernel::IoAttr output : outputs) {
    auto first = arena.begin() + output.getOffset();
    auto &values = result.values[output.getNode().str()];
    values.insert(values.end(), first,
                  first + output.getRows() * output.getCols());
  }
}

Outputs NativeCase::runCode(Function code) {
  Outputs result;
  for (int64_t block = 0; block < numBlocks; ++block) {
    arena.assign(arena.size(), std::numeric_limits<float>::quiet_NaN());
    supplyInputs(block);
    code(arena.data(), weights.data(), tables.data(), &context);
    readOutputs(result);
  }
  result.numBlocks = numBlocks;
  return result;
}

/// Compares results; NaN equals NaN.
static bool isSame(const Outputs &a, const Outputs &b) {
  return llvm::all_of(llvm::zip_equal(a.values, b.values), [](auto entries) {
    auto [x, y] = entries;
    return llvm::equal(x.second, y.second, [](float x, float y) {
      return x == y || (std::isnan(x) && std::isnan(y));
    });
  });
}

Outputs
NativeCase::run(llvm::function_ref<void(mlir::PassManager &)> addPasses) {
  for (auto computation :
       llvm::make_early_inc_range(module->getOps<ComputationOp>()))
    computation.erase();
  std::string name = (test.getRequestOp().getSymName() + "_computation").str();
  if (!lower(addPasses))
    return {{}, "cannot be lowered: " + error};
  packWeights();
  addCalls();
  auto entry = kernel::EntryOp::find(*module, name);
  if (!entry)
    return {{}, "no function " + name};
  arena.resize(entry.getArenaSize());
  llvm::append_range(inputs, entry.getInputs().getAsRange<kernel::IoAttr>());
  llvm::append_range(outputs, entry.getOutputs().getAsRange<kernel::IoAttr>());
  std::unique_ptr<mlir::nnet3::LoadedObject> object = load();
  if (!object)
    return {{}, error};
  auto address = object->lookup(name);
  if (!address)
    return {{}, llvm::toString(address.takeError())};
  auto code = reinterpret_cast<Function>(*address);
  Outputs result = runCode(code);
  context.isBlockByBlock = true;
  if (!isSame(runCode(code), result))
    return {{}, "other numbers block by block"};
  return result;
}

static void registerInterfaces(const Case &test) {
  mlir::DialectRegistry registry;
  registerKernelModels(registry);
  test.getModule().getContext()->appendDialectRegistry(registry);
}

/// Adds the passes from fused commands to code.
static void addCodePasses(mlir::PassManager &passes,
                          const std::string &vectors) {
  passes.addPass(mlir::nnet3::kernel::createKernelSetTarget({"", {vectors}}));
  mlir::nnet3::Nnet3ConvertToKernelsOptions options;
  options.parallelFlops = 1;
  addKernelPasses(passes, options);
  passes.addPass(mlir::nnet3::kernel::createKernelToVector());
  addKernelsToLLVMPasses(passes);
}

Outputs mlir::nnet3::property::runNative(const Case &test,
                                         const std::string &vectors,
                                         int64_t blockSize) {
  registerInterfaces(test);
  NativeCase native(test);
  if (blockSize)
    native.makeBlocks(blockSize);
  return native.run([&](mlir::PassManager &passes) {
    addNativePasses(passes, Stage::Fused);
    addCodePasses(passes, vectors);
  });
}

Outputs mlir::nnet3::property::runNativeSteps(const Case &test,
                                              const std::string &vectors) {
  registerInterfaces(test);
  return NativeCase(test).run([&](mlir::PassManager &passes) {
    addNativePasses(passes, Stage::Commands);
    addNativePasses(passes, {Stage::Commands, Stage::Fused});
    passes.addNestedPass<ComputationOp>(createNnet3UnrollLoops());
    addCodePasses(passes, vectors);
  });
}

namespace {
/// Removes the calls of one form of matmuls and their epilogues.
struct RemoveForm
    : mlir::PassWrapper<RemoveForm, mlir::OperationPass<mlir::ModuleOp>> {
  explicit RemoveForm(kernel::Form form) : form(form) {}

  void runOnOperation() override {
    llvm::SmallVector<mlir::func::CallOp> calls;
    getOperation().walk([&](mlir::func::CallOp call) {
      auto callee =
          getOperation().lookupSymbol<mlir::func::FuncOp>(call.getCallee());
      auto block =
          callee->getAttrOfType<kernel::BlockAttr>(kernel::BlockAttr::name);
      auto found = block ? block.getForm() : kernel::FormAttr();
      for (auto matmul : callee.getOps<kernel::MatmulOp>())
        found = matmul.getFormAttr();
      if (found && found.getValue() == form)
        calls.push_back(call);
    });
    for (mlir::func::CallOp call : calls)
      call.erase();
  }

  kernel::Form form;
};
} // namespace

Outputs mlir::nnet3::property::runDeviceKernels(const Case &test, bool fused) {
  registerInterfaces(test);
  return NativeCase(test).run([&](mlir::PassManager &passes) {
    addDevicePasses(passes, Stage::Loops);
    passes.addPass(std::make_unique<RemoveForm>(fused ? kernel::Form::Apart
                                                      : kernel::Form::Fused));
    passes.addPass(std::make_unique<MatmulLoops>());
    addKernelsToLLVMPasses(passes);
  });
}

std::string mlir::nnet3::property::compareOutputs(const Outputs &actual,
                                                  const Outputs &expected) {
  if (!actual.error.empty())
    return actual.error;
  for (const auto &[name, values] : expected.values) {
    auto it = actual.values.find(name);
    if (it == actual.values.end() || it->second.size() != values.size())
      return name + ": missing, or of another size";
    for (size_t i = 0; i < values.size(); ++i)
      // Not-a-number is never right.
      if (!(std::abs(it->second[i] - values[i]) <=
            1e-4 * std::max(1.0f, std::abs(values[i]))))
        return name + "[" + std::to_string(i) +
               "]: " + std::to_string(it->second[i]) + " instead of " +
               std::to_string(values[i]);
  }
  return "";
}
