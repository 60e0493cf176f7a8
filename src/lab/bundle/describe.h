// SPDX-License-Identifier: Apache-2.0
// Descriptions of the types of index.h.
#pragma once

#include "lab/bundle/index.h"
#include "record/describe.h"

namespace ridge {

template <>
struct record::Describe<lab::BundledFile> {
  using T = lab::BundledFile;
  static constexpr std::array fields{
      field<&T::role>("role", "model, external data, data, labels, or input NAME"),
      field<&T::name>("name", "as the run or its lock has it"),
      field<&T::place>("place", "where it is unpacked, below a folder"),
      field<&T::entry>("entry", "of the bundle; null by reference", zero_is_null()),
      field<&T::sha256>("sha256", "hash of its content"),
      field<&T::bytes>("bytes", "its size", between(0, std::int64_t{1} << 50))};
};

template <>
struct record::Describe<lab::BundledLibrary> {
  using T = lab::BundledLibrary;
  static constexpr std::array fields{
      field<&T::runtime>("runtime", "as it names itself"),
      field<&T::version>("version", "as it says"),
      field<&T::sha256>("sha256", "hash of its library; null where it is not known",
                        zero_is_null())};
};

template <>
struct record::Describe<lab::BundleIndex> {
  using T = lab::BundleIndex;
  static constexpr std::string_view schema = "ridge.bundle/1";
  static constexpr std::string_view text =
      "What a bundle holds: `ridge bundle show FILE --format json`. Its other entries are the "
      "result's document, its lock, a run database with the one result, and the files.";
  static constexpr std::array fields{
      field<&T::result>("result", "run or evaluation"),
      field<&T::model>("model", "as given: a path, or zoo:NAME"),
      field<&T::runtime>("runtime", "as it names itself"),
      field<&T::runtime_version>("runtime_version", "as it says"),
      field<&T::ridge>("ridge", "version that measured"),
      field<&T::machine>("machine", "host, processor, number of processors"),
      field<&T::recorded_s>("recorded_s", "when it was stored, seconds since 1970 (UTC)"),
      field<&T::files>("files", "that the result depends on", item_lines()),
      field<&T::libraries>("libraries", "of the runtimes", item_lines())};
};

}  // namespace ridge
