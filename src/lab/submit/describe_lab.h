// SPDX-License-Identifier: Apache-2.0
// Descriptions of the types of lab_file.h.
#pragma once

#include <array>
#include <string>
#include <utility>

#include "lab/slurm/describe.h"
#include "lab/submit/lab_file.h"
#include "record/describe.h"

namespace ridge::lab {

struct DestinationCodec {
  static std::string out(const std::string& text) { return text; }
  static Result<std::string> in(std::string text) { return checked_destination(std::move(text)); }
};

struct PathCodec {
  static std::string out(const std::string& text) { return text; }
  static Result<std::string> in(std::string text) { return checked_path(std::move(text)); }
};

struct NameCodec {
  static std::string out(const std::string& text) { return text; }
  static Result<std::string> in(std::string text) { return checked_name(std::move(text)); }
};

inline constexpr std::size_t kMostMachines = 1000, kMostTags = 100;

}  // namespace ridge::lab

namespace ridge {

template <>
struct record::Describe<lab::Host> {
  using T = lab::Host;
  static constexpr std::array fields{
      field<&T::name, lab::NameCodec>("name", "what messages call it", required()),
      field<&T::ssh, lab::DestinationCodec>(
          "ssh",
          "destination for ssh: HOST, USER@HOST or an alias of ~/.ssh/config; without it "
          "the agent runs on this machine"),
      field<&T::tags>("tags", "what points may need by --need tag=NAME", max_items(lab::kMostTags)),
      field<&T::port>("port", "of its ssh server", between(1, 65535)),
      field<&T::identity, lab::PathCodec>("identity", "private key, as ssh -i"),
      field<&T::known_hosts, lab::PathCodec>("known_hosts",
                                             "file with its host key, in place of ssh's own")};
};

template <>
struct record::Describe<lab::Partition> {
  using T = lab::Partition;
  static constexpr std::array fields{
      inlined<&T::slurm>(), field<&T::tags>("tags", "what points may need by --need tag=NAME",
                                            max_items(lab::kMostTags))};
};

template <>
struct record::Describe<lab::Lab> {
  using T = lab::Lab;
  static constexpr std::string_view text = "Machines of a laboratory, for `ridge submit --on`.";
  static constexpr std::array fields{
      field<&T::store>("store", "run database for results: a file, or a postgresql:// server"),
      field<&T::hosts>("host", "machines with an agent", max_items(lab::kMostMachines)),
      field<&T::slurm>("slurm", "partitions of Slurm", max_items(lab::kMostMachines))};
  static Result<void> check(const T& lab) { return lab::check(lab); }
};

}  // namespace ridge
