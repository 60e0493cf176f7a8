#include "runtime/generator.h"

#include <time.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <utility>

namespace ridge::runtime {
namespace {

using scenario::Kind;
using scenario::Query;

/// Time before a moment from which a lane is awake: more than it takes to wake up on a busy host.
constexpr std::int64_t kAwakeNs = 200'000;
/// Longest sleep without looking whether the load was canceled.
constexpr std::int64_t kLookNs = 20'000'000;
/// Attempts to get the turn without sleeping.
constexpr int kTries = 200;

void sleep_until(std::int64_t moment_ns) {
  const timespec time{moment_ns / 1'000'000'000, moment_ns % 1'000'000'000};
  ::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nullptr);
}

void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

std::uint32_t saturated(std::int64_t ns) {
  constexpr std::int64_t kMost = std::numeric_limits<std::uint32_t>::max();
  return static_cast<std::uint32_t>(std::clamp<std::int64_t>(ns, 0, kMost));
}

/// Waking a thread that sleeps takes longer than most gaps between queries, so lanes try first.
std::unique_lock<std::mutex> take(std::mutex& turn) {
  std::unique_lock lock(turn, std::defer_lock);
  for (int i = 0; i < kTries && !lock.try_lock(); ++i) pause();
  if (!lock.owns_lock()) lock.lock();
  return lock;
}

}  // namespace

Generator::Generator(const scenario::Scenario& scenario, LoadTarget& target, std::uint32_t feeds,
                     QueryLog& log, const Clock& clock)
    : scenario_(scenario),
      target_(target),
      feeds_(feeds),
      log_(log),
      clock_(clock),
      random_(scenario.seed) {}

Generator::~Generator() {
  stop_.store(true);
  for (std::thread& thread : threads_) thread.join();
}

Result<void> Generator::start() {
  TRY(scenario::check(scenario_));
  if (feeds_ == 0) return bug("a load without samples", "Generator");
  if (scenario_.kind == Kind::kServer)
    arrivals_ = TRY(scenario::make_arrivals(scenario_.arrivals, scenario_.seed));
  for (std::uint32_t i = 0; i < scenario_.lanes; ++i)
    lanes_.push_back({TRY(target_.open_lane()), log_.writer()});
  for (Lane& lane : lanes_)
    for (std::uint32_t run = 0; run < scenario_.warmup_runs; ++run)
      TRY(lane.target->run(run % feeds_));
  running_ = lanes_.size();
  result_.begun_ns = now();
  for (Lane& lane : lanes_) lane.last_done_ns = result_.begun_ns;
  for (Lane& lane : lanes_) threads_.emplace_back([this, &lane] { serve(lane); });
  return {};
}

bool Generator::wait_for(Nanos time) {
  std::unique_lock lock(ending_);
  return ended_.wait_for(lock, std::chrono::nanoseconds(time.count),
                         [this] { return running_ == 0; });
}

void Generator::fail(Error error) {
  const std::scoped_lock lock(ending_);
  if (!result_.failure) result_.failure = std::move(error);
  stop_.store(true);
}

void Generator::serve(Lane& lane) {
  while (const std::optional<Due> due = next(lane))
    if (!run_query(lane, *due)) break;
  const std::scoped_lock lock(ending_);
  result_.ended_ns = std::max(result_.ended_ns, lane.last_done_ns);
  result_.canceled = target_.canceled();
  if (--running_ == 0) ended_.notify_all();
}

/// False if the load ends.
bool Generator::run_query(Lane& lane, const Due& due) {
  Query query{.scheduled_ns = due.moment_ns,
              .issued_ns = due.issued_ns,
              .done_ns = 0,
              .late_ns = due.late_ns,
              .sample = due.sample & 0x7fff'ffffU,
              .failed = 0};
  for (std::uint32_t i = 0; i < scenario_.samples_per_query; ++i) {
    Result<void> run = run_sample(lane, due, i);
    if (run.ok()) continue;
    if (target_.canceled()) return false;
    if (run.error().error_class() != ErrorClass::kInput) return fail(run.error()), false;
    query.failed = 1;
  }
  query.done_ns = lane.last_done_ns = now();
  done_.fetch_add(1, std::memory_order_relaxed);
  if (lane.log.add(query)) return true;
  const std::scoped_lock lock(ending_);
  result_.log_full = true;
  stop_.store(true);
  return false;
}

Result<void> Generator::run_sample(Lane& lane, const Due& due, std::uint32_t i) {
  TRY(lane.target->run((due.sample + i) % feeds_));
  if (scenario_.kept.empty()) return {};
  const std::uint64_t run = due.number * scenario_.samples_per_query + i;
  if (!std::ranges::binary_search(scenario_.kept, run)) return {};
  return lane.target->keep(run);
}

/// The moment at which the next query is due: those of a client that waits for its answers at once,
/// the samples of an offline load all at its beginning.
std::optional<std::int64_t> Generator::moment(const Lane& lane) {
  if (scenario_.kind == Kind::kOffline) return result_.begun_ns;
  if (scenario_.kind != Kind::kServer) return lane.last_done_ns;
  const std::int64_t after = arrivals_->next();
  if (after == scenario::kNever) return std::nullopt;
  return result_.begun_ns + after;
}

/// True if a query at that moment belongs to the load.
bool Generator::may_go_on(std::int64_t moment_ns) const {
  const std::int64_t after = moment_ns - result_.begun_ns;
  if (scheduled_ >= scenario_.most_queries || after >= scenario_.most_duration.count) return false;
  const bool beyond = scenario_.last == scenario::Last::kBeyond;
  return scheduled_ < scenario_.least_queries ||
         (beyond ? last_after_ns_ : after) < scenario_.least_duration.count;
}

/// Counts the queries that were due and are not issued, the one at `from_ns` included.
void Generator::abandon(std::int64_t from_ns) {
  for (std::int64_t at = from_ns; may_go_on(at); ++scheduled_) {
    ++result_.abandoned;
    const std::int64_t after = arrivals_->next();
    if (after == scenario::kNever) return;
    at = result_.begun_ns + after;
  }
}

std::optional<Generator::Due> Generator::next(Lane& lane) {
  const std::int64_t asked = lane.last_done_ns;
  const std::unique_lock lock = take(turn_);
  if (closed_ || stop_.load(std::memory_order_relaxed)) return std::nullopt;
  const std::optional<std::int64_t> due = moment(lane);
  if (!due || !may_go_on(std::max(*due, scenario_.kind == Kind::kServer ? *due : asked)) ||
      target_.canceled()) {
    closed_ = true;
    return std::nullopt;
  }
  if (asked - result_.begun_ns >= scenario_.most_duration.count) {
    closed_ = true;
    if (scenario_.kind == Kind::kServer) abandon(*due);
    return std::nullopt;
  }
  Due out{.moment_ns = *due, .sample = draw_sample(), .number = scheduled_};
  last_after_ns_ = *due - result_.begun_ns;
  ++scheduled_;
  if (!wait_until(*due)) {
    closed_ = true;
    return std::nullopt;
  }
  out.issued_ns = now();
  out.late_ns = saturated(out.issued_ns - std::max(*due, asked));
  return out;
}

/// False if the load was canceled meanwhile.
bool Generator::wait_until(std::int64_t moment_ns) const {
  for (std::int64_t time = now(); time < moment_ns; time = now()) {
    if (stop_.load(std::memory_order_relaxed) || target_.canceled()) return false;
    if (moment_ns - time <= kAwakeNs)
      pause();
    else
      sleep_until(std::min(moment_ns - kAwakeNs, time + kLookNs));
  }
  return true;
}

std::uint32_t Generator::draw_sample() {
  if (scenario_.order == scenario::Order::kListed) return scenario_.listed[scheduled_];
  if (scenario_.order == scenario::Order::kRandom)
    return static_cast<std::uint32_t>(random_.below(feeds_));
  const std::uint32_t sample = in_turn_;
  in_turn_ = (in_turn_ + scenario_.samples_per_query) % feeds_;
  return sample;
}

}  // namespace ridge::runtime
