//===- Attributes.cpp - Reading a component's attributes ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Attributes.h"
#include "LoopedList.h"

#include <cmath>
#include <cstring>
#include <limits>

namespace nnet3 {
namespace rt {

void ErrorSink::fail(const std::string &message) {
  if (!error.ok())
    return;
  std::string subject = owner.kind;
  subject += " '" + std::string(owner.name) + "' of type ";
  subject += owner.type;
  error = invalidProgram(subject + " " + message);
}

const schema::Attribute *AttributeReader::find(const char *name) const {
  if (!list)
    return nullptr;
  const std::string_view wanted(name);
  for (const schema::Attribute *attribute : *list) {
    const std::string_view full = attribute->name()->string_view();
    if (full.size() == prefix.size() + wanted.size() &&
        full.substr(0, prefix.size()) == prefix &&
        full.substr(prefix.size()) == wanted)
      return attribute;
  }
  return nullptr;
}

AttributeReader AttributeReader::part(int32_t number) const {
  AttributeReader reader(list, weights, owner,
                         prefix + "component" + std::to_string(number) + ".");
  reader.owner.type = reader.text("type");
  return reader;
}

const schema::Attribute *AttributeReader::require(const char *name) {
  const schema::Attribute *attribute = find(name);
  if (!attribute)
    fail(std::string("has no attribute '") + name + "'");
  return attribute;
}

bool AttributeReader::failType(const char *name, const char *expected) {
  fail(std::string("expects attribute '") + name + "' to be " + expected);
  return false;
}

int32_t AttributeReader::integer(const char *name, int32_t least) {
  const schema::Attribute *attribute = require(name);
  if (!attribute)
    return least;
  const schema::IntValue *value = attribute->value_as_IntValue();
  if (!value) {
    failType(name, "an integer");
    return least;
  }
  if (value->value() < least ||
      value->value() > std::numeric_limits<int32_t>::max()) {
    fail(std::string("expects attribute '") + name + "' of at least " +
         std::to_string(least) + " and below 2^31, but got " +
         std::to_string(value->value()));
    return least;
  }
  return static_cast<int32_t>(value->value());
}

int32_t AttributeReader::dim(const char *name) { return integer(name, 1); }

int32_t AttributeReader::dim(const char *name, int32_t otherwise) {
  return has(name) ? dim(name) : otherwise;
}

int32_t AttributeReader::integer(const char *name, int32_t least,
                                 int32_t otherwise) {
  return has(name) ? integer(name, least) : otherwise;
}

/// Describes the range that \p value violates; null if it violates none.
static const char *findViolation(NumberRange range, double value) {
  if (std::abs(value) > std::numeric_limits<float>::max())
    return " in the range of float32";
  switch (range) {
  case NumberRange::Any:
    return nullptr;
  case NumberRange::Positive:
    return value > 0 ? nullptr : " above 0";
  case NumberRange::NonNegative:
    return value >= 0 ? nullptr : " that is not negative";
  case NumberRange::UpToOne:
    return value >= 0 && value <= 1 ? nullptr : " in [0, 1]";
  }
  return nullptr;
}

float AttributeReader::number(const char *name, float otherwise,
                              NumberRange range) {
  const double value = real(name, otherwise);
  const char *violation = findViolation(range, value);
  if (!violation)
    return static_cast<float>(value);
  fail(std::string("expects ") + name + violation + ", but got " +
       std::to_string(value));
  return otherwise;
}

double AttributeReader::real(const char *name, double otherwise) {
  const schema::Attribute *attribute = find(name);
  if (!attribute)
    return otherwise;
  double value = otherwise;
  if (const auto *real = attribute->value_as_DoubleValue())
    value = real->value();
  else if (const auto *integer = attribute->value_as_IntValue())
    value = static_cast<double>(integer->value());
  else
    failType(name, "a number");
  if (!std::isfinite(value))
    failType(name, "finite");
  return std::isfinite(value) ? value : otherwise;
}

bool AttributeReader::flag(const char *name, bool otherwise) {
  const schema::Attribute *attribute = find(name);
  if (!attribute)
    return otherwise;
  if (const auto *flag = attribute->value_as_BoolValue())
    return flag->value();
  return failType(name, "a boolean");
}

std::string_view
AttributeReader::word(const char *name, const char *otherwise,
                      std::initializer_list<std::string_view> words) {
  const schema::Attribute *attribute = find(name);
  if (!attribute)
    return otherwise;
  if (const auto *text = attribute->value_as_StringValue())
    for (std::string_view word : words)
      if (text->value()->string_view() == word)
        return word;
  failType(name, "one of the words it may be");
  return otherwise;
}

std::string_view AttributeReader::text(const char *name) {
  const schema::Attribute *attribute = require(name);
  if (!attribute)
    return {};
  if (const auto *text = attribute->value_as_StringValue())
    return text->value()->string_view();
  failType(name, "a text");
  return {};
}

std::vector<double> AttributeReader::doubles(const char *name, size_t size) {
  const schema::Attribute *attribute = find(name);
  if (!attribute)
    return {};
  const schema::DoublesValue *value = attribute->value_as_DoublesValue();
  if (!value || value->value()->size() != size) {
    failType(name, "a list of numbers of the right size");
    return {};
  }
  std::vector<double> numbers(value->value()->begin(), value->value()->end());
  for (double number : numbers)
    if (!std::isfinite(number)) {
      failType(name, "finite");
      return {};
    }
  return numbers;
}

IntList AttributeReader::ints(const char *name) {
  const schema::Attribute *attribute = require(name);
  if (!attribute)
    return {};
  const schema::IntsValue *value = attribute->value_as_IntsValue();
  if (!value) {
    failType(name, "a list of integers");
    return {};
  }
  return {value->value()};
}

/// Copies \p list to \p entries. Returns false if an element exceeds 32 bits.
static bool narrow(const flatbuffers::Vector<int64_t> &list,
                   RowEntries &entries) {
  for (int64_t value : list) {
    if (value != static_cast<int32_t>(value))
      return false;
    entries.push_back(static_cast<int32_t>(value));
  }
  return true;
}

RowEntries AttributeReader::entries(const char *name, int32_t size) {
  return entries(name, size, size);
}

RowEntries AttributeReader::entriesUpTo(const char *name, int32_t most) {
  return entries(name, 0, most);
}

RowEntries AttributeReader::entries(const char *name, int32_t least,
                                    int32_t most) {
  const schema::Attribute *attribute = require(name);
  if (!attribute)
    return {};
  const schema::LoopedIntsValue *looped = attribute->value_as_LoopedIntsValue();
  const schema::IntsValue *plain = attribute->value_as_IntsValue();
  const int64_t count = looped  ? countEntries(looped->code())
                        : plain ? int64_t(plain->value()->size())
                                : -1;
  if (count < 0) {
    failType(name, "a list of integers");
    return {};
  }
  if (count < least || count > most) {
    fail(std::string("expects ") + (least < most ? "up to " : "") +
         std::to_string(most) + " entries of '" + name + "', but got " +
         std::to_string(count));
    return {};
  }
  RowEntries entries;
  if (looped ? listEntries(looped->code(), entries)
             : narrow(*plain->value(), entries))
    return entries;
  failType(name, "a list of 32-bit integers");
  return {};
}

bool AttributeReader::shapeMatches(const char *name,
                                   const schema::Tensor &tensor,
                                   std::initializer_list<int64_t> shape) {
  auto text = [](const auto &dims) {
    std::string out;
    for (auto dim : dims)
      out += (out.empty() ? "" : "x") + std::to_string(dim);
    return out;
  };
  bool same = tensor.shape()->size() == shape.size();
  uint32_t at = 0;
  for (int64_t dim : shape)
    same = same && tensor.shape()->Get(at++) == static_cast<uint64_t>(dim);
  if (same)
    return true;
  const std::string got =
      tensor.shape()->size() <= 8
          ? text(*tensor.shape())
          : std::to_string(tensor.shape()->size()) + " dimensions";
  fail(std::string("expects attribute '") + name + "' of shape " + text(shape) +
       ", but got " + got);
  return false;
}

const float *AttributeReader::tensor(const char *name,
                                     std::initializer_list<int64_t> shape) {
  const schema::Attribute *attribute = require(name);
  if (!attribute || !ok())
    return nullptr;
  const schema::Tensor *tensor = attribute->value_as_Tensor();
  if (!tensor) {
    failType(name, "a tensor");
    return nullptr;
  }
  if (!shapeMatches(name, *tensor, shape))
    return nullptr;
  uint64_t bytes = sizeof(float);
  bool inside =
      tensor->offset() % sizeof(float) == 0 && tensor->offset() <= weights.size;
  for (int64_t dim : shape) {
    inside = inside && bytes <= weights.size / static_cast<uint64_t>(dim);
    bytes = inside ? bytes * static_cast<uint64_t>(dim) : bytes;
  }
  if (!inside || bytes > weights.size - tensor->offset()) {
    fail(std::string("has attribute '") + name +
         "' outside of the weights: offset " +
         std::to_string(tensor->offset()) + " in " +
         std::to_string(weights.size) + " bytes");
    return nullptr;
  }
  if (bytes > weights.unclaimed) {
    fail(std::string("shares the bytes of attribute '") + name +
         "' with another tensor");
    return nullptr;
  }
  weights.unclaimed -= bytes;
  return reinterpret_cast<const float *>(weights.data + tensor->offset());
}

} // namespace rt
} // namespace nnet3
