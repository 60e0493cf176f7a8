// SPDX-License-Identifier: Apache-2.0
// lab.toml: the machines of a laboratory, and where results go.
//
//   store = "runs.db"                   # or "postgresql://?service=lab"
//   [[host]]
//   name = "b2"
//   ssh = "bench@b2.example.org"        # without: an agent beside, on this machine
//   tags = ["gpu", "rack-3"]
//   [[slurm]]
//   partition = "short"
//   constraint = "avx512"
//   folder = "/shared/ridge"
//
//   Lab lab = TRY(read_lab("lab.toml"));                // lab_reader.h
//
// No field decides which code is loaded or which program runs: ssh is found in PATH and has the
// user's own configuration, and on the host `ridge` is the one of its PATH. Errors: input class,
// with line and column (record/toml.h); RIDGE-LAB-0110 (what is no destination), 0111 (two equal
// names), 0117 (no machine). Thread rule: plain data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "lab/slurm/partition.h"

namespace ridge::lab {

struct Host {
  std::string name;
  std::string ssh;  ///< destination for ssh; "": this machine, without ssh
  std::vector<std::string> tags;
  std::optional<std::uint32_t> port;
  std::string identity;     ///< private key; "": as ssh decides
  std::string known_hosts;  ///< file of known host keys; "": as ssh decides
};

struct Partition {
  slurm::Partition slurm;
  std::vector<std::string> tags;
};

struct Lab {
  std::string store;  ///< "": named on the command line
  std::vector<Host> hosts;
  std::vector<Partition> slurm;
};

/// Text that ssh cannot take for an option, and no shell for more than a word.
Result<std::string> checked_destination(std::string text);
Result<std::string> checked_path(std::string text);
Result<std::string> checked_name(std::string text);
Result<void> check(const Lab& lab);

}  // namespace ridge::lab
