//===- CompileMain.cpp - The main function of nnet3-compile ---------------===//

#include "nnet3/Fusion/KernelInterfaces.h"
#include "nnet3/Pipelines/NativeCode.h"
#include "nnet3/Target/Kaldi/Diagnostics.h"
#include "nnet3/Target/Kaldi/LoadModel.h"
#include "nnet3/Target/Kaldi/ModelWriter.h"
#include "nnet3/Target/Kaldi/OutputFile.h"
#include "nnet3/Target/Kaldi/RequestReader.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"

using namespace nnet3;
using namespace mlir;
using namespace mlir::nnet3;
namespace cl = llvm::cl;

namespace {
/// What to write.
enum class Emit {
  Network,
  Commands,
  Optimized,
  Fused,
  Kernels,
  LLVMDialect,
  LLVM,
  Assembly,
  Object
};

struct CompileOptions {
  std::string model, request, output = "-";
  CodeTarget target;
  Emit emit = Emit::Object;
};
} // namespace

static Stage getStage(Emit emit) {
  return std::min(Stage(emit), Stage::Lowered);
}

static LogicalResult compile(const CompileOptions &options,
                             MLIRContext &context) {
  OwningOpRef<ModuleOp> module = loadModel(options.model, &context);
  if (!module)
    return failure();
  NetworkOp network = getOnlyNetwork(*module);
  if (!network || failed(readRequestFile(options.request, network)))
    return failure();
  std::string error;
  auto vectors = options.target.getVectors(error);
  if (failed(vectors))
    return module->emitError(error);
  PassManager passes(&context);
  addNativePasses(passes, getStage(options.emit), *vectors);
  if (failed(passes.run(*module)))
    return failure();
  auto file = OutputFile::create(options.output);
  if (!file)
    return emitFileError(&context, file.takeError());
  if (options.emit <= Emit::LLVMDialect) {
    (*file)->getStream() << *module << "\n";
  } else {
    for (Operation &op : llvm::make_early_inc_range(*module->getBody()))
      if (isa<NetworkOp, RequestOp>(op))
        op.erase();
    auto code = emitCode(*module, options.target,
                         CodeForm(int(options.emit) - int(Emit::LLVM)));
    if (failed(code))
      return failure();
    (*file)->getStream().write(code->data(), code->size());
  }
  if (llvm::Error e = (*file)->commit())
    return emitFileError(&context, std::move(e));
  return success();
}

int ::nnet3::compileMain(int argc, char **argv) {
  CompileOptions options;
  cl::OptionCategory category("nnet3-compile options");
  cl::opt<std::string, true> model(cl::Positional, cl::Required,
                                   cl::desc("MODEL"),
                                   cl::location(options.model),
                                   cl::cat(category));
  cl::opt<std::string, true> request(
      "request", cl::Required, cl::desc("File with the requests to compile"),
      cl::value_desc("file"), cl::location(options.request),
      cl::cat(category));
  cl::opt<std::string, true> output("o", cl::desc("Output file (-: stdout)"),
                                    cl::value_desc("file"),
                                    cl::location(options.output),
                                    cl::cat(category));
  cl::opt<std::string, true> cpu(
      "target-cpu", cl::desc("CPU by LLVM's name (default: this machine's)"),
      cl::value_desc("name"), cl::location(options.target.cpu),
      cl::cat(category));
  cl::opt<Emit, true> emit(
      "emit", cl::desc("What to write"), cl::location(options.emit),
      cl::values(clEnumValN(Emit::Network, "network", "the network as MLIR"),
                 clEnumValN(Emit::Commands, "commands", "its computations"),
                 clEnumValN(Emit::Optimized, "optimized", "after nnet3-optimize"),
                 clEnumValN(Emit::Fused, "fused", "with fused commands"),
                 clEnumValN(Emit::Kernels, "kernels", "loops over vectors"),
                 clEnumValN(Emit::LLVMDialect, "llvm-dialect", "LLVM dialect"),
                 clEnumValN(Emit::LLVM, "llvm", "optimised LLVM IR"),
                 clEnumValN(Emit::Assembly, "asm", "assembly"),
                 clEnumValN(Emit::Object, "obj", "an object file")),
      cl::cat(category));
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv,
                              "Compiles networks ahead of time\n");
  DialectRegistry registry;
  registry.insert<Nnet3Dialect>();
  registerKernelModels(registry);
  // The threads of an MLIR context would only cost time here.
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadDialect<Nnet3Dialect>();
  context.printOpOnDiagnostic(false);
  LineDiagnosticHandler handler(&context, llvm::errs());
  return failed(compile(options, context));
}
