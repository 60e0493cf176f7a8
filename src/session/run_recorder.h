// SPDX-License-Identifier: Apache-2.0
// Stores runs in a run database, with the time and the fitness of the host. A run that the store
// rejects (full disk) is never lost.
//
//   std::optional<RunRecorder> recorder = TRY(RunRecorder::open(path, environment));  // "": none
//   recorder->assess_host();                              // before measuring; takes half a second
//   recorder->add(profile, key, When::kNow);              // one point of a sweep: stored at once
//   write_document(...);                                // the document is written before the store
//   TRY(recorder->finish(profiles, document));            // stores what is not stored yet
//
// Thread rule: one thread.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "profile/sweep.h"
#include "session/environment.h"
#include "store/store.h"

namespace ridge::session {

/// Current time in seconds since 1970 (UTC).
std::int64_t seconds_now();

/// Document to which a verb writes its runs in addition to the store.
struct WrittenDocument {
  std::string path;         ///< "": none; "-": standard output
  bool is_profile = false;  ///< True if `ridge runs add` can read it
};

class RunRecorder {
 public:
  /// nullopt if `path` is empty. Errors: as Store::open; call it before measuring.
  static Result<std::optional<RunRecorder>> open(const std::string& path,
                                                 const Environment& environment);

  /// Assesses the host's fitness and attaches the result to the runs added from now on.
  void assess_host();

  enum class When : std::uint8_t { kNow, kAfterDocument };
  /// Registers a run; finish() must get the same runs in the same order. kNow: also stores it now;
  /// if that fails, finish() tries again and reports the error.
  void add(const profile::Profile& profile, const std::string& key, When when);
  /// Stores every run that is not stored yet. The error (environment class) lists where each run
  /// is; runs that are in neither the store nor a document that `ridge runs add` can read are
  /// written to a file in the temporary folder.
  Result<std::vector<store::RunId>> finish(std::span<const profile::Profile> profiles,
                                           const WrittenDocument& document);
  /// Calls add() and finish() for one run without a document.
  Result<store::RunId> keep(const profile::Profile& profile, const std::string& key);

  store::Store& store() { return store_; }

 private:
  struct PendingRun {
    store::Stamp stamp;
    std::optional<store::RunId> run;  ///< nullopt: not in the store
  };

  RunRecorder(store::Store store, const Environment& environment)
      : store_(std::move(store)), environment_(&environment) {}
  Result<store::RunId> append(const profile::Profile& profile, const store::Stamp& stamp);
  Error storing_error(const Error& why, const std::vector<store::RunId>& kept,
                      const profile::Sweep& missing, const WrittenDocument& document) const;

  store::Store store_;
  const Environment* environment_;
  std::string fitness_;
  std::vector<PendingRun> pending_;  ///< since the last finish()
};

}  // namespace ridge::session
