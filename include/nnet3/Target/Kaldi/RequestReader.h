//===- RequestReader.h - Requests in text form ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads requests from a small text format with one item per line:
//
//   input  name=NAME [n=R] [t=R] [x=R] [order=nt|tn|txn] [has-deriv=BOOL]
//   output name=NAME [n=R] [t=R] [x=R] [order=nt|tn|txn] [has-deriv=BOOL]
//   input  name=NAME indexes=n/t/x;n/t/x;... [has-deriv=BOOL]
//   need-model-derivative=BOOL
//   store-component-stats=BOOL
//   ---
//
// R is a comma-separated list of `a`, `a:b` (ends included) or `a:b:step`; n, t
// and x default to 0. Row order: `nt` (default) has n outermost, then t, then
// x. `#` starts a comment, `---` separates requests. `true`, `True` and `1` are
// true, anything else is false.
//
//===----------------------------------------------------------------------===//
#ifndef NNET3_TARGET_KALDI_REQUESTREADER_H
#define NNET3_TARGET_KALDI_REQUESTREADER_H

#include "nnet3/Dialect/Nnet3/IR/NetworkOps.h"
#include "nnet3/Dialect/Nnet3/IR/RequestOps.h"

namespace mlir::nnet3 {

/// Reads the requests in `text` and creates them at `builder`'s insertion point
/// as `nnet3.request` ops for network `network`: `@request`, or `@request_1`,
/// `@request_2`, ... if there are several. `filename` is for locations, which
/// are the lines of the items. Does not check whether the network has the
/// nodes. Emits an error if the text is invalid.
FailureOr<llvm::SmallVector<RequestOp>> readRequests(llvm::StringRef text,
                                                     llvm::StringRef filename,
                                                     llvm::StringRef network,
                                                     OpBuilder &builder);

/// Reads the requests in the file `rxfilename`, in text form or as MLIR,
/// recognised by content, and appends them to the block of `network` as
/// requests for it. From MLIR, only the requests are read, for any network.
/// Verifies them, so `network` must have its nodes. On failure, emits an error.
FailureOr<llvm::SmallVector<RequestOp>>
readRequestFile(llvm::StringRef rxfilename, NetworkOp network);

} // namespace mlir::nnet3

#endif // NNET3_TARGET_KALDI_REQUESTREADER_H
