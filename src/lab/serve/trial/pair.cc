// SPDX-License-Identifier: Apache-2.0
#include "lab/serve/trial/pair.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/file.h"
#include "base/temporary_folder.h"
#include "evaluation/record/document.h"
#include "ipc/process.h"
#include "lab/serve/exchange.h"
#include "lab/serve/trial/answer.h"
#include "lab/serve/trial/told_error.h"

namespace ridge::lab::serve {
namespace {

constexpr Nanos kLook{50'000'000}, kEnding{5'000'000'000};
constexpr Nanos kLongestPair{kLongestPairSeconds * 1'000'000'000};

std::vector<std::string> command_of(const PairNames& names, const TrialPlace& place,
                                    const std::string& results) {
  std::vector<std::string> out = {std::filesystem::read_symlink("/proc/self/exe").string(),
                                  "eval",
                                  names.model,
                                  "--data=" + place.sample,
                                  "--limit=1",
                                  "--scenario=single-stream",
                                  "--duration=1s",
                                  "--max-duration=10s",
                                  "--min-queries=1",
                                  "--format=json",
                                  "--output=" + results + "/evaluation.json",
                                  "--save-outputs=" + results + "/outputs"};
  if (!names.runtime.empty()) out.push_back("--runtimes=" + names.runtime);
  if (!place.registry.empty()) out.push_back("--registry=" + place.registry);
  return out;
}

/// Ends a process as Ctrl-C does, so that it ends its own.
void end(ipc::Process& process) {
  if (process.running()) ::kill(process.id(), SIGINT);
  process.wait(steady_clock().now() + kEnding);
}

/// Its wait status.
Result<int> end_of(ipc::Process& process, const std::stop_token& stop) {
  const Nanos deadline = steady_clock().now() + kLongestPair;
  for (;;) {
    const Nanos now = steady_clock().now();
    if (const auto status = process.wait(std::min(deadline, now + kLook))) return *status;
    if (!stop.stop_requested() && now < deadline) continue;
    end(process);
    if (stop.stop_requested()) return input_error("RIDGE-SERVE-0054", "the try was canceled");
    return environment_error("RIDGE-SERVE-0052",
                             fmt::format("the model took longer than {} s", kLongestPairSeconds))
        .hint("measure it as a job, or by ridge eval on the machine itself");
  }
}

/// Takes names of folders of this machine out of what a process said.
void hide(const TrialPlace& place, ErrorDocument& error) {
  for (std::string* text : {&error.message, &error.where, &error.evidence, &error.hint})
    for (const std::string& folder : {place.folder + "/", place.registry + "/"})
      for (std::size_t at = 0;
           folder.size() > 1 && (at = text->find(folder, at)) != std::string::npos;)
        text->erase(at, folder.size());
}

ErrorDocument error_of(const ipc::Process& process, int status) {
  const std::string words = process.last_words();
  if (auto told = told_error(words)) return *told;
  return document_of(
      environment_error("RIDGE-SERVE-0055", "ridge eval " + ipc::describe_end(status))
          .evidence(words));
}

Result<void> evaluate(const PairNames& names, const TrialPlace& place, const std::stop_token& stop,
                      TriedPair& pair) {
  const TemporaryFolder results = TRY(TemporaryFolder::make(place.folder));
  ipc::Process process = TRY(ipc::Process::start_command(command_of(names, place, results.path())));
  const int status = TRY(end_of(process, stop));
  const bool judged = WIFEXITED(status) && WEXITSTATUS(status) <= 1;
  if (!judged) {
    pair.error = error_of(process, status);
    return {};
  }
  const std::string text =
      TRY(read_file(results.path() + "/evaluation.json", evaluation::kLargestEvaluation));
  const evaluation::Evaluation evaluation = TRY(evaluation::read_evaluation(text));
  if (evaluation.points.empty())
    return environment_error("RIDGE-SERVE-0055", "ridge eval evaluated nothing");
  return add_results(evaluation, pair);
}

}  // namespace

TriedPair try_pair(SampleKind kind, const PairNames& names, const TrialPlace& place,
                   const std::stop_token& stop) {
  TriedPair out{.model = names.model, .runtime = names.runtime};
  if (kind != SampleKind::kTensor && names.model.starts_with("zoo:")) {
    out.error = document_of(
        input_error(
            "RIDGE-SERVE-0053",
            fmt::format("a network of the zoo has no steps from a {} to its input", word(kind)))
            .hint("send its input as a tensor, or put the model with a manifest into the registry "
                  "(docs/manifests.md)"));
    return out;
  }
  const Result<void> done = evaluate(names, place, stop, out);
  if (!done.ok()) out.error = document_of(done.error());
  if (out.error) hide(place, *out.error);
  return out;
}

}  // namespace ridge::lab::serve
