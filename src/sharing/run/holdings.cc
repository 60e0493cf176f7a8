// SPDX-License-Identifier: Apache-2.0
#include "sharing/run/holdings.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/clock.h"
#include "base/text.h"
#include "sharing/policy/make_policy.h"

namespace ridge::sharing {
namespace {

constexpr unsigned kLevelShift = 32;
/// Fewest digits of a key that stand for the whole.
constexpr std::size_t kShortestKey = 8;

Error no_object(std::string_view model) {
  return input_error("RIDGE-SHARE-0050", "the daemon has no such model")
      .hint("ridge share list shows what it has")
      .in_file(model);
}

/// Whether a model is named by its key, or the beginning of it.
bool is_key(std::string_view model) {
  return model.size() >= kShortestKey &&
         model.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

/// Why an object stays.
Error not_evicted(std::string_view model, Evicted why) {
  if (why == Evicted::kLeased)
    return input_error("RIDGE-SHARE-0051", "the model is leased")
        .hint("it can be evicted once its last lease has ended")
        .in_file(model);
  if (why == Evicted::kPinned)
    return input_error("RIDGE-SHARE-0052", "the model is pinned")
        .hint("ridge share unpin first")
        .in_file(model);
  if (why == Evicted::kAbsent) return no_object(model);
  return input_error("RIDGE-SHARE-0053", why == Evicted::kLoading ? "the model is being loaded"
                                                                  : "the model is being freed")
      .hint("try again once that has ended")
      .in_file(model);
}

Leases::Setup setup_of(const DaemonOptions& options) {
  return {.memory = {options.memory, make_policy(options.policy)},
          .templates = {options.templates, make_policy(options.policy)}};
}

}  // namespace

std::uint64_t Holdings::number(ObjectRef ref) {
  return (static_cast<std::uint64_t>(ref.level) << kLevelShift) | ref.id;
}

ObjectRef Holdings::ref_of(std::uint64_t number) {
  return {static_cast<Level>(number >> kLevelShift), static_cast<ObjectId>(number)};
}

Holdings::Holdings(const DaemonOptions& options, Loader& loader, Watch& watch)
    : options_(options), loader_(loader), watch_(watch), leases_(setup_of(options)) {}

void Holdings::refuse(ClientId client, std::uint64_t ask, const Error& error) {
  clients_->answer(client, MessageKind::kFailure, Failure{ask, error});
}

// Questions

void Holdings::ask(ClientId client, const Ask& given) {
  Ask ask = given;
  if (ask.what == What::kWeights) ask.level = Level::kMemory;
  if (ask.what == What::kSession) ask.level = Level::kTemplates;
  Result<Subject> subject = subject_of(ask);
  if (!subject.ok()) return refuse(client, ask.id, subject.error());
  const Nanos now = steady_clock().now();
  leases_.ask({.key = subject->key, .level = ask.level, .expected = subject->expected},
              {.client = client,
               .ask = ask.id,
               .aim = ask.what == What::kPin ? Asker::Aim::kPin : Asker::Aim::kLease,
               .wait = ask.wait},
              now);
  if (const auto ref = leases_.find(subject->key, ask.level))
    if (const auto [entry, made] = entries_.try_emplace(number(*ref)); made) {
      entry->second.ask = std::move(ask);
      entry->second.subject = std::move(*subject);
    }
  follow(now);
}

void Holdings::release(ClientId client, const Ask& ask) {
  const Nanos now = steady_clock().now();
  const bool released = leases_.release(client, ask.lease, now);
  if (const auto fork = forks_.find(ask.lease); released && fork != forks_.end()) {
    watch_.remove(fork->second.work->descriptor());
    forks_.erase(fork);
  }
  clients_->answer(client, MessageKind::kDone, Done{ask.id, released ? 1U : 0U, 0});
  follow(now);
}

/// The object that a question is about: of its loader, or one that is there, by its key.
Result<Subject> Holdings::subject_of(const Ask& ask) {
  if (!is_key(ask.model)) return loader_.identify(ask);
  const Subject* found = nullptr;
  bool several = false;
  for (const auto& [at, entry] : entries_) {
    if (ref_of(at).level != ask.level || !entry.subject.key.starts_with(ask.model)) continue;
    several = several || found != nullptr;
    found = &entry.subject;
  }
  if (several)
    return input_error("RIDGE-SHARE-0055", "several models have a key that begins so")
        .hint("write more of it: ridge share list shows them")
        .in_file(ask.model);
  if (found == nullptr) return no_object(ask.model);
  return *found;
}

void Holdings::unpin(ClientId client, const Ask& ask) {
  const Result<Subject> subject = subject_of(ask);
  if (!subject.ok()) return refuse(client, ask.id, subject.error());
  const Nanos now = steady_clock().now();
  if (!leases_.unpin(subject->key, ask.level, now))
    return refuse(client, ask.id,
                  input_error("RIDGE-SHARE-0054", "the model is not pinned")
                      .hint("ridge share list shows what is")
                      .in_file(ask.model));
  clients_->answer(client, MessageKind::kDone, Done{ask.id, 1, 0});
  follow(now);
}

void Holdings::evict(ClientId client, const Ask& ask) {
  const Result<Subject> subject = subject_of(ask);
  if (!subject.ok()) return refuse(client, ask.id, subject.error());
  const Evicted evicted = leases_.evict(subject->key, ask.level);
  if (evicted != Evicted::kDone) return refuse(client, ask.id, not_evicted(ask.model, evicted));
  follow(steady_clock().now());
  clients_->answer(client, MessageKind::kDone, Done{ask.id, 1, 0});
}

void Holdings::flush(ClientId client, const Ask& ask) {
  const Leases::Flushed flushed = leases_.flush();
  follow(steady_clock().now());
  clients_->answer(client, MessageKind::kDone, Done{ask.id, flushed.evicted, flushed.spared});
}

void Holdings::gone(ClientId client) {
  const Nanos now = steady_clock().now();
  std::erase_if(forks_, [&](auto& entry) {
    if (entry.second.effect.client != client) return false;
    watch_.remove(entry.second.work->descriptor());
    return true;
  });
  leases_.client_gone(client, now);
  follow(now);
}

// What follows

void Holdings::follow(Nanos now) {
  leases_.expire(now);
  for (std::vector<Effect> effects = leases_.take_effects(); !effects.empty();
       effects = leases_.take_effects())
    for (const Effect& effect : effects) follow_one(effect, now);
  start_loads(now);
}

void Holdings::follow_one(const Effect& effect, Nanos now) {
  switch (effect.kind) {
    case Effect::Kind::kLoad:
      to_load_.push_back(effect.object);
      return;
    case Effect::Kind::kEvict:
      forget(effect.object);
      return leases_.gone(effect.object);
    case Effect::Kind::kGranted:
      return give(effect, now);
    case Effect::Kind::kPinned:
      return clients_->answer(effect.client, MessageKind::kDone, Done{effect.ask, 1, 0});
    case Effect::Kind::kLater:
      return clients_->answer(effect.client, MessageKind::kLater, Later{effect.ask, effect.why});
    case Effect::Kind::kFailed:
      return refuse(effect.client, effect.ask, *entries_.at(number(effect.object)).failure);
  }
}

/// Frees what an object has.
void Holdings::forget(ObjectRef ref) {
  const auto found = entries_.find(number(ref));
  if (found == entries_.end()) return;
  if (found->second.slow) --slow_;
  if (found->second.resident) watch_.remove(found->second.resident->ended());
  if (found->second.loading) {
    watch_.remove(found->second.loading->descriptor());
    --loads_;
  }
  entries_.erase(found);
}

// Loads

void Holdings::start_loads(Nanos now) {
  while (!to_load_.empty() && loads_ < options_.loads_at_once) {
    const ObjectRef ref = to_load_.front();
    to_load_.pop_front();
    Entry& entry = entries_.at(number(ref));
    auto loading = loader_.load(entry.ask, entry.subject);
    if (!loading.ok()) {
      fail(ref, std::move(loading).error(), now);
      continue;
    }
    entry.loading = std::move(*loading);
    entry.began = now;
    ++loads_;
    if (!watch_.add(entry.loading->descriptor(), tag_of(TagKind::kLoad, number(ref))))
      fail(ref,
           environment_error("RIDGE-SHARE-0057", "the daemon cannot wait for a further load")
               .hint("raise the limit of descriptors: ulimit -n"),
           now);
  }
}

void Holdings::fail(ObjectRef ref, Error error, Nanos now) {
  entries_.at(number(ref)).failure = std::move(error);
  leases_.load_failed(ref);
  std::vector<Effect> effects = leases_.take_effects();
  for (const Effect& effect : effects) follow_one(effect, now);
  forget(ref);
}

void Holdings::finish_load(ObjectRef ref, Nanos now) {
  const auto found = entries_.find(number(ref));
  if (found == entries_.end() || !found->second.loading) return;
  Entry& entry = found->second;
  auto result = entry.loading->finish();
  if (!result) return;
  if (!result->ok()) {
    fail(ref, std::move(*result).error(), now);
    return follow(now);
  }
  watch_.remove(entry.loading->descriptor());
  entry.loading.reset();
  --loads_;
  entry.resident = std::move(**result);
  const int process = entry.resident->ended();
  if (process >= 0 && !watch_.add(process, tag_of(TagKind::kResident, number(ref))))
    mark_slow(entry);
  leases_.loaded(ref, entry.resident->bytes(), now - entry.began, now);
  follow(now);
}

// Leases

void Holdings::give(const Effect& effect, Nanos now) {
  Entry& entry = entries_.at(number(effect.object));
  if (entry.slow) {
    leases_.release(effect.client, effect.lease, now);
    return clients_->answer(effect.client, MessageKind::kLater, Later{effect.ask, Why::kSlow});
  }
  Result<Given> given = entry.resident->give();
  if (!given.ok()) {
    leases_.release(effect.client, effect.lease, now);
    return refuse(effect.client, effect.ask, given.error());
  }
  if (!given->work) return grant(effect, std::move(given->files));
  const int descriptor = given->work->descriptor();
  forks_[effect.lease] = {std::move(given->work), effect, now + options_.longest_fork};
  if (!watch_.add(descriptor, tag_of(TagKind::kFork, effect.lease)))
    forks_[effect.lease].until = now;  // look_after() gives it up
}

void Holdings::grant(const Effect& effect, Files files) {
  const Leases::Object& object = leases_.object(effect.object);
  clients_->answer(effect.client, MessageKind::kGrant,
                   Grant{.id = effect.ask,
                         .lease = effect.lease,
                         .key = object.key,
                         .level = effect.object.level,
                         .hit = effect.hit,
                         .bytes = object.bytes,
                         .about = entries_.at(number(effect.object)).resident->about()},
                   std::move(files));
}

void Holdings::finish_fork(LeaseId lease, Nanos now) {
  const auto found = forks_.find(lease);
  if (found == forks_.end()) return;
  auto result = found->second.work->finish();
  if (!result) return;
  const Forking fork = std::move(found->second);
  watch_.remove(fork.work->descriptor());
  forks_.erase(found);
  if (result->ok()) return grant(fork.effect, std::move(**result));
  leases_.release(fork.effect.client, lease, now);
  refuse(fork.effect.client, fork.effect.ask, result->error());
  follow(now);
}

void Holdings::mark_slow(Entry& entry) {
  if (!std::exchange(entry.slow, true)) ++slow_;
}

/// Templates that do not answer serve nobody any more, and are freed once nobody leases them.
void Holdings::give_up_slow(Nanos now) {
  std::vector<LeaseId> late;
  for (const auto& [lease, fork] : forks_)
    if (now >= fork.until) late.push_back(lease);
  for (const LeaseId lease : late) {
    const Forking fork = std::move(forks_.at(lease));
    watch_.remove(fork.work->descriptor());
    forks_.erase(lease);
    mark_slow(entries_.at(number(fork.effect.object)));
    leases_.release(fork.effect.client, lease, now);
    clients_->answer(fork.effect.client, MessageKind::kLater, Later{fork.effect.ask, Why::kSlow});
  }
  if (slow_ == 0) return;
  std::vector<ObjectRef> slow;
  for (const auto& [at, entry] : entries_)
    if (entry.slow) slow.push_back(ref_of(at));
  for (const ObjectRef ref : slow) leases_.evict(leases_.object(ref).key, ref.level);
}

// Time

void Holdings::happened(std::uint64_t tag, Nanos now) {
  if (kind_of(tag) == TagKind::kLoad) return finish_load(ref_of(number_of(tag)), now);
  if (kind_of(tag) == TagKind::kFork) return finish_fork(number_of(tag), now);
  const ObjectRef ref = ref_of(number_of(tag));
  if (!entries_.contains(number_of(tag))) return;
  std::erase_if(forks_, [&](auto& entry) {
    if (entry.second.effect.object != ref) return false;
    watch_.remove(entry.second.work->descriptor());
    clients_->answer(entry.second.effect.client, MessageKind::kLater,
                     Later{entry.second.effect.ask, Why::kSlow});
    return true;
  });
  forget(ref);
  leases_.lost(ref);
  follow(now);
}

void Holdings::look_after(Nanos now) {
  std::vector<ObjectRef> late;
  for (const auto& [at, entry] : entries_)
    if (entry.loading && now - entry.began >= options_.longest_load) late.push_back(ref_of(at));
  for (const ObjectRef ref : late)
    fail(ref,
         environment_error("RIDGE-SHARE-0056", "the load took too long and was ended")
             .evidence(fmt::format("{} at most", duration(options_.longest_load.count)))
             .in_file(entries_.at(number(ref)).ask.model),
         now);
  give_up_slow(now);
  follow(now);
}

std::optional<Nanos> Holdings::next_moment(Nanos now) const {
  constexpr Nanos kOften{1'000'000'000};
  if (loads_ > 0 || slow_ > 0 || !forks_.empty()) return now + kOften;
  const Nanos expiry = leases_.next_expiry();
  if (expiry == kNoMoment) return std::nullopt;
  return std::max(expiry, now);
}

bool Holdings::busy() const { return leases_.any_pinned() || loads_ > 0 || !to_load_.empty(); }

void Holdings::list(ShareList& out) const {
  for (const Level level : kLevels)
    out.levels.push_back({.level = level,
                          .policy = policy_text(options_.policy),
                          .budget = leases_.budget(level),
                          .used = leases_.used(level)});
  leases_.each([&](ObjectRef ref, const Leases::Object& object) {
    const auto entry = entries_.find(number(ref));
    out.objects.push_back(
        {.key = object.key,
         .model = entry == entries_.end() ? "" : valid_utf8(entry->second.subject.model),
         .level = ref.level,
         .state = object.state,
         .bytes = object.bytes,
         .leases = object.leases,
         .pinned = object.pinned,
         .hits = object.hits,
         .reload = object.reload});
  });
}

}  // namespace ridge::sharing
