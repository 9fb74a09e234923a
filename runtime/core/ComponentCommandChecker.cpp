//===- ComponentCommandChecker.cpp - Verifying components' commands -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CommandChecker.h"

#include <algorithm>

namespace nnet3 {
namespace rt {

//===----------------------------------------------------------------------===//
// The component and its plan
//===----------------------------------------------------------------------===//

bool CommandChecker::checkComponent() {
  command.component = source->component();
  return (command.component >= 0 &&
          static_cast<size_t>(command.component) < program.components.size()) ||
         fail("there is no component " + std::to_string(command.component));
}

bool CommandChecker::checkDims(const Window &window, const char *role,
                               int32_t dim) {
  return window.matrix < 0 || window.cols == dim ||
         fail(std::string("expects ") + std::to_string(dim) +
              " columns of the " + role + ", but got " +
              std::to_string(window.cols));
}

/// Returns the number of entries that a component checks.
static uint64_t precomputedSize(const schema::Precomputed &precomputed) {
  uint64_t size = 0;
  if (precomputed.attributes())
    for (const schema::Attribute *attribute : *precomputed.attributes()) {
      const auto *ints = attribute->value_as_IntsValue();
      const auto *looped = attribute->value_as_LoopedIntsValue();
      size += 1 + (ints ? ints->value()->size() : 0);
      if (looped)
        size += std::max<int64_t>(0, countEntries(looped->code()));
    }
  return size;
}

ErrorOwner CommandChecker::owner(const char *kind) const {
  const schema::Component *component =
      root.components()->Get(command.component);
  return {kind, component->name()->string_view(),
          component->type()->string_view()};
}

bool CommandChecker::makePlan(const Component &component, int32_t inRows,
                              int32_t outRows) {
  ErrorSink errors(owner("component"));
  Weights noWeights;
  const schema::Precomputed *precomputed = nullptr;
  const int32_t id = source->precomputed();
  if (id != -1) {
    if (id < 0 || !root.precomputed() ||
        static_cast<uint32_t>(id) >= root.precomputed()->size())
      return fail("there are no precomputed indexes " + std::to_string(id));
    if (component.properties() & kSimpleComponent)
      return fail("simple components take no precomputed indexes");
    precomputed = root.precomputed()->Get(id);
    const uint64_t size = precomputedSize(*precomputed);
    if (!charge(size) || !chargeList(size))
      return false;
  }
  AttributeReader reader(precomputed ? precomputed->attributes() : nullptr,
                         noWeights, owner("precomputed indexes of component"));
  command.plan =
      component.plan(inRows, outRows, precomputed ? &reader : nullptr, errors);
  if (!errors.ok())
    return fail(errors.status().message());
  if (!reader.ok())
    return fail(reader.status().message());
  return true;
}

/// Resolves an operand that may be absent unless \p isNeeded.
bool CommandChecker::optionalValue(int32_t id, const char *role, bool isNeeded,
                                   Window &out) {
  if (id == -1)
    return !isNeeded || fail(std::string("the component needs the ") + role);
  return existing(id, role, out);
}

//===----------------------------------------------------------------------===//
// Memos
//===----------------------------------------------------------------------===//

/// Converts \p bytes to floats, at least one.
static uint64_t memoFloats(uint64_t bytes) {
  return std::max<uint64_t>((bytes + sizeof(float) - 1) / sizeof(float), 1);
}

bool CommandChecker::beginMemo(const Component &component) {
  const int32_t id = source->memo();
  if (id == -1)
    return true;
  if (id < 0 || !(component.properties() & kUsesMemo))
    return fail("the component leaves no memo");
  MemoState memo;
  memo.component = command.component;
  memo.precomputed = source->precomputed();
  memo.inRows = command.src.rows;
  memo.outRows = command.dst.rows;
  memo.bytes = command.plan ? command.plan->memoBytes : 0;
  const uint64_t floats = memoFloats(memo.bytes);
  if (floats > maxArenaBytes / sizeof(float))
    return fail("the memo is larger than the " + std::to_string(maxArenaBytes) +
                " bytes that are allowed");
  memo.storage = beginStorage(floats);
  memo.begin = program.commands.size();
  command.memo = memo.storage;
  if (!memos.emplace(id, memo).second)
    return fail("memo " + std::to_string(id) + " exists already");
  return checkArenaSize();
}

bool CommandChecker::findMemo(const Component &component) {
  if (!(component.properties() & kUsesMemo))
    return source->memo() == -1 || fail("the component leaves no memo");
  auto found = memos.find(source->memo());
  if (found == memos.end())
    return fail("there is no memo " + std::to_string(source->memo()));
  const MemoState &memo = found->second;
  if (loopEnd != 0 && memo.begin < loop)
    return fail("memo " + std::to_string(source->memo()) +
                " is from outside of the loop");
  if (memo.component != command.component)
    return fail("memo " + std::to_string(source->memo()) +
                " is of another component");
  command.memo = memo.storage;
  return true;
}

void CommandChecker::endMemo() {
  auto found = memos.find(source->memo());
  if (found == memos.end())
    return;
  endStorage(found->second.storage);
  memos.erase(found);
}

//===----------------------------------------------------------------------===//
// Propagate
//===----------------------------------------------------------------------===//

bool CommandChecker::checkPropagate() {
  if (!checkComponent())
    return false;
  const Component &component = *program.components[command.component];
  if (!optionalValue(source->src(), "source", component.readsInput(),
                     command.src) ||
      !existing(source->dst(), "destination", command.dst) ||
      !checkDims(command.src, "source", component.inputDim()) ||
      !checkDims(command.dst, "destination", component.outputDim()))
    return false;
  command.number = counts.propagates++;
  if (!checkPropagateAliasing(component) ||
      !makePlan(component, command.src.rows, command.dst.rows))
    return false;
  if (command.plan)
    program.scratchBytes =
        std::max(program.scratchBytes, command.plan->scratchBytes);
  return beginMemo(component);
}

bool CommandChecker::checkPropagateAliasing(const Component &component) {
  if (!overlap(command.src, command.dst))
    return true;
  if (!(command.src == command.dst))
    return fail("source and destination overlap");
  return (component.properties() & kPropagateInPlace) ||
         fail("the component does not run in place");
}

//===----------------------------------------------------------------------===//
// StoreStats and Backprop
//===----------------------------------------------------------------------===//

bool CommandChecker::checkStoreStats() {
  if (!checkComponent())
    return false;
  const Component &component = *program.components[command.component];
  if (!(component.properties() & kStoresStats))
    return fail("the component stores no statistics");
  if (!optionalValue(source->in_value(), "input value", false,
                     command.inValue) ||
      !existing(source->src(), "source", command.src) ||
      !checkDims(command.inValue, "input value", component.inputDim()) ||
      !checkDims(command.src, "source", component.outputDim()) ||
      !findMemo(component))
    return false;
  command.number = counts.storeStats++;
  return true;
}

bool CommandChecker::checkTraining(const Component &component) {
  ErrorSink errors(owner("component"));
  component.checkTraining(errors);
  return errors.ok() || fail(errors.status().message());
}

bool CommandChecker::checkBackpropValues(const Component &component) {
  const uint32_t properties = component.properties();
  return optionalValue(source->in_value(), "input value",
                       properties & kBackpropNeedsInput, command.inValue) &&
         optionalValue(source->out_value(), "output value",
                       properties & kBackpropNeedsOutput, command.outValue) &&
         optionalValue(source->dst(), "input derivative", false, command.dst) &&
         existing(source->src(), "output derivative", command.src) &&
         checkDims(command.inValue, "input value", component.inputDim()) &&
         checkDims(command.outValue, "output value", component.outputDim()) &&
         checkDims(command.src, "output derivative", component.outputDim()) &&
         checkDims(command.dst, "input derivative", component.inputDim());
}

bool CommandChecker::checkBackpropAliasing(const Component &component) {
  const Window &inDeriv = command.dst;
  if (inDeriv.matrix < 0)
    return true;
  for (const Window *value : {&command.inValue, &command.outValue})
    if (value->matrix >= 0 && overlap(inDeriv, *value))
      return fail("the input derivative overlaps a value");
  if (!overlap(inDeriv, command.src))
    return true;
  if (!(inDeriv == command.src))
    return fail("the derivatives overlap");
  return (component.properties() & kBackpropInPlace) ||
         fail("the component does not run backward in place");
}

bool CommandChecker::checkBackprop() {
  if (!checkComponent())
    return false;
  const Component &component = *program.components[command.component];
  if (!checkBackpropValues(component) || !checkBackpropAliasing(component))
    return false;
  const int32_t outRows = command.src.rows;
  int32_t inRows = outRows;
  if (command.inValue.matrix >= 0)
    inRows = command.inValue.rows;
  if (command.dst.matrix >= 0 && command.inValue.matrix >= 0 &&
      command.dst.rows != command.inValue.rows)
    return fail("expects an input and its derivative of equal rows");
  if (command.dst.matrix >= 0)
    inRows = command.dst.rows;
  if (command.outValue.matrix >= 0 && command.outValue.rows != outRows)
    return fail("expects an output and its derivative of equal rows");
  if (!checkTraining(component) || !findMemo(component) ||
      !makePlan(component, inRows, outRows))
    return false;
  if (command.memo >= 0) {
    const MemoState &memo = memos.at(source->memo());
    if (memo.inRows != inRows || memo.outRows != outRows ||
        memo.precomputed != source->precomputed())
      return fail("memo " + std::to_string(source->memo()) +
                  " is of other rows");
  }
  if (command.plan)
    program.scratchBytes =
        std::max(program.scratchBytes, command.plan->backpropScratchBytes);
  command.number = counts.backprops;
  // Components with parameters do not use the number. Consolidating their
  // updates must not change the numbers of other components.
  if (!(component.properties() & kUpdatableComponent))
    ++counts.backprops;
  endMemo();
  return true;
}

} // namespace rt
} // namespace nnet3
