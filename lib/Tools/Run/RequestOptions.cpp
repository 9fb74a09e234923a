//===- RequestOptions.cpp - Checking requests against options -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RequestOptions.h"

using namespace mlir;
using namespace mlir::nnet3;

static bool isNamed(ArrayRef<NamedFile> files, StringRef name) {
  return llvm::any_of(files,
                      [&](const NamedFile &file) { return file.name == name; });
}

/// Checks that each of `files` names an input (`OpTy`: or an output) of the
/// request, with a derivative if `isDeriv`.
template <typename OpTy>
static LogicalResult checkNames(RequestOp request, ArrayRef<NamedFile> files,
                                StringRef option, bool isDeriv) {
  StringRef kind = std::is_same_v<OpTy, RequestInputOp> ? "input" : "output";
  for (const NamedFile &file : files) {
    auto ops = request.getOps<OpTy>();
    auto it =
        llvm::find_if(ops, [&](OpTy op) { return op.getName() == file.name; });
    if (it == ops.end())
      return emitError(UnknownLoc::get(request.getContext()))
             << "option '--" << option << "': the request has no " << kind
             << " '" << file.name << "'";
    if (isDeriv && !(*it).getHasDeriv())
      return (*it).emitError("option '--")
             << option << "': the request has no derivative of " << kind << " '"
             << file.name << "'; has-deriv=true says that it has";
  }
  return success();
}

/// Checks that all values that the request needs are given.
static LogicalResult checkComplete(RequestOp request,
                                   const RunOptions &options) {
  for (auto input : request.getOps<RequestInputOp>())
    if (!isNamed(options.inputs, input.getName()))
      return input.emitError("the request's input '")
             << input.getName()
             << "' is not given: use --input=" << input.getName() << "=MATRIX";
  for (auto output : request.getOps<RequestOutputOp>())
    if (output.getHasDeriv() &&
        !isNamed(options.outputDerivs, output.getName()))
      return output.emitError("the derivative of the request's output '")
             << output.getName()
             << "' is not given: use --output-deriv=" << output.getName()
             << "=MATRIX";
  return success();
}

namespace mlir::nnet3 {

void dropUnwanted(RequestOp request, const RunOptions &options) {
  if (options.wantsDerivatives())
    return;
  request.setNeedModelDerivative(false);
  for (Operation &op : request.getBody().front())
    op.removeAttr("has_deriv");
  if (options.modelStats.empty())
    request.setStoreComponentStats(false);
}

LogicalResult checkOptions(RequestOp request, const RunOptions &options) {
  if (failed(checkNames<RequestInputOp>(request, options.inputs, "input",
                                        /*isDeriv=*/false)) ||
      failed(checkNames<RequestOutputOp>(request, options.outputs, "output",
                                         /*isDeriv=*/false)) ||
      failed(checkNames<RequestOutputOp>(request, options.outputDerivs,
                                         "output-deriv", /*isDeriv=*/true)) ||
      failed(checkNames<RequestInputOp>(request, options.inputDerivs,
                                        "input-deriv", /*isDeriv=*/true)) ||
      failed(checkComplete(request, options)))
    return failure();
  if (!options.modelDeriv.empty() && !request.getNeedModelDerivative())
    return request.emitError("option '--model-deriv': the request does not ask "
                             "for it with need-model-derivative=true");
  if (!options.modelStats.empty() && !request.getStoreComponentStats())
    return request.emitError("option '--model-stats': the request does not ask "
                             "for them with store-component-stats=true");
  return success();
}

} // namespace mlir::nnet3
