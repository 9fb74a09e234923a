//===- nnet3-translate.cpp - Kaldi's models to MLIR and back --------------===//

#include "nnet3/Pipelines/Translate.h"

int main(int argc, char **argv) { return nnet3::translateMain(argc, argv); }
