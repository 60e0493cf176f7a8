// SPDX-License-Identifier: Apache-2.0
#include "scenario/generation.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/text.h"
#include "stats/samples.h"

namespace ridge::scenario {
namespace {

/// Each request or step begins when a client is free.
constexpr IntervalOptions kInOrder{.dependence = Dependence::kConsecutive};

/// Times of requests in the order of their schedule.
struct Times {
  std::vector<std::int64_t> first_token, per_token, latency;
};

/// Steps in the order in which they were done: their times are not independent.
using Steps = std::vector<const StepRecord*>;

void add_request(const RequestRecord& request, Times& times) {
  const auto first = std::ranges::find_if(
      request.steps, [](const StepRecord& step) { return step.kind == StepKind::kFirst; });
  if (first == request.steps.end()) return;
  const std::int64_t last_ns = request.steps.back().done_ns;
  const std::int64_t between = request.steps.end() - first - 1;
  times.first_token.push_back(first->done_ns - request.scheduled_ns);
  times.latency.push_back(last_ns - request.scheduled_ns);
  if (between > 0) times.per_token.push_back((last_ns - first->done_ns) / between);
}

/// Tokens of a kind, and the time of the runs that took or gave them.
struct Work {
  double tokens = 0, ns = 0;

  std::optional<double> per_s() const {
    return tokens > 0 && ns > 0 ? std::optional(tokens / ns * 1e9) : std::nullopt;
  }
};

/// The step after the first token has the prompt in its cache. A prompt whose cache was given did
/// not run.
void add_work(const RequestRecord& request, Work& prompts, Work& decoding) {
  const auto first = std::ranges::find_if(
      request.steps, [](const StepRecord& step) { return step.kind == StepKind::kFirst; });
  if (first == request.steps.end() || first + 1 == request.steps.end()) return;
  const StepRecord& begin = request.steps.front();
  const double prompt = static_cast<double>((first + 1)->cache) - static_cast<double>(begin.cache);
  if (begin.cache == 0 && prompt > 0) {
    prompts.tokens += prompt;
    prompts.ns += static_cast<double>(first->done_ns - begin.start_ns);
  }
  decoding.tokens += static_cast<double>(request.steps.end() - first - 1);
  decoding.ns += static_cast<double>(request.steps.back().done_ns - first->done_ns);
}

/// Whether more than the largest of so many times tells of a percentile.
bool shows_percentile(std::int64_t times, double share) {
  return times > 0 && (share <= 0.5 || static_cast<double>(times) * (1 - share) >= 1 - 1e-9);
}

std::vector<TokenPercentile> percentiles(std::vector<std::int64_t> times) {
  const Latencies all(std::move(times));
  std::vector<TokenPercentile> out;
  for (const double share : kTokenPercentiles)
    out.push_back({all.percentile(share, kInOrder), shows_percentile(all.size(), share)});
  return out;
}

/// True if the run took one token of each sequence, as those do whose times bins compare. The first
/// run of a request is the whole prompt unless single tokens came before it or its cache was given.
bool is_step(const RequestRecord& request, const StepRecord& step) {
  if (step.kind != StepKind::kFirst) return true;
  return step.cache > 0 || &step != request.steps.data();
}

CacheBin bin_of(std::uint32_t low, std::uint32_t width, const Steps& steps) {
  CacheBin out{.low = low, .high = low + width - 1, .steps = std::ssize(steps)};
  std::vector<std::int64_t> took;
  std::vector<double> runs;
  for (const StepRecord* step : steps) {
    took.push_back(step->took_ns());
    runs.push_back(static_cast<double>(step->run_ns));
    out.mean_length += static_cast<double>(step->cache);
  }
  out.mean_length /= static_cast<double>(steps.size());
  out.step = Latencies(std::move(took)).percentile(0.5, kInOrder);
  out.run_ns = stats::median(runs);
  return out;
}

std::vector<CacheBin> bins_of(Steps steps) {
  if (steps.empty()) return {};
  std::ranges::sort(steps, {}, &StepRecord::done_ns);
  const auto [least, most] = std::ranges::minmax(
      steps, {}, [](const StepRecord* step) { return std::uint32_t{step->cache}; });
  const std::uint32_t width = bin_width(least->cache, most->cache);
  std::map<std::uint32_t, Steps> by_bin;
  for (const StepRecord* step : steps) by_bin[step->cache / width].push_back(step);
  std::vector<CacheBin> out;
  for (const auto& [bin, those] : by_bin) out.push_back(bin_of(bin * width, width, those));
  return out;
}

}  // namespace

std::uint32_t bin_width(std::uint32_t lowest, std::uint32_t highest) {
  std::uint32_t width = 1;
  while (highest / width - lowest / width >= kMaxBins) width *= 2;
  return width;
}

GenerationFigures figures_of(const Generated& generated, std::uint32_t batch,
                             std::uint32_t clients) {
  GenerationFigures out;
  Times times;
  Work prompts, decoding;
  Steps steps;
  // Tokens as queries, for their rate.
  Load tokens{.begun_ns = generated.begun_ns, .ended_ns = generated.ended_ns};
  for (const RequestRecord& request : generated.requests) {
    ++out.requests;
    out.failed += request.failed != 0 ? 1 : 0;
    if (request.failed != 0) continue;
    add_request(request, times);
    add_work(request, prompts, decoding);
    for (const StepRecord& step : request.steps) {
      if (is_step(request, step)) steps.push_back(&step);
      if (step.kind == StepKind::kPrompt) continue;
      tokens.queries.push_back({.scheduled_ns = step.start_ns, .done_ns = step.done_ns});
    }
  }
  out.tokens = std::ssize(tokens.queries) * batch;
  out.duration_s = static_cast<double>(generated.ended_ns - generated.begun_ns) * 1e-9;
  const Figures rate = figures_of(Scenario{.kind = Kind::kClosedLoop}, tokens, std::nullopt);
  out.tokens_per_s = scaled(rate.completed, batch);
  out.client_tokens_per_s = scaled(out.tokens_per_s, 1.0 / clients);
  prompts.tokens *= batch;
  decoding.tokens *= batch;
  out.prompt_per_s = prompts.per_s();
  out.decode_per_s = decoding.per_s();
  out.first_token = percentiles(std::move(times.first_token));
  out.per_token = percentiles(std::move(times.per_token));
  out.latency = percentiles(std::move(times.latency));
  out.bins = bins_of(std::move(steps));
  return out;
}

Validity validity_of(const Generated& generated, const GenerationFigures& figures) {
  Validity out;
  const auto invalid = [&](std::string reason) {
    out.state = State::kInvalid;
    out.reasons.push_back(std::move(reason));
  };
  if (!generated.failure.empty()) invalid(generated.failure);
  if (generated.canceled) invalid("it was interrupted");
  if (figures.failed > 0)
    invalid(fmt::format("{} of {} failed", figures.failed, counted(figures.requests, "request")));
  if (figures.requests < std::int64_t{generated.asked})
    invalid(fmt::format("{} of {} began", figures.requests,
                        counted(std::int64_t{generated.asked}, "request")));
  return out;
}

}  // namespace ridge::scenario
