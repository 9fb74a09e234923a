//===- BufferChecker.cpp - Checks of programs and libraries ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BufferChecker.h"

#include <algorithm>

namespace nnet3 {
namespace rt {

/// Limit of names, which messages and traces contain.
static constexpr uint32_t kMaxNameLength = 4096;

void BufferChecker::claim(const void *data, uint64_t count,
                          uint64_t elementSize) {
  // The verifier checks the alignment of the length only.
  if (reinterpret_cast<uintptr_t>(data) % elementSize != 0)
    fail("a vector of the program is not aligned");
  else if (count * elementSize > unclaimed)
    fail("the vectors of the program overlap");
  else
    unclaimed -= count * elementSize;
}

void BufferChecker::claimAttributes(const AttributeReader::List *attributes) {
  if (!attributes)
    return;
  for (const schema::Attribute *attribute : *attributes) {
    // The verifier accepts unknown union types.
    if (attribute->value_type() > schema::Value::MAX ||
        attribute->value_type() == schema::Value::NONE)
      return fail("an attribute has a value of unknown type");
    if (const auto *ints = attribute->value_as_IntsValue())
      claim(ints->value());
    if (const auto *ints = attribute->value_as_LoopedIntsValue())
      claim(ints->code());
    if (const auto *doubles = attribute->value_as_DoublesValue())
      claim(doubles->value());
    if (const auto *tensor = attribute->value_as_Tensor())
      claim(tensor->shape());
  }
}

void BufferChecker::claimComponents(
    const flatbuffers::Vector<flatbuffers::Offset<schema::Component>>
        *components) {
  if (!components)
    return;
  for (const schema::Component *component : *components) {
    checkName(component->name());
    checkName(component->type());
    claimAttributes(component->attributes());
  }
}

void BufferChecker::checkName(const flatbuffers::String *name) {
  if (name->size() > kMaxNameLength)
    fail("a name is longer than " + std::to_string(kMaxNameLength) + " bytes");
}

/// Whether the index lists have one entry per row, and are all present or all
/// absent except x.
static bool fitsIndexes(const schema::IoMatrix &io) {
  auto fits = [&](const ListCode *list) {
    return !list || countEntries(list) == io.rows();
  };
  return fits(io.n()) && fits(io.t()) && fits(io.x()) && !io.n() == !io.t() &&
         (io.n() || !io.x());
}

void BufferChecker::listIndexes(const schema::IoMatrix &io, IoInfo &info,
                                std::vector<std::vector<int32_t>> &lists) {
  auto list = [&](const ListCode *code) -> const int32_t * {
    if (!code)
      return nullptr;
    lists.emplace_back();
    if (!listEntries(code, lists.back()))
      fail("an index of '" + std::string(info.name) + "' is too large");
    return lists.back().data();
  };
  info.n = list(io.n());
  info.t = list(io.t());
  info.x = list(io.x());
}

IoInfo BufferChecker::loadIo(const schema::IoMatrix &io, const char *kind) {
  IoInfo info;
  checkName(io.name());
  if (!error.ok())
    return info;
  info.name = io.name()->string_view();
  info.isDerivative = io.is_derivative();
  info.isQuadratic = io.objective() == schema::Objective::Quadratic;
  info.rows = io.rows();
  info.cols = io.cols();
  const std::string what =
      std::string(kind) + " '" + std::string(info.name) + "'";
  if (io.objective() > schema::Objective::MAX)
    fail("unknown objective");
  else if (info.rows <= 0 || info.cols <= 0)
    fail(what + " has dims " + std::to_string(info.rows) + "x" +
         std::to_string(info.cols));
  else if (!fitsIndexes(io))
    fail(what + " has index lists that do not fit its rows");
  return info;
}

void BufferChecker::checkDistinct(std::vector<std::string_view> names,
                                  const char *kind) {
  std::sort(names.begin(), names.end());
  auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice != names.end())
    fail(std::string(kind) + " '" + std::string(*twice) + "' is there twice");
}

void BufferChecker::loadComponents(
    const flatbuffers::Vector<flatbuffers::Offset<schema::Component>>
        *components,
    Weights &weights, ComponentList &out) {
  if (!components)
    return;
  for (const schema::Component *component : *components) {
    const std::string_view type = component->type()->string_view();
    AttributeReader reader(
        component->attributes(), weights,
        {"component", component->name()->string_view(), type});
    out.push_back(createComponent(type, reader));
    if (!reader.ok()) {
      error = reader.status();
      return;
    }
  }
}

} // namespace rt
} // namespace nnet3
