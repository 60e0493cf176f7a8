// SPDX-License-Identifier: Apache-2.0
#include "lab/serve/trial/trials.h"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <utility>

#include "base/file.h"
#include "lab/serve/trial/pair.h"
#include "runtime/inputs/npy.h"

namespace ridge::lab::serve {
namespace {

/// Value of --data: the folder of a picture or text, the file of a tensor.
std::string data_of(const TrialSetup& setup, const std::string& folder) {
  const std::string below = folder + "/sample";
  return setup.kind == SampleKind::kTensor ? below + "/sample" + setup.ending : below;
}

Result<void> write(const TrialSetup& setup, const std::string& folder) {
  const std::string below = folder + "/sample";
  std::error_code failed;
  std::filesystem::create_directory(below, failed);
  const std::string file = below + "/sample" + setup.ending;
  TRY(write_file(file, setup.bytes));
  if (setup.kind == SampleKind::kTensor) TRY(runtime::Npy::open(file));
  return {};
}

}  // namespace

Result<Trial*> Trials::trial_of(std::int64_t id) {
  for (Trial& trial : trials_)
    if (trial.id == id) return &trial;
  return input_error(kNoSuchJob, fmt::format("there is no try {}", id));
}

Result<Trial> Trials::start(TrialSetup setup) {
  const std::lock_guard starting(starting_);
  Turn turn = TRY(jobs_.take_turn());
  TemporaryFolder folder = TRY(TemporaryFolder::make());
  TRY(write(setup, folder.path()));
  if (thread_.joinable()) thread_.join();  // the last try, which has ended
  const std::lock_guard lock(mutex_);
  const Trial begun{.id = ++last_,
                    .kind = setup.kind,
                    .name = setup.name,
                    .bytes = std::ssize(setup.bytes),
                    .asked = std::ssize(setup.models) * std::ssize(setup.runtimes)};
  trials_.push_back(begun);
  if (trials_.size() > kKept) trials_.erase(trials_.begin());
  thread_ = std::jthread(
      [this, id = begun.id, work = Work{std::move(turn), std::move(folder), std::move(setup)}](
          const std::stop_token& stop) mutable { run(stop, id, std::move(work)); });
  return begun;
}

void Trials::run(const std::stop_token& stop, std::int64_t id, Work work) {
  {
    const Work mine = std::move(work);
    const std::string& folder = mine.folder.path();
    const std::string sample = data_of(mine.setup, folder);
    for (const std::string& model : mine.setup.models)
      for (const std::string& runtime : mine.setup.runtimes) {
        if (stop.stop_requested()) break;
        TriedPair pair =
            try_pair(mine.setup.kind, {model, runtime}, {folder, sample, registry_}, stop);
        const std::lock_guard lock(mutex_);
        if (const auto trial = trial_of(id); trial.ok()) (*trial)->pairs.push_back(std::move(pair));
      }
  }  // gives the turn back, so that whoever sees the end may start another
  const std::lock_guard lock(mutex_);
  if (const auto trial = trial_of(id); trial.ok())
    (*trial)->state = stop.stop_requested() ? JobState::kCanceled : JobState::kDone;
}

Result<Trial> Trials::find(std::int64_t id) {
  const std::lock_guard lock(mutex_);
  return *TRY(trial_of(id));
}

Result<Trial> Trials::cancel(std::int64_t id) {
  const std::lock_guard lock(mutex_);
  Trial* trial = TRY(trial_of(id));
  if (trial->state == JobState::kRunning) thread_.request_stop();
  return *trial;
}

}  // namespace ridge::lab::serve
