//===- AffineCase.cpp - Affine components to try --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "AffineCase.h"

namespace nnet3 {
namespace rt {
namespace test {

AffineCase affineCase(const std::string &type, int32_t rows, int32_t in,
                      int32_t out) {
  AffineCase c;
  c.name = type + " " + std::to_string(rows);
  c.trial.type = type;
  c.hasBias = type != "LinearComponent";
  c.trial.attrs = {{"input_dim", in},
                   {"output_dim", out},
                   {c.hasBias ? "linear_params" : "params",
                    tensor(randomMatrix(out, in, 1))}};
  if (c.hasBias)
    c.trial.attrs.push_back(
        {"bias_params", vectorTensor(randomMatrix(1, out, 2).values)});
  c.trial.outRows = rows;
  c.trial.outCols = out;
  c.input = randomMatrix(rows, in, 3);
  c.outDeriv = randomMatrix(rows, out, 4);
  return c;
}

AffineCase tdnnCase(bool hasBias, int32_t rows, int32_t in, int32_t out) {
  AffineCase c;
  c.name = std::string(hasBias ? "Tdnn " : "Tdnn without bias ") +
           std::to_string(rows);
  c.trial.type = "TdnnComponent";
  c.hasBias = hasBias;
  c.offsets = {0, 4, 3};
  c.stride = 2;
  c.trial.attrs = {{"input_dim", in},
                   {"output_dim", out},
                   {"time_offsets", std::vector<int64_t>{-3, 1, 0}},
                   {"linear_params", tensor(randomMatrix(out, 3 * in, 5))}};
  if (hasBias)
    c.trial.attrs.push_back(
        {"bias_params", vectorTensor(randomMatrix(1, out, 6).values)});
  else
    c.trial.attrs.push_back({"use_bias", false});
  c.trial.precomputed = {{"row_stride", c.stride}, {"row_offsets", c.offsets}};
  c.trial.outRows = rows;
  c.trial.outCols = out;
  c.input = randomMatrix(c.stride * rows + 4, in, 7);
  c.outDeriv = randomMatrix(rows, out, 8);
  return c;
}

std::vector<AffineCase> trainedCases() {
  std::vector<AffineCase> cases;
  for (int32_t rows : {1, 3, 10}) {
    for (const char *type :
         {"AffineComponent", "NaturalGradientAffineComponent",
          "LinearComponent"})
      cases.push_back(affineCase(type, rows, 7, 5));
    cases.push_back(tdnnCase(true, rows, 4, 5));
    cases.push_back(tdnnCase(false, rows, 4, 5));
  }
  return cases;
}

} // namespace test
} // namespace rt
} // namespace nnet3
