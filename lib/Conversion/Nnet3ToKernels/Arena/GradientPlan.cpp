//===- GradientPlan.cpp - Layout of parameter gradients -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GradientPlan.h"

#include "nnet3/Dialect/Kernel/IR/KernelDialect.h"

using namespace mlir;
using namespace mlir::nnet3;

int64_t GradientPlan::get(StringAttr component, StringAttr parameter,
                          int64_t place, int64_t rows, int64_t columns) {
  return gradients
      .insert({{component, parameter},
               {place, rows, columns, WrittenParts(rows, columns)}})
      .first->second.place;
}

/// Returns the gradient that contains `part`, and the part as rows and columns
/// of it; the whole gradient if `part` is not such a rectangle.
std::pair<GradientPlan::Gradient *, WrittenPart>
GradientPlan::find(const ArenaRows &part) {
  auto *found = llvm::find_if(gradients, [&](const auto &entry) {
    const Gradient &gradient = entry.second;
    return part.place >= gradient.place &&
           part.place < gradient.place + gradient.rows * gradient.columns;
  });
  if (found == gradients.end())
    return {nullptr, {}};
  Gradient &gradient = found->second;
  const int64_t columns = gradient.columns,
                row = (part.place - gradient.place) / columns,
                column = (part.place - gradient.place) % columns,
                size = part.rows * part.columns;
  const bool isContiguous = part.rows == 1 || part.stride == part.columns;
  if (isContiguous && column == 0 && size % columns == 0)
    return {&gradient, {row, size / columns, 0, columns}};
  if (isContiguous && column + size <= columns)
    return {&gradient, {row, 1, column, size}};
  if (part.stride == columns && column + part.columns <= columns)
    return {&gradient, {row, part.rows, column, part.columns}};
  return {&gradient, {0, gradient.rows, 0, columns}};
}

bool GradientPlan::write(ArrayRef<ArenaRows> parts) {
  auto found = llvm::map_to_vector(
      parts, [&](const ArenaRows &part) { return find(part); });
  const bool areNew =
      llvm::all_of(llvm::zip_equal(parts, found), [](auto each) {
        const auto &[rows, place] = each;
        const auto &[gradient, part] = place;
        return gradient &&
               rows.rows * rows.columns == part.rows * part.columns &&
               gradient->written.isNew(part);
      });
  for (auto &[gradient, part] : found) {
    if (areNew)
      gradient->written.write(part);
    else if (gradient)
      gradient->written.add(part);
  }
  return areNew;
}

std::optional<std::pair<int64_t, int64_t>> GradientPlan::getZeros() const {
  std::optional<std::pair<int64_t, int64_t>> zeros;
  for (const auto &[key, gradient] : gradients) {
    if (gradient.written.getZeros().empty())
      continue;
    const int64_t end = gradient.place + gradient.rows * gradient.columns;
    zeros = zeros ? std::pair(std::min(zeros->first, gradient.place),
                              std::max(zeros->second, end))
                  : std::pair(gradient.place, end);
  }
  return zeros;
}

void GradientPlan::forEachOf(
    StringAttr component,
    function_ref<void(StringAttr, const ArenaRows &)> fn) const {
  for (const auto &[key, gradient] : gradients)
    if (key.first == component)
      fn(key.second,
         {gradient.place, gradient.rows, gradient.columns, gradient.columns});
}

ArrayAttr GradientPlan::get() const {
  if (gradients.empty())
    return {};
  SmallVector<Attribute> list;
  for (const auto &[key, gradient] : gradients)
    list.push_back(kernel::GradientAttr::get(key.first.getContext(), key.first,
                                             key.second, gradient.place,
                                             gradient.rows, gradient.columns));
  return ArrayAttr::get(list.front().getContext(), list);
}
