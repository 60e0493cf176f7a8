#include "cli/run_keeper.h"

#include <fmt/format.h>

#include <chrono>

#include "base/text.h"
#include "cli/interrupt.h"
#include "machine/fitness.h"

namespace ridge::cli {

std::int64_t seconds_now() {
  const auto since = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::seconds>(since).count();
}

Result<std::optional<RunKeeper>> RunKeeper::open(const std::string& path, Console& console) {
  if (path.empty()) return std::optional<RunKeeper>();
  return std::optional(RunKeeper(TRY(store::Store::open(path, store::Access::kCreate)), console));
}

void RunKeeper::look_at(const machine::Host& host) {
  StringSink sink;
  {
    JsonWriter json(sink);
    machine::write_fitness(json,
                           machine::assess(machine::observe(host, machine::live_files()), {}));
  }
  fitness_ = sink.text();
}

Result<store::RunId> RunKeeper::keep(const profile::Profile& profile, const std::string& key) {
  // A run that Ctrl-C cut short is kept, but does not stand for its point.
  const std::string point = Interruption::requested() ? "" : key;
  const store::Appended kept = TRY(
      store_.append(profile, {.recorded_s = seconds_now(), .point = point, .fitness = fitness_}));
  console_->err.write(fmt::format("kept as run {} of {}\n", kept.id, printable(store_.path())));
  return kept.id;
}

}  // namespace ridge::cli
