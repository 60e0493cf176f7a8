// SPDX-License-Identifier: Apache-2.0
// The index of a bundle (bundle.h): its result, its files and libraries. Plain data.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ridge::lab {

/// Beginning of the role of an input's file.
inline constexpr std::string_view kInputRole = "input ";

/// A file that the result depends on.
struct BundledFile {
  std::string role;   ///< "model", "external data", "data", "labels", "input x"
  std::string name;   ///< as the run or lock has it
  std::string place;  ///< where it is unpacked, below a folder: "model/net.onnx"
  std::string entry;  ///< "files/0"; "" by reference
  std::string sha256;
  std::int64_t bytes = 0;
};

struct BundledLibrary {
  std::string runtime, version, sha256;  ///< "" where it is not known
};

struct BundleIndex {
  std::string result;  ///< "run" or "evaluation"
  std::string model, runtime, runtime_version, ridge, machine;
  std::int64_t recorded_s = 0;
  std::vector<BundledFile> files;
  std::vector<BundledLibrary> libraries;
};

}  // namespace ridge::lab
