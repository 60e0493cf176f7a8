// SPDX-License-Identifier: Apache-2.0
// The networks that come with the program, as ridge zoo list prints them: the document ridge.zoo/1.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "record/describe.h"

namespace ridge {
namespace cli {

struct ZooInput {
  std::string name, dtype;
  std::vector<std::optional<std::int64_t>> shape;
};

struct ZooNetwork {
  std::string name, family, description, paper;
  std::vector<std::pair<std::string, std::int64_t>> sizes;
  std::vector<ZooInput> inputs;
  std::int64_t nodes = 0, params = 0;
  std::optional<std::int64_t> macs;
};

struct ZooList {
  std::vector<ZooNetwork> networks;
};

}  // namespace cli

template <>
struct record::Describe<cli::ZooInput> {
  using T = cli::ZooInput;
  static constexpr std::array fields{field<&T::name>("name", "of the input"),
                                     field<&T::dtype>("dtype", "element type"),
                                     field<&T::shape>("shape", "dimensions")};
};

template <>
struct record::Describe<cli::ZooNetwork> {
  using T = cli::ZooNetwork;
  static constexpr std::array fields{
      field<&T::name>("name", "zoo:NAME stands wherever a model does"),
      field<&T::family>("family", "what it is a member of: ResNet"),
      field<&T::description>("description", "what it is"),
      field<&T::paper>("paper", "where it comes from"),
      field<&T::sizes>("sizes", "free sizes and their defaults"),
      field<&T::inputs>("inputs", "at those sizes"),
      field<&T::nodes>("nodes", "of its graph"),
      field<&T::params>("params", "elements of its weights"),
      field<&T::macs>("macs", "multiply-accumulates at those sizes")};
};

template <>
struct record::Describe<cli::ZooList> {
  using T = cli::ZooList;
  static constexpr std::string_view schema = "ridge.zoo/1";
  static constexpr std::string_view text =
      "The networks that come with the program: `ridge zoo list --format json`.";
  static constexpr std::array fields{
      field<&T::networks>("networks", "sorted by name", item_lines())};
};

}  // namespace ridge
