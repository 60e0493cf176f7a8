// SPDX-License-Identifier: Apache-2.0
#include "lab/slurm/command.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <array>
#include <string_view>

#include "base/clock.h"
#include "base/file.h"
#include "base/list.h"
#include "base/temporary_folder.h"
#include "base/trim.h"
#include "ipc/process.h"

namespace ridge::lab::slurm {
namespace {

constexpr Nanos kLimit{120'000'000'000};
constexpr std::int64_t kMostOutput = std::int64_t{256} << 20;
/// Arguments are handed to the shell by position: none of them becomes a part of the command.
/// Lists of tasks are not to be cut (SLURM_BITSTR_LEN of squeue(1)).
constexpr const char* kRun =
    "out=$1; shift; SLURM_BITSTR_LEN=0; export SLURM_BITSTR_LEN; exec \"$@\" >\"$out\"";
/// Status of a shell that finds no program.
constexpr int kNotFound = 127;

enum class Cause { kUnreachable, kPartition, kFeature, kConfiguration };

struct Phrase {
  std::string_view text;  ///< words of Slurm, 22.05 to 24.11 (src/common/slurm_errno.c)
  Cause cause;
};

constexpr std::array kPhrases{
    Phrase{"Unable to contact slurm controller", Cause::kUnreachable},
    Phrase{"Socket timed out on send/recv", Cause::kUnreachable},
    Phrase{"Zero Bytes were transmitted", Cause::kUnreachable},
    Phrase{"Connection refused", Cause::kUnreachable},
    Phrase{"Transport endpoint is not connected", Cause::kUnreachable},
    Phrase{"slurm_receive_msg", Cause::kUnreachable},
    Phrase{"controller not responding", Cause::kUnreachable},
    Phrase{"controller is in standby mode", Cause::kUnreachable},
    Phrase{"nvalid partition", Cause::kPartition},
    Phrase{"nvalid feature specification", Cause::kFeature},
    Phrase{"node configuration is not available", Cause::kConfiguration},
    Phrase{"Memory specification can not be satisfied", Cause::kConfiguration},
    Phrase{"Memory required by task is not available", Cause::kConfiguration},
    Phrase{"CPU count", Cause::kConfiguration},
    Phrase{"Requested time limit is invalid", Cause::kConfiguration},
    Phrase{"Requested partition configuration not available", Cause::kConfiguration},
};

const Phrase* meaning(std::string_view words) {
  for (const Phrase& phrase : kPhrases)
    if (words.find(phrase.text) != std::string_view::npos) return &phrase;
  return nullptr;
}

Error named(Cause cause) {
  switch (cause) {
    case Cause::kUnreachable:
      return environment_error("RIDGE-LAB-0303", "Slurm's controller does not answer")
          .hint("scontrol ping tells where it should be");
    case Cause::kPartition:
      return input_error("RIDGE-LAB-0304", "the cluster has no such partition")
          .hint("sinfo lists partitions; name one with 'partition' in lab.toml");
    case Cause::kFeature:
      return input_error("RIDGE-LAB-0305", "no node of the cluster has such a feature")
          .hint("sinfo -o '%N %f' lists the features of nodes");
    case Cause::kConfiguration:
      break;
  }
  return no_such_node();
}

}  // namespace

Result<Ended> run_command(const std::vector<std::string>& command) {
  const TemporaryFolder folder = TRY(TemporaryFolder::make());
  const std::string out = folder.path() + "/out";
  std::vector<std::string> line = {"/bin/sh", "-c", kRun, "sh", out};
  line.insert(line.end(), command.begin(), command.end());
  ipc::Process process = TRY(ipc::Process::start_command(line));
  const auto status = process.wait(steady_clock().now() + kLimit);
  if (!status)
    return environment_error("RIDGE-LAB-0302",
                             fmt::format("{} did not end within two minutes", command[0]))
        .evidence(one_line(process.last_words()));
  Ended ended{WIFEXITED(*status) ? WEXITSTATUS(*status) : -1, {}, process.last_words()};
  if (ended.status == kNotFound)
    return environment_error("RIDGE-LAB-0301",
                             fmt::format("{} is not installed on this machine", command[0]))
        .hint("call ridge where jobs are submitted, or apt install slurm-client");
  ended.output = TRY(read_file(out, kMostOutput));
  return ended;
}

Error no_such_node() {
  return input_error("RIDGE-LAB-0306",
                     "no node of the partition has what is asked: memory, processors or time")
      .hint("sinfo -o '%N %c %m %l' lists processors, memory in MB and the longest time");
}

Error refusal(const std::string& program, const Ended& ended) {
  if (const Phrase* phrase = meaning(ended.words))
    return named(phrase->cause).evidence(one_line(ended.words));
  return environment_error("RIDGE-LAB-0307", fmt::format("{} was refused", program))
      .evidence(ended.words.empty()
                    ? fmt::format("{} ended with status {} and said nothing", program, ended.status)
                    : ended.words)
      .hint("the words are Slurm's; its administrator knows the rules of the cluster");
}

std::string one_line(const std::string& words) {
  std::string out;
  for (const std::string_view line : split(words, "\n"))
    if (const std::string_view text = trimmed(line); !text.empty())
      out += (out.empty() ? "" : "; ") + std::string(text);
  return out;
}

bool unreachable(const Error& error) { return error.code() == "RIDGE-LAB-0303"; }

bool concerns_needs(const Error& error) {
  return error.code() == "RIDGE-LAB-0305" || error.code() == "RIDGE-LAB-0306";
}

}  // namespace ridge::lab::slurm
