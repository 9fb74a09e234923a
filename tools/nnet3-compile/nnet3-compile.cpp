//===- nnet3-compile.cpp - Compiles networks ahead of time ----------------===//

#include "nnet3/Pipelines/NativeCode.h"

int main(int argc, char **argv) { return nnet3::compileMain(argc, argv); }
