// SPDX-License-Identifier: Apache-2.0
#include "session/run_recorder.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <utility>

#include "base/file.h"
#include "base/temporary_folder.h"
#include "base/text.h"
#include "machine/describe.h"
#include "profile/json.h"
#include "profile/sweep.h"
#include "record/json_write.h"

namespace ridge::session {
namespace {

using profile::Profile;
using store::RunId;

/// Writes the runs to a new file in the temporary folder and returns its path.
Result<std::string> write_to_temporary_folder(const profile::Sweep& sweep) {
  const std::string path = TRY(new_temporary_file("runs", ".json"));
  StringSink text;
  if (sweep.profiles.size() == 1)
    profile::write_json(sweep.profiles.front(), text);
  else
    profile::write_json(sweep, text);
  Result<void> written = write_file(path, text.text());
  if (written.ok()) return path;
  ::unlink(path.c_str());
  return std::move(written).error();
}

}  // namespace

std::int64_t seconds_now() {
  const auto since = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::seconds>(since).count();
}

Result<std::optional<RunRecorder>> RunRecorder::open(const std::string& path,
                                                     const Environment& environment) {
  if (path.empty()) return std::optional<RunRecorder>();
  if (environment.host.id.empty())
    environment.notices.status(fmt::format(
        "the machine has no id (/etc/machine-id): the store knows it by its processor and its host "
        "name, {}",
        printable(environment.host.hostname)));
  return std::optional(
      RunRecorder(TRY(store::Store::open(path, store::Access::kCreate)), environment));
}

void RunRecorder::assess_host() {
  using Checks = std::vector<machine::Check>;
  const Checks checks =
      machine::assess(machine::observe(environment_->host, machine::live_files()), {});
  fitness_ = record::json_text(record::kType<Checks>, &checks);
}

void RunRecorder::add(const Profile& profile, const std::string& key, When when) {
  // A run cut short by Ctrl-C is stored without its key, so that its point is measured again.
  const std::string point = environment_->stopped() ? "" : key;
  pending_.push_back({{.recorded_s = seconds_now(), .point = point, .fitness = fitness_}, {}});
  if (when == When::kAfterDocument) return;
  const Result<RunId> run = append(profile, pending_.back().stamp);
  if (run.ok()) pending_.back().run = *run;
}

Result<RunId> RunRecorder::append(const Profile& profile, const store::Stamp& stamp) {
  const store::Appended kept = TRY(store_.append(profile, stamp));
  environment_->notices.status(
      fmt::format("stored as run {} in {}", kept.id, printable(store_.path())));
  return kept.id;
}

Result<std::vector<RunId>> RunRecorder::finish(std::span<const Profile> profiles,
                                               const WrittenDocument& document) {
  std::optional<Error> why;
  std::vector<RunId> kept;
  const std::vector<PendingRun> pending = std::exchange(pending_, {});
  profile::Sweep missing;
  for (std::size_t i = 0; i < profiles.size(); ++i) {
    const Result<RunId> run =
        pending[i].run ? *pending[i].run : append(profiles[i], pending[i].stamp);
    if (run.ok()) {
      kept.push_back(*run);
    } else {
      why = run.error();
      missing.profiles.push_back(profiles[i]);
    }
  }
  if (why) return storing_error(*why, kept, missing, document);
  return kept;
}

Result<RunId> RunRecorder::keep(const Profile& profile, const std::string& key) {
  add(profile, key, When::kAfterDocument);
  return TRY(finish({&profile, 1}, {})).front();
}

Error RunRecorder::storing_error(const Error& why, const std::vector<RunId>& kept,
                                 const profile::Sweep& missing,
                                 const WrittenDocument& document) const {
  std::vector<std::string> places;
  if (!kept.empty())
    places.push_back(fmt::format("the store contains run {}", fmt::join(kept, ", ")));
  const bool printed = document.path == "-";
  if (!document.path.empty())
    places.push_back(fmt::format("{} contains {}", printed ? "standard output" : document.path,
                                 document.is_profile ? "every run" : "the document"));
  std::string file = printed ? "FILE, where FILE has that standard output" : document.path;
  if (!document.is_profile || document.path.empty()) {
    const Result<std::string> aside = write_to_temporary_folder(missing);
    file = aside.ok() ? *aside : "";
    places.push_back(aside.ok() ? file + " contains the runs that are not stored"
                                : aside.error().summary());
  }
  const std::string seen = why.evidence().empty() ? "" : why.evidence() + "; ";
  return environment_error("RIDGE-WB-0061",
                           fmt::format("{} could not be stored: {}",
                                       counted(std::ssize(missing.profiles), "run"), why.message()))
      .evidence(seen + fmt::format("{}", fmt::join(places, "; ")))
      .hint(file.empty()
                ? "free some space, then run it again"
                : fmt::format("free some space, then: ridge runs add {} {}", store_.path(), file))
      .in_file(store_.path());
}

}  // namespace ridge::session
