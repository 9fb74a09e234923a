//===- NaturalGradient.cpp - Online natural gradient ----------------------===//

#include "NaturalGradient.h"

namespace nnet3 {
namespace runtime {

NaturalGradient::NaturalGradient(const NaturalGradientOptions &options)
    : options(options) {}

} // namespace runtime
} // namespace nnet3
