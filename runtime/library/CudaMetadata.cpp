//===- CudaMetadata.cpp - GPU code in a library's metadata ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CudaMetadata.h"

namespace nnet3 {
namespace rt {

namespace {
class Reader : BufferChecker {
public:
  Reader(const schema::Library &root, uint64_t size)
      : BufferChecker(size), root(root) {}

  Status read(cuda::DeviceCode &code);
  Status readRequest(size_t number, const LibraryRequest &request,
                     cuda::DeviceRequest &to);

private:
  void readKernel(const schema::DeviceKernel &from, cuda::Kernel &to);
  std::vector<cuda::DeviceMatrix>
  getMatrices(const std::vector<PlacedMatrix> &matrices);

  const schema::Library &root;
};
} // namespace

static cuda::Product getProduct(const schema::DeviceProduct &from) {
  cuda::Product to;
  to.rows = from.rows();
  to.columns = from.columns();
  to.depth = from.depth();
  to.inputStride = from.input_stride();
  to.weightsStride = from.weights_stride();
  to.outputStride = from.output_stride();
  to.batches = from.batches();
  to.inputBatch = from.input_batch();
  to.outputBatch = from.output_batch();
  to.beta = from.beta();
  to.epilogue = from.epilogue();
  to.factorType = from.factor_type();
  return to;
}

void Reader::readKernel(const schema::DeviceKernel &from, cuda::Kernel &to) {
  if (from.name())
    to.name = from.name()->str();
  if (to.name.empty() == !from.product())
    return fail("a kernel expects either a name or a product");
  to.blocksX = from.blocks_x();
  to.blocksY = from.blocks_y();
  to.threads = from.threads();
  to.numPlaces = from.num_places();
  if (from.form() > static_cast<uint8_t>(cuda::Form::Apart))
    return fail("a kernel is of an unknown form");
  to.form = static_cast<cuda::Form>(from.form());
  if (from.product())
    to.product = getProduct(*from.product());
}

Status Reader::read(cuda::DeviceCode &code) {
  const schema::DeviceCode *device = root.device();
  if (!device)
    return invalidProgram("there is no code for a GPU");
  if (root.precision())
    code.precision = root.precision()->str();
  claim(device->kernels());
  if (device->ptx())
    for (const schema::DevicePtx *ptx : *device->ptx()) {
      claim(ptx->text());
      if (error.ok())
        code.ptx.push_back({ptx->arch(), ptx->text()->str()});
    }
  if (device->kernels())
    for (const schema::DeviceKernel *kernel : *device->kernels()) {
      if (kernel->name())
        claim(kernel->name());
      if (!error.ok())
        return error;
      readKernel(*kernel, code.kernels.emplace_back());
    }
  return error;
}

std::vector<cuda::DeviceMatrix>
Reader::getMatrices(const std::vector<PlacedMatrix> &matrices) {
  std::vector<cuda::DeviceMatrix> result;
  for (const PlacedMatrix &matrix : matrices) {
    if (matrix.stride != matrix.info.cols)
      fail("matrix '" + std::string(matrix.info.name) +
           "' has gaps between its rows");
    result.push_back({matrix.offset, matrix.info.rows, matrix.info.cols});
  }
  return result;
}

Status Reader::readRequest(size_t number, const LibraryRequest &request,
                           cuda::DeviceRequest &to) {
  to.arenaFloats = request.arenaFloats;
  to.inputs = getMatrices(request.inputs);
  to.outputs = getMatrices(request.outputs);
  const schema::LibraryRequest &from = *root.requests()->Get(number);
  if (from.random())
    to.random = *from.random();
  const auto *launches = from.launches();
  claim(launches);
  if (launches && error.ok())
    to.launches.assign(launches->begin(), launches->end());
  return error;
}

Status readCudaMetadata(const nnet3lib_model &model, cuda::DeviceCode &code,
                        std::vector<cuda::DeviceRequest> &requests) {
  Reader reader(*model.root, model.metadataSize);
  Status status = reader.read(code);
  code.rowTables = model.rowTables;
  code.algorithms = model.tuning;
  code.algorithmBytes = model.tuningSize;
  if (status.ok() && !model.calls.empty())
    status = invalidProgram("a library for a GPU calls components");
  requests.resize(model.requests.size());
  for (size_t i = 0; i < requests.size() && status.ok(); ++i)
    status = reader.readRequest(i, model.requests[i], requests[i]);
  return status;
}

} // namespace rt
} // namespace nnet3
