//===- Case.cpp - A random network, a request, and what comes out ---------===//

#include "Case.h"

#include "nnet3/Target/Program/ProgramEmitter.h"
#include "nnet3/runtime/Runtime.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"

using namespace nnet3::property;
using namespace mlir::nnet3;

std::unique_ptr<mlir::MLIRContext> nnet3::property::makeContext() {
  auto context = std::make_unique<mlir::MLIRContext>(
      mlir::MLIRContext::Threading::DISABLED);
  context->loadDialect<Nnet3Dialect, mlir::memref::MemRefDialect>();
  return context;
}

std::string nnet3::property::print(mlir::Operation *op) {
  std::string text;
  llvm::raw_string_ostream os(text);
  op->print(os, mlir::OpPrintingFlags().useLocalScope().assumeVerified());
  return text;
}

//===----------------------------------------------------------------------===//
// Case
//===----------------------------------------------------------------------===//

std::unique_ptr<Case> Case::generate(mlir::MLIRContext &context,
                                     uint64_t seed) {
  // Several tests have the same cases.
  static std::map<uint64_t, std::pair<RandomNetwork, RandomRequest>> cache;
  std::unique_ptr<Case> test(new Case(context, seed));
  auto [entry, isNew] = cache.try_emplace(seed);
  auto &[network, request] = entry->second;
  if (isNew) {
    Random random(seed);
    // The families take turns.
    network = generateNetwork(random, int(seed % getFamilies().size()));
    test->network = network;
    test->parse();
    if (!test->error.empty())
      return test;
    request = generateRequest(random, network, test->getNetworkOp());
  }
  test->network = network;
  test->request = request;
  test->parse();
  return test;
}

std::unique_ptr<Case> Case::withRequest(const RandomRequest &other) const {
  std::unique_ptr<Case> test(new Case(context, seed));
  test->network = network;
  test->request = other;
  test->parse();
  return test;
}

void Case::parse() {
  std::string text = network.text;
  if (!request.outputs.empty())
    text += request.str();
  mlir::ScopedDiagnosticHandler handler(&context,
                                        [&](mlir::Diagnostic &diagnostic) {
                                          error += diagnostic.str() + "\n";
                                          return mlir::success();
                                        });
  module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
}

std::string Case::reproducer() const {
  std::string text = "seed " + std::to_string(seed) + ", family " +
                     network.family + "\n" + network.text;
  text += request.str();
  for (const RandomIo &io : request.inputs) {
    text += "// " + io.node + " = [";
    for (float value : io.values)
      text += " " + toText(value);
    text += " ]\n";
  }
  return text;
}

NetworkOp Case::getNetworkOp() const {
  return *mlir::ModuleOp(*module).getOps<NetworkOp>().begin();
}

RequestOp Case::getRequestOp() const {
  return *mlir::ModuleOp(*module).getOps<RequestOp>().begin();
}

ReferenceEvaluator Case::makeEvaluator() const {
  ReferenceEvaluator evaluator(getNetworkOp());
  for (const RandomIo &io : request.inputs) {
    int node = evaluator.find(io.node);
    int64_t dim = evaluator.getDim(node);
    auto value = io.values.begin();
    for (const Index &row : io.rows) {
      evaluator.supply({node, row}, Vector(value, value + dim));
      value += dim;
    }
  }
  return evaluator;
}

std::vector<Row> Case::getWanted(const ReferenceEvaluator &evaluator) const {
  std::vector<Row> wanted;
  for (const RandomIo &io : request.outputs)
    for (const Index &row : io.rows)
      wanted.push_back({evaluator.find(io.node), row});
  return wanted;
}

//===----------------------------------------------------------------------===//
// Compiling and running
//===----------------------------------------------------------------------===//

Compiled nnet3::property::compile(const Case &test, bool foldSequences,
                                  bool debugInfo) {
  Compiled result;
  mlir::ModuleOp module = test.getModule();
  mlir::ScopedDiagnosticHandler handler(
      module.getContext(), [&](mlir::Diagnostic &diagnostic) {
        result.diagnostics += diagnostic.str() + "\n";
        return mlir::success();
      });
  mlir::FailureOr<NodeTable> nodes = NodeTable::get(test.getNetworkOp());
  if (mlir::failed(nodes))
    return result;
  mlir::OpBuilder builder = mlir::OpBuilder::atBlockEnd(module.getBody());
  CompileOptions options;
  options.foldSequences = foldSequences;
  options.debugInfo = debugInfo;
  mlir::FailureOr<ComputationOp> computation = compileRequest(
      builder, test.getNetworkOp(), *nodes, test.getRequestOp(), options);
  if (mlir::succeeded(computation))
    result.op = *computation;
  return result;
}

std::string nnet3::property::emit(const Case &test, ComputationOp computation) {
  mlir::FailureOr<ParameterBlob> blob =
      ParameterBlob::create(test.getNetworkOp());
  if (mlir::failed(blob))
    return "";
  mlir::FailureOr<std::string> bytes =
      emitProgram(computation, *blob, test.getRequestOp());
  return mlir::succeeded(bytes) ? *bytes : "";
}

/// Copies the outputs of an instance that has run.
static Outputs readOutputs(const nnet3::runtime::Instance &instance) {
  Outputs result;
  for (const nnet3::runtime::IoInfo &info : instance.program().outputs()) {
    auto view = instance.output(info.name);
    if (!view.ok())
      return {{}, view.status().message()};
    std::vector<float> &values = result.values[std::string(info.name)];
    for (int32_t row = 0; row < view->rows; ++row)
      values.insert(values.end(), view->row(row), view->row(row) + view->cols);
  }
  return result;
}

Outputs nnet3::property::run(const Case &test, ComputationOp computation,
                             bool poison) {
  using namespace ::nnet3::runtime;
  mlir::FailureOr<ParameterBlob> blob =
      ParameterBlob::create(test.getNetworkOp());
  if (mlir::failed(blob))
    return {{}, "no parameters"};
  mlir::FailureOr<std::string> bytes =
      emitProgram(computation, *blob, test.getRequestOp());
  if (mlir::failed(bytes))
    return {{}, "cannot emit the program"};
  LoadOptions load;
  load.weights = blob->getData().get();
  load.weightsSize = blob->getSize();
  auto program = Program::load(bytes->data(), bytes->size(), load);
  if (!program.ok())
    return {{}, program.status().message()};
  InstanceOptions options;
  options.poison = poison;
  auto instance = Instance::create(*program, options);
  if (!instance.ok())
    return {{}, instance.status().message()};
  for (const RandomIo &io : test.getRequest().inputs) {
    int32_t rows = io.rows.size(), cols = io.values.size() / io.rows.size();
    nnet3rt_status code =
        (*instance)
            ->setInput(io.node, {io.values.data(), rows, cols, cols})
            .statusCode();
    if (code != NNET3RT_OK)
      return {{}, "cannot set input " + io.node};
  }
  if (Status status = (*instance)->run(); !status.ok())
    return {{}, status.message()};
  return readOutputs(**instance);
}
