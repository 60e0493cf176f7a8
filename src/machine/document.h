// SPDX-License-Identifier: Apache-2.0
// Document of a machine, ridge.machine/1: host, fitness, roofs. describe.h has its keys.
//
//   record::write_json(machine::document(host, checks, roofs), sink);
//   const machine::Document d = TRY(record::read_json<machine::Document>(text));
//
// Plain data, no thread rule.
#pragma once

#include <string>
#include <vector>

#include "machine/fitness.h"
#include "machine/host.h"
#include "machine/roof.h"

namespace ridge::machine {

struct Document {
  std::string ridge_version;
  Host host;
  std::vector<Check> fitness;
  std::vector<MeasuredRoof> roofs;
  std::vector<std::string> notes;
};

/// Document of this version of ridge.
Document document(Host host, std::vector<Check> checks, MeasuredRoofs roofs);

}  // namespace ridge::machine
