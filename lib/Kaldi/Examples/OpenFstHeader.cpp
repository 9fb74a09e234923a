//===- OpenFstHeader.cpp - The header of OpenFst's files ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "OpenFstHeader.h"

using namespace nnet3::kaldi;
using llvm::failed;
using llvm::failure;
using llvm::LogicalResult;
using llvm::StringRef;
using llvm::success;
using llvm::Twine;

/// Expects a length and the string `text`.
static LogicalResult expectString(KaldiReader &reader, StringRef what,
                                  StringRef text) {
  int32_t length;
  StringRef bytes;
  if (failed(openfst::readPlain(reader, length)))
    return failure();
  if (length < 0 || length > 100)
    return reader.fail("expects the " + what + " '" + text +
                       "', but got a name of " + Twine(length) + " bytes");
  if (failed(reader.readBytes(length, bytes)))
    return failure();
  if (bytes != text)
    return reader.fail("expects the " + what + " '" + text + "', but got " +
                       quoteForMessage(bytes));
  return success();
}

LogicalResult openfst::readHeader(KaldiReader &reader, StringRef fstType,
                                  CompactFst &fst, int64_t &numStates) {
  int32_t magic, version, flags;
  if (failed(readPlain(reader, magic)))
    return failure();
  if (magic != kMagic)
    return reader.fail("expects the mark of an OpenFst file, but got " +
                       Twine(magic));
  if (failed(expectString(reader, "graph type", fstType)) ||
      failed(expectString(reader, "arc type", kArcType)) ||
      failed(readPlain(reader, version)) || failed(readPlain(reader, flags)))
    return failure();
  if (version != kVersion || flags != 0)
    return reader.fail("expects a graph of version " + Twine(kVersion) +
                       " without flags, but got version " + Twine(version) +
                       " and flags " + Twine(flags));
  int64_t numArcs; // the states tell it, too
  if (failed(readPlain(reader, fst.properties)) ||
      failed(readPlain(reader, fst.start)) ||
      failed(readPlain(reader, numStates)) ||
      failed(readPlain(reader, numArcs)))
    return failure();
  if (numStates < -1 || numStates > INT32_MAX || fst.start < -1 ||
      (numStates >= 0 && fst.start >= numStates))
    return reader.fail("expects a start among " + Twine(numStates) +
                       " states, but got " + Twine(fst.start));
  return success();
}
