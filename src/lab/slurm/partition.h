// SPDX-License-Identifier: Apache-2.0
// Part of a Slurm cluster, as `[[slurm]]` of lab.toml states it, and what a point needs of a node.
//
//   const Partition part = TRY(record::read_toml<Partition>(text));
//
// A file may be somebody else's: none of the fields names a program. Texts reach sbatch as one
// argument each (submission.h). Plain data; describe.h describes it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/units.h"

namespace ridge::lab::slurm {

struct Partition {
  std::string partition = {};   ///< "": the cluster's default
  std::string constraint = {};  ///< in Slurm's words: "avx512&(rack1|rack2)"
  std::string account = {}, qos = {};
  std::string folder = {};           ///< shared by the nodes and this machine
  std::int64_t time_limit_s = 3600;  ///< limit of a point; Slurm rounds it up to minutes
  bool exclusive = true;             ///< a node for each point alone
  /// A job that shows no sign of life for so long, and that the queue does not show as waiting, is
  /// taken for lost.
  std::int64_t lease_s = 60;
  std::int64_t poll_s = 10;  ///< between two looks at the queue

  bool operator==(const Partition&) const = default;
};

struct Needs {
  std::vector<std::string> features = {};  ///< all of these, each a feature of Slurm's nodes
  std::optional<Bytes> memory = {};
  std::optional<std::int64_t> cpus = {};

  bool operator==(const Needs&) const = default;
};

/// A point of a request (session/point_choice.h).
struct Point {
  std::string verb, request;  ///< bench, eval or generate; path of the request on the nodes
  std::string key, label;     ///< its key in the request, and what people call it
  Needs needs = {};
};

/// Points to be measured by one program.
struct Job {
  std::string program;                  ///< path of ridge on the nodes
  std::vector<std::string> flags = {};  ///< for each point, beside its request
  std::vector<Point> points = {};
};

}  // namespace ridge::lab::slurm
