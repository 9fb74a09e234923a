//===- TrainMain.cpp - Training over examples -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ExampleMinibatch.h"
#include "ExampleQueue.h"
#include "TrainOptions.h"
#include "TrainingLog.h"
#include "TrainingRecord.h"
#include "nnet3/Dialect/Nnet3/IR/Nnet3Dialect.h"
#include "nnet3/Execution/ChainGraphs.h"
#include "nnet3/Execution/CpuTrainer.h"
#include "nnet3/Execution/CudaTrainer.h"
#include "nnet3/Execution/ModelState.h"
#include "nnet3/Execution/TerminalLine.h"
#include "nnet3/Kaldi/IO/OutputFile.h"
#include "nnet3/Pipelines/StageDialects.h"
#include "nnet3/Target/Kaldi/Diagnostics.h"
#include "nnet3/Target/Kaldi/ExampleRequest.h"
#include "nnet3/Target/Kaldi/LoadModel.h"
#include "nnet3/Target/Kaldi/ModelWriter.h"
#include "nnet3/Tools/CommandLine.h"
#include "nnet3/Tools/Train.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/ScopeExit.h"

using namespace ::nnet3::kaldi;
using namespace mlir;
using namespace mlir::nnet3;
namespace rt = ::nnet3::rt;

static const char kUsage[] =
    "Trains a network on minibatches, one pass over the table.\n"
    "Usage: nnet3-train [options] MODEL EGS-RSPECIFIER TRAINED-MODEL\n"
    "       nnet3-train [options] MODEL DEN-FST CHAIN-EGS-RSPECIFIER "
    "TRAINED-MODEL\n"
    "\n"
    "MODEL is what nnet3-run reads. Each example of the table is a minibatch "
    "(see nnet3-copy\nmerge-egs). TRAINED-MODEL is a raw model.\n"
    "e.g.: nnet3-train --momentum=0.9 0.raw ark:egs.ark 1.raw\n";

namespace {
/// Training over one table.
class TrainRun {
public:
  TrainRun(NetworkOp network, NnetRunner &interpreter, RequestTrainer &trainer,
           const TrainOptions &options)
      : network(network), interpreter(interpreter), trainer(trainer),
        options(options), log(options.printInterval) {}

  LogicalResult run();

private:
  using Program = std::shared_ptr<const rt::Program>;

  LogicalResult trainAll();
  LogicalResult train(const ExampleQueue::Entry &entry);
  FailureOr<Program> prepare(const AnyExample &example, Location loc);
  FailureOr<std::unique_ptr<ExampleMinibatch>>
  makeMinibatch(const AnyExample &example, Location loc);
  LogicalResult findNames();
  LogicalResult readDenominator();
  LogicalResult checkKind(const AnyExample &example, Location loc);
  LogicalResult checkColumns(ArrayRef<NnetIo> io, Location loc);
  LogicalResult write();
  LogicalResult check(llvm::Error error) {
    return emitFileError(network.getContext(), std::move(error));
  }
  bool isInput(StringRef name) {
    return llvm::any_of(network.getOps<InputNodeOp>(), [&](InputNodeOp node) {
      return node.getName() == name;
    });
  }

  NetworkOp network;
  NnetRunner &interpreter;
  RequestTrainer &trainer;
  const TrainOptions &options;
  TrainingLog log;
  std::vector<std::string> componentNames;
  /// By structure of the example.
  llvm::StringMap<Program> programs;
  /// Of chain training.
  std::shared_ptr<const rt::DenominatorGraph> denominator;
  std::unique_ptr<OutputFile> file;
  std::unique_ptr<TrainingRecord> record;
};
} // namespace

/// The inputs and outputs that are computed for `example`.
static NnetExample getComputed(const AnyExample &example, bool hasXent) {
  NnetExample computed = takeRows(example);
  if (auto *chain = std::get_if<NnetChainExample>(&example); chain && hasXent)
    for (const ChainSupervision &output : chain->outputs)
      computed.io.push_back({output.name + "-xent", output.indexes, Matrix()});
  return computed;
}

/// The program for `example`, of which there may have been others like it.
FailureOr<TrainRun::Program> TrainRun::prepare(const AnyExample &example,
                                               Location loc) {
  Program &known = programs[describeStructure(example)];
  if (known)
    return known;
  OpBuilder builder(network->getBlock(), network->getBlock()->end());
  ExampleRequestOptions requestOptions;
  requestOptions.needModelDerivative = true;
  requestOptions.storeComponentStats = options.training.storeComponentStats;
  auto request = createExampleRequest(
      getComputed(example, options.chain.xentRegularize != 0),
      network.getSymName(),
      [&](StringRef name) {
        // Chain examples have inputs for the objective alone.
        return isInput(name)            ? IoRole::Input
               : name.starts_with("__") ? IoRole::Unused
                                        : IoRole::Output;
      },
      requestOptions, builder, loc);
  if (failed(request))
    return failure();
  llvm::scope_exit erase([&] { request->erase(); });
  SymbolTableCollection symbolTable;
  auto *chain = std::get_if<NnetChainExample>(&example);
  if (failed(request->verifySymbolUses(symbolTable)) ||
      failed(checkColumns(
          chain ? chain->inputs : std::get<NnetExample>(example).io, loc)))
    return failure();
  auto program = trainer.prepare(*request);
  if (failed(program))
    return failure();
  known = *program;
  return known;
}

LogicalResult TrainRun::checkColumns(ArrayRef<NnetIo> ios, Location loc) {
  for (const NnetIo &io : ios)
    if (int64_t cols = getNumCols(io.features),
        dim = interpreter.getDim(io.name);
        cols != dim && !StringRef(io.name).starts_with("__"))
      return emitError(loc)
             << "the network expects '" << io.name << "' with dimension " << dim
             << ", but got " << cols;
  return success();
}

LogicalResult TrainRun::checkKind(const AnyExample &example, Location loc) {
  const bool isChain = std::holds_alternative<NnetChainExample>(example);
  if (isChain == bool(denominator))
    return success();
  return emitError(loc) << (isChain ? "chain examples need a denominator graph"
                                    : "chain training needs chain examples");
}

/// A graph of as many pdfs as the output has columns.
LogicalResult TrainRun::readDenominator() {
  if (options.denominator.empty())
    return success();
  const int64_t numPdfs = interpreter.getDim("output");
  auto graph = readDenominatorGraph(options.denominator, int32_t(numPdfs));
  if (!graph)
    return check(graph.takeError());
  denominator = std::make_shared<const rt::DenominatorGraph>(std::move(*graph));
  return success();
}

FailureOr<std::unique_ptr<ExampleMinibatch>>
TrainRun::makeMinibatch(const AnyExample &example, Location loc) {
  auto isInputNode = [&](StringRef name) { return isInput(name); };
  auto *chain = std::get_if<NnetChainExample>(&example);
  if (!chain)
    return std::make_unique<ExampleMinibatch>(std::get<NnetExample>(example),
                                              isInputNode);
  auto outputs = getChainOutputs(*chain);
  if (!outputs)
    return emitError(loc) << llvm::toString(outputs.takeError());
  return std::make_unique<ExampleMinibatch>(*chain, denominator, options.chain,
                                            std::move(*outputs), isInputNode);
}

/// The components as the trainer counts them.
LogicalResult TrainRun::findNames() {
  auto model = trainer.getModel();
  if (!model.ok())
    return emitError(network.getLoc()) << model.status().message();
  for (int32_t i = 0; i < (*model)->numComponents(); ++i)
    componentNames.emplace_back((*model)->componentName(i));
  return success();
}

LogicalResult TrainRun::train(const ExampleQueue::Entry &entry) {
  Location loc = NameLoc::get(
      StringAttr::get(network.getContext(), "example " + entry.key));
  if (failed(checkKind(entry.example, loc)))
    return failure();
  auto program = prepare(entry.example, loc);
  if (failed(program))
    return failure();
  auto minibatch = makeMinibatch(entry.example, loc);
  if (failed(minibatch))
    return failure();
  auto step = trainer.train(*program, (*minibatch)->get());
  if (!step.ok())
    return emitError(loc) << step.status().message();
  if (componentNames.empty() && failed(findNames()))
    return failure();
  record->add(log.getNumMinibatches(), *step,
              trainer.getMaxChangeCounts().latest);
  log.add(*step);
  log.printMaxChange(trainer.getMaxChangeCounts(),
                     options.training.maxParamChange, componentNames);
  log.showProgress();
  if (step->refused)
    llvm::errs() << "WARNING (nnet3-train[" NNET3_VERSION
                    "]) Infinite parameter change, will not apply.\n";
  return success();
}

LogicalResult TrainRun::trainAll() {
  TableOptions tableOptions;
  tableOptions.allowScpPipes = options.allowScpPipes;
  tableOptions.warn = [](StringRef message) {
    llvm::errs() << (message + "\n").str();
  };
  auto examples = ExampleQueue::open(options.examples, tableOptions);
  if (!examples)
    return check(examples.takeError());
  while (true) {
    auto entry = (*examples)->next();
    if (!entry)
      return check(entry.takeError());
    if (!*entry)
      break;
    if (failed(train(**entry)))
      return failure();
  }
  if (log.getNumMinibatches() == 0)
    return check(makeFileError(options.examples, "there are no examples"));
  return success();
}

LogicalResult TrainRun::write() {
  auto model = trainer.getModel();
  if (!model.ok())
    return emitError(network.getLoc()) << model.status().message();
  OwningOpRef<NetworkOp> trained = exportModel(**model, network);
  if (failed(writeModel(*trained, file->getStream(), options.binary)) ||
      failed(check(file->flush())))
    return failure();
  return check(file->commit());
}

LogicalResult TrainRun::run() {
  auto opened = OutputFile::create(options.trainedModel);
  if (!opened)
    return check(opened.takeError());
  file = std::move(*opened);
  auto recorded = TrainingRecord::open(options.log);
  if (!recorded)
    return check(recorded.takeError());
  record = std::move(*recorded);
  if (failed(readDenominator()) || failed(trainAll()) ||
      failed(check(record->close())))
    return failure();
  const bool any = log.printTotal(trainer.getMaxChangeCounts(), componentNames);
  if (failed(write()))
    return failure();
  return success(any);
}

static LogicalResult run(MLIRContext *context, const TrainOptions &options) {
  OwningOpRef<ModuleOp> module =
      loadModel(options.model, context, options.initSeed);
  if (!module)
    return failure();
  NetworkOp network = getOnlyNetwork(*module);
  if (!network)
    return failure();
  RunnerOptions runnerOptions;
  runnerOptions.cacheCapacity = options.cacheCapacity;
  runnerOptions.optimization = options.optimization;
  auto interpreter = NnetRunner::create(network, runnerOptions);
  if (failed(interpreter))
    return failure();
  if (options.backend == "interpreter") {
    CpuTrainer trainer(**interpreter, options.training);
    return TrainRun(network, **interpreter, trainer, options).run();
  }
  auto trainer = CudaTrainer::create(**interpreter, options.training);
  if (failed(trainer))
    return failure();
  return TrainRun(network, **interpreter, **trainer, options).run();
}

int mlir::nnet3::trainMain(int argc, char **argv) {
  TrainOptions options;
  OptionParser parser(kUsage);
  options.registerOptions(parser);
  auto positional = parser.parse(llvm::ArrayRef(argv + 1, argc - 1));
  if (!positional) {
    llvm::errs() << llvm::toString(positional.takeError()) << "\n";
    return 1;
  }
  if (parser.wantsText())
    return parser.printText();
  if (options.printArgs)
    printArguments(llvm::ArrayRef(argv, argc));
  if (positional->empty()) {
    parser.printHelp(llvm::errs());
    return 1;
  }
  if (llvm::Error error = options.finish(*positional)) {
    llvm::errs() << llvm::toString(std::move(error)) << "\n";
    return 1;
  }
  DialectRegistry registry;
  registerStageDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadDialect<Nnet3Dialect, memref::MemRefDialect>();
  context.printOpOnDiagnostic(false);
  LineDiagnosticHandler handler(&context, llvm::errs());
  return succeeded(run(&context, options)) ? 0 : 1;
}
