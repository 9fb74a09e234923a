//===- DeviceModel.cpp - A model on a GPU ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/runtime/cuda/DeviceModel.h"

#include <cstring>

namespace nnet3 {
namespace rt {
namespace cuda {

Result<std::unique_ptr<DeviceModel>>
DeviceModel::create(std::shared_ptr<const DeviceWeights> weights,
                    std::shared_ptr<const DeviceCode> code) {
  std::unique_ptr<DeviceModel> model(
      new DeviceModel(std::move(weights), std::move(code)));
  Status status = model->open();
  if (!status.ok())
    return status;
  return std::move(model);
}

DeviceModel::~DeviceModel() {
  const auto lock = lockRecording();
  ContextScope scope(api, getContext());
  if (scope.isOver())
    return;
  if (blasLt)
    api.blasLt.destroy(blasLt);
  if (module)
    api.driver.moduleUnload(module);
  rowTables.release();
}

Status DeviceModel::open() {
  ContextScope scope(api, getContext());
  if (scope.getError())
    return makeStatus(api, scope.getError(), "making a context current");
  Status status = findComputeType();
  if (status.ok())
    status = loadModule();
  if (status.ok())
    status = loadFunctions();
  if (!status.ok())
    return status;
  api.tell("the kernels are compiled");
  // Without cuBLASLt, kernels compute the epilogues of matmuls.
  if (api.hasBlasLt && api.blasLt.create(&blasLt) != 0)
    blasLt = nullptr;
  if (blasLt && code->algorithms)
    if (auto machine = getMachine(); machine.ok())
      known = readAlgorithms(*machine, code->algorithms, code->algorithmBytes);
  const std::vector<int32_t> &tables = code->rowTables;
  const Error error =
      rowTables.upload(tables.data(), sizeof(int32_t) * tables.size());
  return error ? makeStatus(api, error, "copying the row tables") : Status();
}

Result<int> DeviceModel::getArch() const {
  int major = 0, minor = 0;
  Error error = api.driver.deviceGetAttribute(&major, kComputeCapabilityMajor,
                                              weights->getDevice());
  if (error == 0)
    error = api.driver.deviceGetAttribute(&minor, kComputeCapabilityMinor,
                                          weights->getDevice());
  if (error)
    return makeStatus(api, error, "asking for its architecture");
  return 10 * major + minor;
}

Result<Machine> DeviceModel::getMachine() const {
  auto arch = getArch();
  if (!arch.ok())
    return arch.status();
  if (!blasLt)
    return Status(NNET3RT_NO_DEVICE, "cuBLASLt is not on this machine");
  Machine machine;
  machine.arch = *arch;
  char name[sizeof(machine.device)] = "";
  Error error =
      api.driver.deviceGetName(name, sizeof(name) - 1, weights->getDevice());
  std::strncpy(machine.device, name, sizeof(name) - 1);
  for (int property : {kVersionMajor, kVersionMinor, kVersionPatch}) {
    int value = 0;
    if (error == 0)
      error = api.blasLt.getProperty(property, &value);
    machine.blasLtVersion = 1000 * machine.blasLtVersion + value;
  }
  if (error)
    return makeStatus(api, error, "asking for its name");
  return machine;
}

/// Returns the PTX of the highest architecture that the device supports.
Result<const DevicePtx *> DeviceModel::choosePtx() const {
  auto arch = getArch();
  if (!arch.ok())
    return arch.status();
  const DevicePtx *best = nullptr;
  for (const DevicePtx &ptx : code->ptx)
    if (ptx.arch <= *arch && (!best || ptx.arch > best->arch))
      best = &ptx;
  if (!best)
    return Status(NNET3RT_NO_DEVICE, "the GPU is an sm_" +
                                         std::to_string(*arch) +
                                         ", for which there is no code");
  return best;
}

Status DeviceModel::findComputeType() {
  static constexpr std::pair<const char *, int> kTypes[] = {
      {"f32", kCompute32},
      {"tf32", kComputeTf32},
      {"bf16", kComputeBf16},
      {"fp16", kComputeFp16}};
  for (auto [name, type] : kTypes)
    if (code->precision == name) {
      computeType = type;
      return Status();
    }
  return invalidProgram("a GPU has no precision '" + code->precision + "'");
}

Status DeviceModel::loadModule() {
  if (code->ptx.empty())
    return Status();
  auto ptx = choosePtx();
  if (!ptx.ok())
    return ptx.status();
  std::string log(4096, '\0');
  int options[] = {kJitErrorLog, kJitErrorLogBytes};
  void *values[] = {log.data(), reinterpret_cast<void *>(log.size() - 1)};
  const Error error =
      api.driver.moduleLoad(&module, (*ptx)->text.c_str(), 2, options, values);
  if (error == 0)
    return Status();
  module = nullptr;
  log.resize(std::strlen(log.c_str()));
  Status status = makeStatus(api, error, "compiling the kernels");
  return Status(status.statusCode(),
                status.message() + (log.empty() ? "" : "; it says: " + log));
}

Status DeviceModel::loadFunctions() {
  for (const Kernel &kernel : code->kernels) {
    Function function = nullptr;
    if (!kernel.name.empty() && !module)
      return invalidProgram("there is no code of kernel '" + kernel.name + "'");
    if (!kernel.name.empty())
      if (Error error = api.driver.moduleGetFunction(&function, module,
                                                     kernel.name.c_str()))
        return makeStatus(api, error, "finding kernel '" + kernel.name + "'");
    functions.push_back(function);
  }
  return Status();
}

ProductPlaces DeviceModel::getPlaces(const Product &product, Pointer arena,
                                     const int64_t *places) const {
  auto inArena = [&](int64_t place) { return arena + sizeof(float) * place; };
  auto inWeights = [&](int64_t place) {
    return weights->get() + sizeof(float) * place;
  };
  ProductPlaces result;
  result.weights = product.factors == ProductFactors::WeightDerivative
                       ? inArena(places[0])
                       : inWeights(places[0]);
  result.input = inArena(places[1]);
  result.output = inArena(places[2]);
  if (product.epilogue & Product::kBias)
    result.bias = inWeights(places[3]);
  return result;
}

const BlasLtAlgo *DeviceModel::findAlgo(size_t number,
                                        const ProductPlaces &places) const {
  const Product &product = getKernel(number).product;
  if (!blasLt || (!product.epilogue && known.empty()))
    return nullptr;
  // Algorithms read 16 bytes of a bias at once; the alignment preferences of
  // cuBLASLt cover the matrices only.
  if (places.bias % FusedProduct::kBiasAlignment != 0)
    return nullptr;
  const AlgorithmKey key(number, FusedProduct::getAlignment(product, places));
  const std::lock_guard<std::mutex> lock(mutex);
  auto [found, isNew] = algos.try_emplace(key);
  if (isNew) {
    const FusedProduct call(api.blasLt, product, places,
                            getComputeType(product));
    BlasLtAlgo best;
    const auto kept = known.find(key);
    if (kept != known.end() &&
        call.check(blasLt, kBlasWorkspaceBytes, kept->second) == 0)
      found->second = kept->second;
    else if (product.epilogue &&
             call.find(blasLt, kBlasWorkspaceBytes, best) == 0)
      found->second = best;
  }
  return found->second ? &*found->second : nullptr;
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

static bool isInside(const DeviceMatrix &matrix, uint64_t floats) {
  const uint64_t size = static_cast<uint64_t>(matrix.rows) * matrix.cols;
  return matrix.rows > 0 && matrix.cols > 0 && matrix.place <= floats &&
         size <= floats - matrix.place;
}

namespace {
/// Batches of rows that a matmul reads or writes.
struct Rows {
  int64_t place, batches, distance, rows, stride, columns;

  /// Whether all rows are within \p floats floats.
  bool isInside(uint64_t floats) const {
    const auto end = static_cast<int64_t>(floats);
    if (place < 0 || place >= end || distance < 0 || distance > end ||
        batches <= 0 || rows <= 0 || stride < columns || columns <= 0)
      return false;
    // Counts and strides have 32 bits, so nothing overflows.
    const int64_t last = place + (rows - 1) * stride + columns;
    return last <= end &&
           (distance == 0 || batches - 1 <= (end - last) / distance);
  }
};
} // namespace

static bool isInside(const Product &product, const int64_t *places,
                     uint64_t weights, uint64_t arena) {
  if (product.epilogue & Product::kBias &&
      !Rows{places[3], 1, 0, 1, product.columns, product.columns}.isInside(
          weights))
    return false;
  const bool isForward = product.factors == ProductFactors::Forward;
  const bool isOfWeights = product.factors == ProductFactors::WeightDerivative;
  const int64_t rows = product.rows, columns = product.columns,
                depth = product.depth;
  const int64_t perFloat = 4 / product.getFactorBytes();
  // Operand rows of 16-bit elements must begin at whole floats.
  if (product.weightsStride % perFloat || product.inputStride % perFloat ||
      product.inputBatch % perFloat)
    return false;
  auto floats = [&](int64_t numbers) {
    return (numbers + perFloat - 1) / perFloat;
  };
  const Rows factor = {places[0],
                       1,
                       0,
                       isForward ? columns : depth,
                       floats(product.weightsStride),
                       floats(isForward ? depth : columns)};
  const Rows input = {places[1],
                      product.batches,
                      floats(product.inputBatch),
                      isOfWeights ? depth : rows,
                      floats(product.inputStride),
                      floats(isOfWeights ? rows : depth)};
  const Rows output = {places[2], product.batches,      product.outputBatch,
                       rows,      product.outputStride, columns};
  return factor.isInside(isOfWeights ? arena : weights) &&
         input.isInside(arena) && output.isInside(arena);
}

/// Whether a step has the offset that it needs, and its rows are in the arena.
static bool isInside(const Kernel &kernel, const int64_t *places,
                     uint64_t arena) {
  const Step &step = *kernel.step;
  if (step.component.empty() && !step.sums)
    return kernel.numPlaces == 0;
  return kernel.numPlaces == 1 &&
         Rows{places[0], 1, 0, step.rows, step.stride, step.columns}.isInside(
             arena);
}

/// Whether a matmul's epilogue is valid for its form and its number of offsets,
/// and its operands have a known type.
static bool hasRightPlaces(const Kernel &kernel) {
  const int32_t epilogue = kernel.product.epilogue;
  const int32_t type = kernel.product.factorType;
  return (type == kFloat32 || type == kFloat16 || type == kBfloat16) &&
         (type == kFloat32 ||
          kernel.product.factors == ProductFactors::Forward) &&
         (epilogue & ~(Product::kBias | Product::kRelu)) == 0 &&
         (epilogue == 0 || kernel.form == Form::Fused) &&
         kernel.numPlaces == (epilogue & Product::kBias ? 4 : 3);
}

Status DeviceModel::check(const DeviceRequest &request) const {
  for (const auto *list : {&request.inputs, &request.outputs})
    for (const DeviceMatrix &matrix : *list)
      if (!cuda::isInside(matrix, request.arenaFloats))
        return invalidProgram("a matrix is outside of the arena");
  if (request.random &&
      !cuda::isInside({*request.random, 1, 4}, request.arenaFloats))
    return invalidProgram("the state of random numbers is outside of the "
                          "arena");
  for (const DeviceStatistics &entry : request.statistics)
    if (entry.place > request.arenaFloats ||
        entry.size > (request.arenaFloats - entry.place) / 2)
      return invalidProgram("statistics are outside of the arena");
  const std::vector<int64_t> &launches = request.launches;
  for (size_t at = 0; at < launches.size();) {
    const int64_t number = launches[at];
    if (number < 0 || static_cast<size_t>(number) >= code->kernels.size())
      return invalidProgram("there is no kernel " + std::to_string(number));
    const Kernel &kernel = code->kernels[number];
    if (kernel.numPlaces > launches.size() - at - 1)
      return invalidProgram("the list of launches ends in one of kernel " +
                            std::to_string(number));
    if (kernel.step &&
        !cuda::isInside(kernel, &launches[at + 1], request.arenaFloats))
      return invalidProgram("step " + std::to_string(number) +
                            " is outside of the arena");
    if (kernel.name.empty() && !kernel.step &&
        (!hasRightPlaces(kernel) ||
         !cuda::isInside(kernel.product, &launches[at + 1],
                         weights->getBytes() / sizeof(float),
                         request.arenaFloats)))
      return invalidProgram("matmul " + std::to_string(number) +
                            " is outside of the arena or the weights");
    at += 1 + kernel.numPlaces;
  }
  return Status();
}

} // namespace cuda
} // namespace rt
} // namespace nnet3
