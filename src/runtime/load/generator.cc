#include "runtime/load/generator.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <utility>

namespace ridge::runtime {
namespace {

using scenario::Query;

/// Longest sleep where another lane may answer a client.
constexpr std::int64_t kNewsNs = 50'000;
/// Time for which a lane draws queries ahead, and most of them.
constexpr std::int64_t kAheadNs = 20'000;
constexpr std::size_t kMostAhead = 256;
/// Attempts to get the turn without sleeping.
constexpr int kTries = 200;

std::uint32_t saturated(std::int64_t ns) {
  constexpr std::int64_t kMost = std::numeric_limits<std::uint32_t>::max();
  return static_cast<std::uint32_t>(std::clamp<std::int64_t>(ns, 0, kMost));
}

/// Waking a thread that sleeps takes longer than most gaps between queries, so lanes try first.
std::unique_lock<std::mutex> take_turn(std::mutex& turn) {
  std::unique_lock lock(turn, std::defer_lock);
  for (int i = 0; i < kTries && !lock.try_lock(); ++i) pause();
  if (!lock.owns_lock()) lock.lock();
  return lock;
}

}  // namespace

Result<void> LaneTarget::run_batch(std::span<const std::uint32_t>, std::uint32_t) {
  return bug("a batch for a target without batches", "Generator");
}

Generator::Generator(const scenario::Scenario& scenario, LoadTarget& target,
                     std::vector<std::uint32_t> samples, QueryLog& log, const Clock& clock)
    : scenario_(scenario),
      target_(target),
      samples_(std::move(samples)),
      log_(log),
      clock_(clock) {}

Generator::~Generator() {
  stop_.store(true);
  for (std::thread& thread : threads_) thread.join();
}

std::uint64_t Generator::progress() const {
  std::uint64_t done = 0;
  for (const auto& lane : lanes_) done += lane->done.load(std::memory_order_relaxed);
  return done;
}

Result<void> Generator::start() {
  source_.emplace(TRY(QuerySource::make(scenario_, samples_)));
  if (scenario_.batching || scenario_.clients > 0) queue_.emplace(scenario_, *source_);
  for (std::uint32_t i = 0; i < scenario_.lanes; ++i) {
    std::unique_ptr<LaneTarget> target = TRY(target_.open_lane());
    lanes_.push_back(std::make_unique<Lane>(std::move(target), log_.writer()));
  }
  for (const auto& lane : lanes_) TRY(warm_up(*lane));
  running_ = lanes_.size();
  result_.begun_ns = result_.measured_ns = now();
  source_->begin(result_.begun_ns);
  if (queue_) queue_->begin(result_.begun_ns);
  for (const auto& lane : lanes_) lane->last_done_ns = result_.begun_ns;
  for (const auto& lane : lanes_) threads_.emplace_back([this, &lane] { serve(*lane); });
  return {};
}

/// Runs samples of each model, or batches of each size.
Result<void> Generator::warm_up(Lane& lane) {
  for (std::uint32_t run = 0; run < scenario_.warmup_runs; ++run) {
    if (scenario_.batching) {
      for (const std::uint32_t size : scenario::sizes_of(*scenario_.batching)) {
        lane.feeds.clear();
        for (std::uint32_t i = 0; i < size; ++i) lane.feeds.push_back(i % samples_[0]);
        TRY(lane.target->run_batch(lane.feeds, size));
      }
      continue;
    }
    std::uint32_t first = 0;
    for (const std::uint32_t samples : samples_) {
      TRY(lane.target->run(first + run % samples));
      first += samples;
    }
  }
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
  while (take(lane) && run(lane)) {
  }
  const std::scoped_lock turn(turn_);
  const std::scoped_lock lock(ending_);
  result_.ended_ns = std::max(result_.ended_ns, lane.last_done_ns);
  result_.measured_ns = source_->measured_ns();
  if (queue_) result_.abandoned = queue_->abandoned();
  result_.canceled = target_.canceled();
  if (--running_ == 0) ended_.notify_all();
}

Result<void> Generator::run_sample(Lane& lane, const Due& due, std::uint32_t i) {
  TRY(lane.target->run(source_->neighbor(due, i)));
  if (scenario_.kept.empty() || due.warmup) return {};
  const std::uint64_t run = due.ordinal * scenario_.samples_per_query + i;
  if (!std::ranges::binary_search(scenario_.kept, run)) return {};
  return lane.target->keep(run);
}

Result<void> Generator::run_taken(Lane& lane) {
  lane.feeds.clear();
  if (lane.batch > 0) {
    for (const Due& due : lane.taken) lane.feeds.push_back(due.sample);
    return lane.target->run_batch(lane.feeds, lane.batch);
  }
  const Due& due = lane.taken.front();
  std::optional<Error> rejected;
  for (std::uint32_t i = 0; i < scenario_.samples_per_query; ++i) {
    Result<void> run = run_sample(lane, due, i);
    if (run.ok()) continue;
    if (run.error().error_class() != ErrorClass::kInput) return run;
    rejected = std::move(run).error();
  }
  if (rejected) return std::move(*rejected);
  return {};
}

/// False if the load ends.
bool Generator::run(Lane& lane) {
  const Result<void> done = run_taken(lane);
  if (!done.ok()) {
    if (target_.canceled()) return false;
    if (done.error().error_class() != ErrorClass::kInput) return fail(done.error()), false;
  }
  lane.last_done_ns = now();
  const bool room = record(lane, !done.ok());
  if (queue_ && queue_->has_clients()) queue_->answer(lane.taken.size(), lane.last_done_ns);
  if (room) return true;
  const std::scoped_lock lock(ending_);
  result_.log_full = true;
  stop_.store(true);
  return false;
}

/// False if the log is full.
bool Generator::record(Lane& lane, bool failed) {
  for (const Due& due : lane.taken) {
    const Query query{.scheduled_ns = due.moment_ns,
                      .issued_ns = due.issued_ns,
                      .done_ns = lane.last_done_ns,
                      .late_ns = due.late_ns,
                      .sample = due.sample & Query::kSampleBits,
                      .failed = failed ? 1U : 0U,
                      .warmup = due.warmup ? 1U : 0U};
    if (!lane.log.add(query)) return false;
  }
  // Only this lane writes it.
  lane.done.store(lane.done.load(std::memory_order_relaxed) + lane.taken.size(),
                  std::memory_order_relaxed);
  return true;
}

bool Generator::take(Lane& lane) {
  if (queue_) return take_batch(lane);
  if (scenario_.kind == scenario::Kind::kServer) return take_scheduled(lane);
  return take_own(lane);
}

/// The lane that has the turn waits for a moment, at which it lets go of the turn; the first in
/// line sleeps and wakes up as it does, so that a query right behind finds it awake. The others
/// sleep.
std::unique_lock<std::mutex> Generator::scheduled_turn() {
  const std::unique_lock first = take_turn(line_);
  std::unique_lock turn(turn_, std::try_to_lock);
  while (!turn.owns_lock()) {
    const std::int64_t time = now(), moment = awaited_ns_.load(std::memory_order_relaxed);
    first_waiter_.approach(time, moment, longest_sleep(moment - time));
    (void)turn.try_lock();
  }
  return turn;
}

bool Generator::take_scheduled(Lane& lane) {
  const std::int64_t asked = lane.last_done_ns;
  const std::unique_lock lock = scheduled_turn();
  if (closed_ || stop_.load(std::memory_order_relaxed)) return false;
  closed_ = true;  // unless the end of this function is reached
  if (source_->out_of_time(asked)) {
    result_.abandoned = source_->abandon(0);
    return false;
  }
  std::optional<Due> due = source_->draw(asked);
  if (!due) return false;
  awaited_ns_.store(due->moment_ns, std::memory_order_relaxed);
  if (!wait_until(due->moment_ns)) return false;
  due->issued_ns = now();
  due->late_ns = saturated(due->issued_ns - std::max(due->moment_ns, asked));
  lane.taken.assign(1, *due);
  closed_ = false;
  return true;
}

/// Draws what the lane will run in a while, judged by the queries that it drew before.
void Generator::draw_ahead(Lane& lane) {
  const std::int64_t asked = lane.last_done_ns;
  const std::unique_lock lock = take_turn(turn_);
  const std::int64_t each =
      std::max<std::int64_t>(1, (asked - lane.drawn_ns) / static_cast<std::int64_t>(lane.ahead));
  const auto wanted = static_cast<std::size_t>(std::max<std::int64_t>(1, kAheadNs / each));
  // Where the load ends by the moment of its last query, each is drawn when it is due.
  const bool ahead = source_->measuring() && scenario_.last == scenario::Last::kWithin;
  lane.ahead = ahead ? std::min({wanted, 2 * lane.ahead, kMostAhead}) : 1;
  lane.drawn_ns = asked;
  while (lane.drawn.size() < lane.ahead) {
    const std::optional<Due> due = source_->draw(asked);
    if (!due) break;
    lane.drawn.push_back(*due);
  }
  std::ranges::reverse(lane.drawn);
}

/// Takes the next query of a lane that is a client, or takes samples that are all there.
bool Generator::take_own(Lane& lane) {
  const std::int64_t asked = lane.last_done_ns;
  if (lane.drawn.empty()) draw_ahead(lane);
  if (lane.drawn.empty() || stop_.load(std::memory_order_relaxed) || target_.canceled())
    return false;
  Due due = lane.drawn.back();
  lane.drawn.pop_back();
  if (!source_->belongs(due, asked)) return false;
  if (scenario_.kind != scenario::Kind::kOffline) due.moment_ns = asked;
  due.issued_ns = now();
  due.late_ns = saturated(due.issued_ns - asked);
  lane.taken.assign(1, due);
  return true;
}

bool Generator::take_batch(Lane& lane) {
  const std::int64_t asked = lane.last_done_ns;
  const std::unique_lock lock = take_turn(turn_);
  std::optional<scenario::Batch> batch;
  for (bool known = false; !known;) {
    if (closed_ || stop_.load(std::memory_order_relaxed) || target_.canceled()) return false;
    const std::uint64_t news = queue_->news();
    batch = queue_->plan(asked);
    if (!batch && queue_->ended()) return false;
    const bool clients = queue_->has_clients();
    const std::int64_t until = batch ? batch->at_ns : now() + kLookNs;
    closed_ = !wait_until(until, clients ? std::optional(news) : std::nullopt);
    known = !closed_ && batch && (!clients || queue_->news() == news);
  }
  queue_->take(*batch, lane.taken);
  lane.batch = scenario_.batching ? batch->size : 0;
  const std::int64_t issued = now();
  for (Due& due : lane.taken) {
    due.issued_ns = issued;
    due.late_ns = saturated(issued - batch->at_ns);
  }
  return true;
}

/// False if the load was canceled meanwhile. With `news` it ends early when there are others.
bool Generator::wait_until(std::int64_t moment_ns, std::optional<std::uint64_t> news) {
  const std::int64_t longest = news ? kNewsNs : longest_sleep(moment_ns - now());
  for (std::int64_t time = now(); time < moment_ns; time = now()) {
    if (stop_.load(std::memory_order_relaxed) || target_.canceled()) return false;
    if (news && queue_->news() != *news) return true;
    waiter_.approach(time, moment_ns, longest);
  }
  return true;
}

}  // namespace ridge::runtime
