// SPDX-License-Identifier: Apache-2.0
// A model whose answers are known without running it, and images for it, for tests of evaluations.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "attribution/testing.h"
#include "base/file.h"
#include "base/temporary_folder.h"
#include "evaluation/record/request.h"
#include "pipeline/step_text.h"
#include "session/testing.h"

namespace ridge::evaluation::testing {

/// Scores are the mean of each row of a 3 x 2 image; the class is the brighter row's number.
inline constexpr std::string_view kBrighterRow = R"(graph main
    input x[2,1,3,2]
    integers shape[2]=2,3
    ReduceMean(x) {axes=[3] keepdims=0} -> m
    Reshape(m, shape) -> y
    output y)";

/// A .npy of bytes.
inline std::string npy(const std::string& shape, const std::vector<std::uint8_t>& elements) {
  std::string header = "{'descr': '|u1', 'fortran_order': False, 'shape': (" + shape + "), }";
  header.resize((10 + header.size() + 1 + 63) / 64 * 64 - 11, ' ');
  header += '\n';
  std::string out("\x93NUMPY\x01\x00", 8);
  out += static_cast<char>(header.size() & 0xff);
  out += static_cast<char>(header.size() >> 8);
  out += header;
  out.append(reinterpret_cast<const char*>(elements.data()), elements.size());
  return out;
}

/// Five images, of which the brightest rows are 2, 0, 1, 1, 2.
struct Images {
  TemporaryFolder folder = attribution::testing::must(TemporaryFolder::make(::testing::TempDir()));
  std::string images = folder.path() + "/images.npy", labels = folder.path() + "/labels.txt";

  explicit Images(const std::string& classes) {
    EXPECT_TRUE(write_file(images, npy("5, 3, 2", {0, 0, 1, 1, 9, 9, 8, 8, 1, 1, 0, 2, 0, 0, 5,
                                                   5, 1, 1, 0, 3, 9, 9, 1, 1, 1, 2, 0, 0, 7, 7}))
                    .ok());
    EXPECT_TRUE(write_file(labels, classes).ok());
  }
};

inline EvaluationRequest accuracy_of(const session::testing::ModelFile& model,
                                     const Images& images) {
  return {.model = model.path,
          .spec = model.spec,
          .scenario = {},
          .bound = {},
          .data = {.source = images.images,
                   .labels = images.labels,
                   .steps = attribution::testing::must(
                       pipeline::parse_steps("normalize(divide=255) layout(nchw)"))},
          .load = false};
}

}  // namespace ridge::evaluation::testing
