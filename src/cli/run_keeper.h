// What --store does while a verb measures: every point is kept as soon as it is there, with the
// time and the fitness of the host.
//
//   std::optional<RunKeeper> keeper = TRY(RunKeeper::open(path, console));   // "": keeps nothing
//   keeper->look_at(host);                              // before measuring, half a second
//   TRY(keeper->keep(profile, key));                    // says where on standard error
//
// Thread rule: one thread.
#pragma once

#include <optional>
#include <string>

#include "cli/console.h"
#include "machine/host.h"
#include "profile/profile.h"
#include "store/store.h"

namespace ridge::cli {

/// Seconds since 1970.
std::int64_t seconds_now();

class RunKeeper {
 public:
  /// nullopt where `path` is empty. Errors of Store::open come before anything is measured.
  static Result<std::optional<RunKeeper>> open(const std::string& path, Console& console);

  /// The runs kept from now on carry the host's fitness of this moment.
  void look_at(const machine::Host& host);
  Result<store::RunId> keep(const profile::Profile& profile, const std::string& key);
  store::Store& store() { return store_; }

 private:
  RunKeeper(store::Store store, Console& console) : store_(std::move(store)), console_(&console) {}
  store::Store store_;
  Console* console_;
  std::string fitness_;
};

}  // namespace ridge::cli
