// SPDX-License-Identifier: Apache-2.0
#include "lab/slurm/submission.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/text.h"

namespace ridge::lab::slurm {
namespace {

constexpr std::string_view kLetters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";
/// Letters of names, and what joins features in sbatch(1).
constexpr std::string_view kConstraint =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-:=&|()[]*";
constexpr std::size_t kMostLetters = 1000;

Result<void> check_text(std::string_view what, std::string_view text, std::string_view allowed) {
  const std::size_t bad = text.find_first_not_of(allowed);
  if (bad == std::string_view::npos && text.size() <= kMostLetters) return {};
  return input_error("RIDGE-LAB-0300",
                     fmt::format("'{}' is no {} of Slurm", printable(text.substr(0, 100)), what))
      .evidence(bad == std::string_view::npos ? fmt::format("it has {} characters", text.size())
                                              : fmt::format("at character {}", bad + 1))
      .hint("scontrol show partition, and scontrol show node, list the names");
}

/// Features that are all needed: the partition's own, which may be alternatives, and a point's.
std::string constraint_of(const Partition& partition, const Needs& needs) {
  const bool choice = partition.constraint.find('|') != std::string::npos;
  std::string out =
      choice && !needs.features.empty() ? "(" + partition.constraint + ")" : partition.constraint;
  for (const std::string& feature : needs.features) out += (out.empty() ? "" : "&") + feature;
  return out;
}

/// Slurm replaces %a and the like in names of files.
std::string without_patterns(std::string_view path) {
  std::string out;
  for (const char c : path) out += c == '%' ? std::string("%%") : std::string(1, c);
  return out;
}

std::vector<std::string> resources(const Partition& partition, const Needs& needs) {
  std::vector<std::string> out;
  if (!partition.partition.empty()) out.push_back("--partition=" + partition.partition);
  if (!partition.account.empty()) out.push_back("--account=" + partition.account);
  if (!partition.qos.empty()) out.push_back("--qos=" + partition.qos);
  const std::string constraint = constraint_of(partition, needs);
  if (!constraint.empty()) out.push_back("--constraint=" + constraint);
  constexpr std::int64_t kMebi = 1 << 20;
  if (needs.memory)
    out.push_back(fmt::format("--mem={}M", (needs.memory->count + kMebi - 1) / kMebi));
  if (needs.cpus) out.push_back(fmt::format("--cpus-per-task={}", *needs.cpus));
  return out;
}

std::string quoted(std::string_view text) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-/=:,%+@";
  if (!text.empty() && text.find_first_not_of(kPlain) == std::string_view::npos)
    return std::string(text);
  std::string out = "'";
  for (const char c : printable(text)) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

}  // namespace

std::vector<std::vector<std::size_t>> arrays_of(const std::vector<Point>& points,
                                                const std::vector<std::size_t>& waiting) {
  std::vector<std::vector<std::size_t>> out;
  for (const std::size_t point : waiting) {
    const auto fits = std::find_if(out.begin(), out.end(), [&](const auto& array) {
      return array.size() < kArrayLimit && points[array[0]].needs == points[point].needs;
    });
    if (fits != out.end())
      fits->push_back(point);
    else
      out.push_back({point});
  }
  return out;
}

Result<void> check(const Partition& partition) {
  TRY(check_text("partition", partition.partition, std::string(kLetters) + ","));
  TRY(check_text("constraint", partition.constraint, kConstraint));
  TRY(check_text("account", partition.account, kLetters));
  TRY(check_text("qos", partition.qos, kLetters));
  if (partition.folder.find('\0') == std::string::npos) return {};
  return input_error("RIDGE-LAB-0300", "the name of a folder has no zero byte");
}

Result<void> check(const Point& point) {
  for (const std::string* text : {&point.verb, &point.request, &point.key})
    if (text->empty() || text->find_first_of(std::string_view("\n\0", 2)) != std::string::npos)
      return input_error("RIDGE-LAB-0300",
                         fmt::format("'{}' cannot be handed to a job", printable(*text)))
          .hint("names of requests are one line");
  for (const std::string& feature : point.needs.features) {
    if (feature.empty()) return input_error("RIDGE-LAB-0300", "a feature of Slurm has a name");
    TRY(check_text("feature", feature, kLetters));
  }
  return {};
}

std::int64_t beat_s(const Partition& partition) {
  return std::clamp<std::int64_t>(partition.lease_s / 6, 1, 10);
}

std::vector<std::string> sbatch_arguments(const Partition& partition, const Job& job,
                                          const Submission& submission) {
  const std::string at = submission.folder + "/submissions/" + submission.name;
  std::vector<std::string> out = {"--parsable",
                                  "--no-requeue",
                                  "--export=ALL",
                                  "--ntasks=1",
                                  "--nodes=1",
                                  "--job-name=" + submission.job,
                                  fmt::format("--array=0-{}", submission.tasks - 1),
                                  "--output=" + without_patterns(at) + "/%a.out",
                                  fmt::format("--time={}", (partition.time_limit_s + 59) / 60)};
  if (partition.exclusive) out.emplace_back("--exclusive");
  const std::vector<std::string> nodes = resources(partition, submission.needs);
  out.insert(out.end(), nodes.begin(), nodes.end());
  out.insert(out.end(), {submission.folder + "/job.sh", submission.folder, submission.name,
                         fmt::format("{}", beat_s(partition)), job.program});
  out.insert(out.end(), job.flags.begin(), job.flags.end());
  return out;
}

std::string resources_text(const Partition& partition, const Needs& needs) {
  std::string out;
  for (const std::string& a : resources(partition, needs)) out += (out.empty() ? "" : " ") + a;
  return out.empty() ? "any node" : out;
}

std::string sbatch_line(const std::vector<std::string>& arguments) {
  std::string out = "sbatch";
  for (const std::string& a : arguments) out += " " + quoted(a);
  return out;
}

}  // namespace ridge::lab::slurm
