//===- CudaRunner.cpp - Requests by a GPU ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Execution/CudaRunner.h"
#include "LoweredRequest.h"
#include "RequestTimer.h"
#include "nnet3/Pipelines/DeviceCode.h"
#include "nnet3/Target/Cuda/DeviceProgram.h"
#include "nnet3/runtime/cuda/DeviceInstance.h"
#include "nnet3/runtime/cuda/ModelStatistics.h"

#include "llvm/Support/FormatVariadic.h"

#include <cstring>

using namespace mlir;
using namespace mlir::nnet3;
namespace rt = ::nnet3::rt;
using ::nnet3::rt::ConstMatrixView;
using ::nnet3::rt::Result;
using ::nnet3::rt::Status;
namespace cuda = ::nnet3::rt::cuda;

namespace {
/// The instance of a request on the device.
class CudaInstance : public RequestInstance {
public:
  CudaInstance(DeviceProgram::Request request,
               std::unique_ptr<cuda::DeviceModel> model)
      : request(std::move(request)), model(std::move(model)) {
    addStatistics();
  }

  Status open() {
    auto made = cuda::DeviceInstance::create(*model, request.request);
    if (!made.ok())
      return made.status();
    instance = std::move(*made);
    isGiven.resize(request.inputs.size());
    if (hasStatistics()) {
      const rt::MatrixView numbers = instance->getInput(statisticsInput);
      std::fill_n(numbers.data, numbers.cols, 0.0f);
    }
    return Status();
  }

  Status setInput(StringRef name, ConstMatrixView value) override;
  Status run() override;
  Result<ConstMatrixView> output(StringRef name) const override;
  Status addGradient(rt::Model &model) const override;
  Status setStatistics(const rt::Model &model,
                       const rt::Model *gradient) override;
  Status getStatistics(rt::Model &model, rt::Model *gradient) const override;

private:
  bool hasStatistics() const { return !request.request.statistics.empty(); }
  void addStatistics();
  static std::optional<size_t> find(const std::vector<std::string> &names,
                                    StringRef name) {
    auto it = llvm::find(names, name);
    if (it == names.end())
      return std::nullopt;
    return it - names.begin();
  }

  DeviceProgram::Request request;
  std::unique_ptr<cuda::DeviceModel> model;
  std::unique_ptr<cuda::DeviceInstance> instance;
  std::vector<bool> isGiven; ///< per input, for the next run
  /// The indices of the statistics among the device's inputs and outputs.
  size_t statisticsInput = 0, statisticsOutput = 0;
};
} // namespace

Status CudaInstance::setInput(StringRef name, ConstMatrixView value) {
  auto number = find(request.inputs, name);
  if (!number)
    return rt::invalidArgument("there is no input '" + name.str() + "'");
  rt::MatrixView to = instance->getInput(*number);
  if (value.rows != to.rows || value.cols != to.cols)
    return rt::invalidArgument(
        llvm::formatv("input '{0}' expects {1} x {2}, but got {3} x {4}", name,
                      to.rows, to.cols, value.rows, value.cols)
            .str());
  for (int32_t row = 0; row < to.rows; ++row)
    std::copy_n(value.row(row), to.cols, to.row(row));
  isGiven[*number] = true;
  return Status();
}

Status CudaInstance::run() {
  for (auto [name, given] : llvm::zip_equal(request.inputs, isGiven))
    if (!given)
      return Status(NNET3RT_NOT_READY, "input '" + name + "' is missing");
  isGiven.assign(isGiven.size(), false);
  return instance->run();
}

Result<ConstMatrixView> CudaInstance::output(StringRef name) const {
  auto number = find(request.outputs, name);
  if (!number)
    return rt::invalidArgument("there is no output '" + name.str() + "'");
  return instance->getOutput(*number);
}

Status CudaInstance::addGradient(rt::Model &model) const {
  size_t number = request.outputs.size();
  for (const DeviceProgram::Gradient &gradient : request.gradients)
    if (Status status =
            model.addToParameter(gradient.component, gradient.parameter,
                                 instance->getOutput(number++));
        !status.ok())
      return status;
  return Status();
}

/// Statistics are uploaded with the inputs and downloaded with the outputs.
void CudaInstance::addStatistics() {
  cuda::DeviceRequest &device = request.request;
  if (!hasStatistics())
    return;
  const cuda::DeviceMatrix numbers = cuda::getMatrix(device.statistics);
  statisticsInput = device.inputs.size();
  statisticsOutput = device.outputs.size();
  device.inputs.push_back(numbers);
  device.outputs.push_back(numbers);
}

Status CudaInstance::setStatistics(const rt::Model &model,
                                   const rt::Model *gradient) {
  const auto &list = request.request.statistics;
  if (Status status = cuda::checkStatistics(list, model); !status.ok())
    return status;
  const std::vector<double> numbers =
      cuda::packStatistics(list, model, gradient);
  if (hasStatistics())
    std::memcpy(instance->getInput(statisticsInput).data, numbers.data(),
                sizeof(double) * numbers.size());
  return Status();
}

Status CudaInstance::getStatistics(rt::Model &model,
                                   rt::Model *gradient) const {
  const auto &list = request.request.statistics;
  if (Status status = cuda::checkStatistics(list, model); !status.ok())
    return status;
  if (!hasStatistics())
    return Status();
  const ConstMatrixView from = instance->getOutput(statisticsOutput);
  std::vector<double> numbers(from.cols / 2);
  std::memcpy(numbers.data(), from.data, sizeof(double) * numbers.size());
  cuda::unpackStatistics(list, numbers, model, gradient);
  return Status();
}

FailureOr<std::unique_ptr<CudaRunner>>
CudaRunner::create(NetworkOp network, const NativeOptions &options,
                   const cuda::CudaApi *api) {
  auto session = CudaSession::open(network, api);
  if (failed(session))
    return failure();
  FailureOr<NodeTable> nodes = NodeTable::get(network);
  if (failed(nodes))
    return failure();
  return std::unique_ptr<CudaRunner>(
      new CudaRunner(network, std::move(*nodes), options, std::move(*session)));
}

/// Loads the code of `module` onto the device.
static FailureOr<std::unique_ptr<CudaInstance>>
load(ModuleOp module, std::shared_ptr<const cuda::DeviceWeights> weights) {
  auto program = emitDeviceProgram(module, {CudaSession::kChip.str()});
  if (failed(program))
    return failure();
  auto model = cuda::DeviceModel::create(
      std::move(weights),
      std::make_shared<const cuda::DeviceCode>(std::move(program->code)));
  if (!model.ok())
    return module.emitError(model.status().message());
  auto instance = std::make_unique<CudaInstance>(
      std::move(program->requests.front()), std::move(*model));
  if (Status status = instance->open(); !status.ok())
    return module.emitError(status.message());
  return instance;
}

FailureOr<std::unique_ptr<RequestInstance>>
CudaRunner::makeInstance(RequestOp request) {
  RequestTimer timer(options.report, request);
  std::optional<TrainingCode> training;
  if (isTraining(request))
    training = {/*updates=*/false, options.optimization};
  auto module = lowerRequest(network, request, [&](OpPassManager &passes) {
    addDevicePasses(passes, Stage::Lowered, /*testMode=*/false,
                    options.precision.precision, training);
  });
  if (failed(module))
    return failure();
  auto uploaded = session.upload(**module);
  if (failed(uploaded))
    return failure();
  auto instance = load(**module, std::move(*uploaded));
  if (failed(instance))
    return failure();
  ++numCompiled;
  timer.report("compiled for the GPU");
  return std::unique_ptr<RequestInstance>(std::move(*instance));
}
