// Puts runs into a run database, with the time and the fitness of the host. A store that refuses a
// run (a full disk) never costs the measurement.
//
//   std::optional<RunKeeper> keeper = TRY(RunKeeper::open(path, environment));  // "": none
//   keeper->look_at_host();                             // before measuring, half a second
//   keeper->offer(profile, key, When::kNow);            // a point of several, at once
//   write_document(...);                                // the document comes before the store
//   TRY(keeper->finish(profiles, document));            // offers again what the store has not
//
// Thread rule: one thread.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "profile/sweep.h"
#include "store/store.h"
#include "workbench/environment.h"

namespace ridge::workbench {

/// Seconds since 1970.
std::int64_t seconds_now();

/// Where else the runs of a verb are.
struct WrittenDocument {
  std::string path;         ///< "": nowhere; "-": standard output
  bool is_profile = false;  ///< `ridge runs add` reads it
};

class RunKeeper {
 public:
  /// nullopt where `path` is empty. Errors of Store::open come before anything is measured.
  static Result<std::optional<RunKeeper>> open(const std::string& path,
                                               const Environment& environment);

  /// The runs kept from now on carry the host's fitness of this moment.
  void look_at_host();

  enum class When : std::uint8_t { kNow, kAfterDocument };
  /// A run that finish() will have as the next of its profiles. What the store says against it is
  /// left for finish().
  void offer(const profile::Profile& profile, const std::string& key, When when);
  /// Offers the store every run that it has not taken. The error (environment class) lists what is
  /// kept where; a run that is in neither the store nor a document that `ridge runs add` reads is
  /// written to a file in the temporary folder.
  Result<std::vector<store::RunId>> finish(std::span<const profile::Profile> profiles,
                                           const WrittenDocument& document);
  /// offer() and finish() of one run that has no document.
  Result<store::RunId> keep(const profile::Profile& profile, const std::string& key);

  store::Store& store() { return store_; }

 private:
  struct Offered {
    store::Stamp stamp;
    std::optional<store::RunId> run;  ///< nullopt: not in the store
  };

  RunKeeper(store::Store store, const Environment& environment)
      : store_(std::move(store)), environment_(&environment) {}
  Result<store::RunId> append(const profile::Profile& profile, const store::Stamp& stamp);
  Error refused(const Error& why, const std::vector<store::RunId>& kept,
                const profile::Sweep& missing, const WrittenDocument& document) const;

  store::Store store_;
  const Environment* environment_;
  std::string fitness_;
  std::vector<Offered> offered_;  ///< since the last finish()
};

}  // namespace ridge::workbench
