// SPDX-License-Identifier: Apache-2.0
#include "runtime/child/generation_loop.h"

#include <algorithm>
#include <chrono>

namespace ridge::runtime {
namespace {

/// Ids of the prompts of all sequences, one after the other.
std::vector<std::int64_t> prompts(const GenerationPlan& plan, std::uint32_t request) {
  std::vector<std::int64_t> out;
  for (std::uint32_t b = 0; b < plan.batch; ++b) {
    const std::vector<std::int64_t> ids = prompt_ids(plan, request, b);
    out.insert(out.end(), ids.begin(), ids.end());
  }
  return out;
}

}  // namespace

GenerationLoop::~GenerationLoop() {
  stop_.store(true);
  for (std::thread& thread : threads_) thread.join();
}

Result<void> GenerationLoop::start() {
  if (plan_.requests.empty() || plan_.clients == 0 || plan_.batch == 0 || plan_.vocabulary <= 0)
    return bug("a generation without requests", "GenerationLoop");
  for (const TokenRequest& request : plan_.requests)
    if (request.prompt == 0 || request.tokens == 0)
      return bug("a request without tokens", "GenerationLoop");
  for (std::uint32_t i = 0; i < plan_.clients; ++i) sources_.push_back(TRY(target_.open()));
  for (const auto& source : sources_) TRY(warm_up(*source));
  running_ = sources_.size();
  result_.begun_ns = result_.ended_ns = now();
  for (const auto& source : sources_) threads_.emplace_back([this, &source] { serve(*source); });
  return {};
}

/// The prompt of the first request, or the beginning of it, and a few steps.
Result<void> GenerationLoop::warm_up(TokenSource& source) {
  if (plan_.warmup_steps == 0) return {};
  const std::uint32_t length = plan_.requests[0].prompt;
  TRY(source.begin(length));
  if (plan_.prompt_by == PromptBy::kPrefillModel || plan_.prompt_by == PromptBy::kAtOnce)
    TRY(source.run(prompts(plan_, 0), length));
  else
    TRY(source.run(std::vector<std::int64_t>(plan_.batch, 0), 1));
  const std::uint32_t run = length + plan_.warmup_steps;
  const std::uint32_t beyond =
      plan_.capacity > 0 && run > plan_.capacity ? run - plan_.capacity : 0;
  for (std::uint32_t i = beyond; i < plan_.warmup_steps && !ends(); ++i) {
    const std::vector<std::int64_t> ids(source.next().begin(), source.next().end());
    TRY(source.run(ids, 1));
  }
  return {};
}

bool GenerationLoop::wait_for(Nanos time) {
  std::unique_lock lock(ending_);
  return ended_.wait_for(lock, std::chrono::nanoseconds(time.count),
                         [this] { return running_ == 0; });
}

void GenerationLoop::serve(TokenSource& source) {
  const HandedBytes before = source.handed();
  std::int64_t free_ns = result_.begun_ns;
  std::optional<Error> failure;
  while (const std::optional<Taken> taken = next(free_ns)) {
    const Result<void> done = generate(source, *taken);
    free_ns = now();
    if (done.ok()) continue;
    if (ends()) break;
    log_.fail(taken->request);
    if (done.error().error_class() == ErrorClass::kInput) continue;
    failure = done.error();
    break;
  }
  const HandedBytes after = source.handed();
  const std::scoped_lock lock(ending_);
  if (failure && !result_.failure) result_.failure = std::move(failure);
  if (result_.failure) stop_.store(true);
  result_.ended_ns = std::max(result_.ended_ns, free_ns);
  result_.canceled = target_.canceled();
  result_.handed_bytes += after.handed - before.handed;
  result_.copied_bytes += after.copied - before.copied;
  result_.compared += after.compared - before.compared;
  result_.buffer_bytes = after.buffer;
  result_.window = std::max(result_.window, after.window);
  if (--running_ > 0) return;
  result_.abandoned = static_cast<std::uint32_t>(plan_.requests.size()) - taken_;
  ended_.notify_all();
}

/// The next request, at its due time. `free_ns`: since when the client has none.
std::optional<GenerationLoop::Taken> GenerationLoop::next(std::int64_t free_ns) {
  const std::scoped_lock lock(turn_);
  if (taken_ == plan_.requests.size() || ends()) return std::nullopt;
  Taken out{.request = taken_, .scheduled_ns = free_ns};
  if (plan_.begin == RequestsBegin::kAtDueTimes)
    out.scheduled_ns = result_.begun_ns + plan_.requests[taken_].after_ns;
  const std::int64_t end = result_.begun_ns + plan_.max_duration.count;
  if (std::max(free_ns, out.scheduled_ns) >= end || !wait_until(out.scheduled_ns))
    return std::nullopt;
  ++taken_;
  return out;
}

/// False if the generation ends before.
bool GenerationLoop::wait_until(std::int64_t due_ns) {
  const std::int64_t longest = longest_sleep(due_ns - now());
  for (std::int64_t time = now(); time < due_ns; time = now()) {
    if (ends()) return false;
    waiter_.approach(time, due_ns, longest);
  }
  return true;
}

Result<void> GenerationLoop::generate(TokenSource& source, const Taken& taken) {
  const TokenRequest& request = plan_.requests[taken.request];
  const std::uint32_t batch = plan_.batch;
  log_.begin(taken.request, taken.scheduled_ns, now());
  const auto record = [&](Result<StepRecord> step, StepKind kind) -> Result<void> {
    StepRecord done = TRY(std::move(step));
    done.kind = kind;
    if (kind != StepKind::kPrompt) tokens_.fetch_add(batch, std::memory_order_relaxed);
    log_.add(taken.request, done);
    return {};
  };
  TRY(source.begin(request.prompt));
  const std::vector<std::int64_t> prompt = prompts(plan_, taken.request);
  std::vector<std::int64_t> ids(batch);
  const auto take = [&](std::uint32_t place) {
    for (std::uint32_t b = 0; b < batch; ++b)
      ids[b] = prompt[std::size_t{b} * request.prompt + place];
  };
  switch (plan_.prompt_by) {
    case PromptBy::kPrefillModel:
    case PromptBy::kAtOnce:
      TRY(record(source.run(prompt, request.prompt), StepKind::kFirst));
      break;
    case PromptBy::kTokenByToken:
      for (std::uint32_t i = 0; i < request.prompt && !ends(); ++i) {
        take(i);
        TRY(record(source.run(ids, 1),
                   i + 1 < request.prompt ? StepKind::kPrompt : StepKind::kFirst));
      }
      break;
    case PromptBy::kGivenCache:
      take(0);
      TRY(record(source.run(ids, 1), StepKind::kFirst));
      break;
  }
  for (std::uint32_t i = 1; i < request.tokens && !ends(); ++i) {
    std::ranges::copy(source.next(), ids.begin());
    TRY(record(source.run(ids, 1), StepKind::kNext));
  }
  return {};
}

}  // namespace ridge::runtime
