//===- UpdateKernels.cpp - The kernels of training steps ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "UpdateKernels.h"

#include <algorithm>
#include <cstring>

namespace nnet3 {
namespace rt {
namespace cuda {

Result<std::unique_ptr<UpdateKernels>>
UpdateKernels::create(std::shared_ptr<const DeviceWeights> device,
                      std::shared_ptr<const DeviceCode> code) {
  auto model = DeviceModel::create(std::move(device), code);
  if (!model.ok())
    return model.status();
  std::unique_ptr<UpdateKernels> kernels(new UpdateKernels(std::move(*model)));
  Status status = kernels->find(*code);
  if (!status.ok())
    return status;
  return std::move(kernels);
}

Status UpdateKernels::find(const DeviceCode &code) {
  static constexpr std::pair<const char *, uint32_t> kKernels[NumKinds] = {
      {"update_add", 4},     {"update_scale", 3},      {"update_dot", 4},
      {"update_squares", 5}, {"update_rescale", 6},    {"update_add_rows", 5},
      {"update_gram", 4},    {"update_add_number", 4}, {"update_sum", 4},
      {"update_gather", 5},  {"update_add_doubles", 5}};
  for (size_t kind = 0; kind < NumKinds; ++kind) {
    const auto [name, numPlaces] = kKernels[kind];
    const auto known = std::find_if(
        code.kernels.begin(), code.kernels.end(),
        [name = name](const Kernel &kernel) { return kernel.name == name; });
    if (known == code.kernels.end() || known->numPlaces != numPlaces ||
        (known->blocksX != kParts && kind != Gram))
      return invalidProgram("there is no kernel '" + std::string(name) +
                            "' as training steps launch it");
    numbers[kind] = known - code.kernels.begin();
  }
  return Status();
}

Error UpdateKernels::launch(Kind kind, Stream stream, Pointer to, Pointer from,
                            std::initializer_list<int64_t> places,
                            Pointer tables) const {
  const Kernel &kernel = model->getKernel(numbers[kind]);
  Pointer pointers[] = {to, from, tables};
  std::vector<void *> parameters = {&pointers[0], &pointers[1], &pointers[2]};
  for (const int64_t &place : places)
    parameters.push_back(const_cast<int64_t *>(&place));
  return model->getApi().driver.launchKernel(
      model->getFunction(numbers[kind]), kernel.blocksX, kernel.blocksY, 1,
      kernel.threads, 1, 1, /*sharedBytes=*/0, stream, parameters.data(),
      nullptr);
}

static int64_t getBits(float number) {
  int32_t bits;
  std::memcpy(&bits, &number, sizeof(bits));
  return bits;
}

/// The offset of \p pointer from \p base, in floats.
static int64_t getPlace(Pointer pointer, Pointer base) {
  return static_cast<int64_t>((pointer - base) / sizeof(float));
}

Error UpdateKernels::add(Stream stream, Pointer y, Pointer x, int64_t count,
                         float a) const {
  return launch(Add, stream, y, x, {0, 0, count, getBits(a)});
}

static int64_t getBits(double number) {
  int64_t bits;
  std::memcpy(&bits, &number, sizeof(bits));
  return bits;
}

Error UpdateKernels::addDoubles(Stream stream, Pointer y, Pointer x,
                                int64_t count, double a, double b) const {
  return launch(AddDoubles, stream, y, x,
                {0, 0, count, getBits(a), getBits(b)});
}

Error UpdateKernels::scale(Stream stream, Pointer y, int64_t count,
                           float a) const {
  return launch(Scale, stream, y, y, {0, count, getBits(a)});
}

Error UpdateKernels::dot(Stream stream, Pointer sum, Pointer x, Pointer y,
                         int64_t count) const {
  const Pointer base = std::min(x, y);
  return launch(Dot, stream, sum, base,
                {0, getPlace(x, base), getPlace(y, base), count});
}

Error UpdateKernels::squares(Stream stream, Pointer sum,
                             const DeviceView &x) const {
  return launch(Squares, stream, sum, x.data,
                {0, 0, x.rows, x.columns, x.stride});
}

Error UpdateKernels::rescale(Stream stream, const DeviceView &x, Pointer before,
                             Pointer after) const {
  const Pointer base = std::min(before, after);
  return launch(Rescale, stream, x.data, base,
                {0, getPlace(before, base), getPlace(after, base), x.rows,
                 x.columns, x.stride});
}

Error UpdateKernels::addRows(Stream stream, Pointer y, Pointer x, Pointer list,
                             int64_t rows, int64_t columns) const {
  const Pointer base = std::min(x, list);
  return launch(AddRows, stream, y, base,
                {0, getPlace(x, base), getPlace(list, base), rows, columns});
}

Error UpdateKernels::gram(Stream stream, Pointer y, Pointer x, int64_t rows,
                          int64_t columns) const {
  return launch(Gram, stream, y, x, {0, 0, rows, columns});
}

Error UpdateKernels::addToDiagonal(Stream stream, Pointer y, int64_t size,
                                   float number) const {
  return launch(AddNumber, stream, y, y, {0, size, size + 1, getBits(number)});
}

Error UpdateKernels::trace(Stream stream, Pointer sum, Pointer x,
                           int64_t size) const {
  return launch(Sum, stream, sum, x, {0, 0, size, size + 1});
}

Error UpdateKernels::gather(Stream stream, Pointer y, Pointer x, Pointer tables,
                            int64_t table, int64_t count, float least) const {
  return launch(Gather, stream, y, x, {0, 0, table, count, getBits(least)},
                tables);
}

} // namespace cuda
} // namespace rt
} // namespace nnet3
