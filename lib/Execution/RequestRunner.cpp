//===- RequestRunner.cpp - Base class of request runners ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Execution/RequestRunner.h"

using namespace mlir;
using namespace mlir::nnet3;

int64_t RequestRunner::getDim(StringRef name) const {
  int32_t node = nodes.find(name);
  return node < 0 ? 0 : nodes[node].dim;
}

RequestRunner::Key RequestRunner::getKey(RequestOp request) {
  Key key;
  auto addFlag = [&](bool flag) {
    // Any two distinct addresses.
    static const char kFlags[2] = {};
    key.push_back(&kFlags[flag]);
  };
  addFlag(request.getNeedModelDerivative());
  addFlag(request.getStoreComponentStats());
  for (Operation &op : request.getBody().front()) {
    addFlag(isa<RequestInputOp>(op));
    addFlag(op.hasAttr("has_deriv"));
    key.push_back(op.getAttr("name").getAsOpaquePointer());
    key.push_back(op.getAttr("indexes").getAsOpaquePointer());
  }
  return key;
}

FailureOr<RequestInstance *> RequestRunner::prepare(RequestOp request) {
  Key key = getKey(request);
  auto known = byKey.find(key);
  if (known != byKey.end()) {
    entries.splice(entries.begin(), entries, known->second);
    return entries.front().instance.get();
  }
  auto instance = makeInstance(request);
  if (failed(instance))
    return failure();
  if (entries.size() >= std::max<size_t>(capacity, 1)) {
    byKey.erase(entries.back().key);
    entries.pop_back();
  }
  entries.push_front({key, std::move(*instance)});
  byKey[key] = entries.begin();
  return entries.front().instance.get();
}
