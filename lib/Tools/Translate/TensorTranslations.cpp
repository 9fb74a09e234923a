//===- TensorTranslations.cpp - Requests for other compilers --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Arithmetic/KernelInterfaces.h"
#include "nnet3/Conversion/Nnet3ToLinalg/StreamStates.h"
#include "nnet3/Dialect/Nnet3/IR/RequestOps.h"
#include "nnet3/Pipelines/TensorCode.h"
#include "nnet3/Target/Onnx/OnnxExport.h"
#include "nnet3/Target/StableHlo/StableHloExport.h"
#include "nnet3/Tools/Translate.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/Support/CommandLine.h"

namespace cl = llvm::cl;

namespace mlir::nnet3 {

/// Returns the request called `name`, or the only one if the name is empty.
static RequestOp findRequest(ModuleOp module, llvm::StringRef name) {
  auto requests = llvm::to_vector(module.getOps<RequestOp>());
  if (!name.empty())
    llvm::erase_if(requests, [&](RequestOp request) {
      return request.getSymName() != name;
    });
  if (requests.size() == 1)
    return requests.front();
  auto error = module.emitError("expects one request");
  if (!name.empty())
    error << " called '" << name << "'";
  error << ", but got " << requests.size();
  if (name.empty() && !requests.empty())
    error << "; see --onnx-request";
  return RequestOp();
}

static std::string print(Attribute indexes) {
  std::string text;
  llvm::raw_string_ostream os(text);
  indexes.print(os);
  llvm::StringRef list = text;
  list.consume_front("#nnet3.indexes");
  return list.str();
}

/// Returns the times of the rows of inputs and outputs, by name.
static std::map<std::string, std::string> getTimes(RequestOp request) {
  std::map<std::string, std::string> times;
  for (Operation &op : request.getBody().front())
    times[op.getAttrOfType<StringAttr>("name").str() + ".rows"] =
        print(op.getAttr("indexes"));
  return times;
}

/// If `request` belongs to a stream, returns its states. Each is an input X and
/// an output new_X. Updates the times in the metadata to match the inputs and
/// outputs of the model.
static std::optional<StreamStates>
takeStates(ModuleOp module, RequestOp request, OnnxNames &names) {
  std::optional<StreamStates> states;
  for (auto stream : llvm::make_early_inc_range(module.getOps<StreamOp>())) {
    if (auto found = StreamStates::get(stream, request)) {
      states = std::move(found);
      const auto rename = [&](llvm::StringRef from, const std::string &to) {
        if (auto times = names.metadata.extract((from + ".rows").str())) {
          times.key() = to + ".rows";
          names.metadata.insert(std::move(times));
        }
      };
      for (const auto &[node, rows] : states->getNewRows())
        names.metadata[node + ".rows"] = print(rows);
      names.metadata["stream"] = states->isFirst() ? "first" : "next";
      for (const auto &[node, next] : states->getNames()) {
        const std::string name = "state." + node;
        names.renamed[node] = name;
        names.renamed[next] = "new_" + name;
        rename(node, name);
        rename(next, "new_" + name);
        std::string &list = names.metadata["states"];
        list += (list.empty() ? "" : ",") + name;
      }
    }
    stream.erase();
  }
  return states;
}

namespace {
/// Options of a translation to tensors.
struct TensorOptions {
  /// The request's name; empty for the only request.
  llvm::StringRef request;
  bool testMode;
};
} // namespace

/// Writes a request's function on tensors with `write`.
static LogicalResult translate(
    TranslationInputs &inputs, const TensorOptions &options,
    llvm::function_ref<LogicalResult(func::FuncOp, const OnnxNames &)> write) {
  DialectRegistry registry;
  registerKernelModels(registry);
  inputs.context.appendDialectRegistry(registry);
  OwningOpRef<ModuleOp> module = readModule(inputs, inputs.files.front());
  if (!module)
    return failure();
  RequestOp request = findRequest(*module, options.request);
  if (!request)
    return failure();
  OnnxNames names;
  names.graph = request.getSymName().str();
  names.metadata = getTimes(request);
  auto states = takeStates(*module, request, names);
  for (RequestOp other :
       llvm::make_early_inc_range(module->getOps<RequestOp>()))
    if (other != request)
      other.erase();
  auto passes = PassManager::on<ModuleOp>(&inputs.context);
  addTensorPasses(passes, options.testMode);
  if (failed(passes.run(*module)))
    return failure();
  auto function = *module->getOps<func::FuncOp>().begin();
  if (states)
    states->expose(function);
  return write(function, names);
}

void registerTensorTranslations(std::vector<Translation> &translations) {
  static cl::opt<std::string> request(
      "onnx-request", cl::value_desc("name"), cl::cat(getTranslateCategory()),
      cl::desc("The request that --mlir-to-onnx and --mlir-to-stablehlo write, "
               "where there are several"));
  static cl::opt<bool> testMode(
      "test-mode", cl::init(true), cl::cat(getTranslateCategory()),
      cl::desc("Compute batch norm and dropout as at test time with "
               "--mlir-to-onnx and --mlir-to-stablehlo"));
  translations.push_back(
      {"mlir-to-onnx",
       "Write a network as it computes a request as an ONNX model",
       /*takesSeveral=*/false,
       [](TranslationInputs &inputs, llvm::raw_ostream &os) {
         return translate(inputs, {request, testMode},
                          [&](func::FuncOp function, const OnnxNames &names) {
                            return writeOnnx(function, names, os);
                          });
       }});
  translations.push_back(
      {"mlir-to-stablehlo",
       "Write a network as it computes a request as StableHLO",
       /*takesSeveral=*/false,
       [](TranslationInputs &inputs, llvm::raw_ostream &os) {
         return translate(inputs, {request, testMode},
                          [&](func::FuncOp function, const OnnxNames &) {
                            return writeStableHlo(function, os);
                          });
       }});
}

} // namespace mlir::nnet3
