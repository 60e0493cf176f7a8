// SPDX-License-Identifier: Apache-2.0
#include "sharing/run/testing/naive_leases.h"

#include <fmt/format.h>

#include <algorithm>

namespace ridge::sharing::testing {
namespace {

constexpr Nanos kAnyTime{1};

std::string later_text(ClientId client, std::uint64_t ask, Why why) {
  return fmt::format("later c{} q{} {}", client, ask, word(why));
}

std::string named(Level level, const std::string& key) {
  return fmt::format("{} {}", word(level), key);
}

}  // namespace

std::string LeaseEvent::text() const {
  return fmt::format("kind {} {} {} of {} bytes, c{} q{} l{}{}{}", static_cast<int>(kind),
                     word(level), key, bytes, client, ask, lease, wait ? " waits" : "",
                     pin ? " pins" : "");
}

std::string text_of(const Effect& e, const std::string& key) {
  const std::string object = named(e.object.level, key);
  switch (e.kind) {
    case Effect::Kind::kLoad:
      return "load " + object;
    case Effect::Kind::kEvict:
      return "evict " + object;
    case Effect::Kind::kGranted:
      return fmt::format("grant c{} q{} l{} {}{}", e.client, e.ask, e.lease, object,
                         e.hit ? " hit" : "");
    case Effect::Kind::kPinned:
      return fmt::format("pinned c{} q{} {}", e.client, e.ask, object);
    case Effect::Kind::kLater:
      return later_text(e.client, e.ask, e.why);
    case Effect::Kind::kFailed:
      return fmt::format("failed c{} q{} {}", e.client, e.ask, object);
  }
  return {};
}

std::vector<std::string> play(const LeaseEvent& event, Leases& table) {
  using Kind = LeaseEvent::Kind;
  const auto ref = table.find(event.key, event.level);
  switch (event.kind) {
    case Kind::kAsk:
      table.ask({event.key, event.level, Bytes{event.bytes}},
                {.client = event.client,
                 .ask = event.ask,
                 .aim = event.pin ? Asker::Aim::kPin : Asker::Aim::kLease,
                 .wait = event.wait},
                kAnyTime);
      break;
    case Kind::kLoaded:
      table.loaded(*ref, Bytes{event.bytes}, Nanos{1}, kAnyTime);
      break;
    case Kind::kFailed:
      table.load_failed(*ref);
      break;
    case Kind::kGone:
      table.gone(*ref);
      break;
    case Kind::kLost:
      table.lost(*ref);
      break;
    case Kind::kRelease:
      table.release(event.client, event.lease, kAnyTime);
      break;
    case Kind::kClientGone:
      table.client_gone(event.client, kAnyTime);
      break;
    case Kind::kUnpin:
      table.unpin(event.key, event.level, kAnyTime);
      break;
    case Kind::kEvict:
      table.evict(event.key, event.level);
      break;
    case Kind::kFlush:
      table.flush();
      break;
  }
  std::vector<std::string> out;
  for (const Effect& e : table.take_effects())
    out.push_back(text_of(e, e.kind == Effect::Kind::kLater ? "" : table.object(e.object).key));
  // A failed load is absent when its effects are read, but keeps its key.
  if (event.kind == Kind::kFlush) std::ranges::sort(out);
  return out;
}

std::string summary(const Leases& table) {
  std::vector<std::string> lines;
  table.each([&](ObjectRef ref, const Leases::Object& o) {
    lines.push_back(fmt::format("{} {} {} {} leases {} pinned {}", named(ref.level, o.key),
                                word(o.state), o.bytes.count, o.waiting.size(), o.leases,
                                o.pinned));
  });
  std::ranges::sort(lines);
  std::string out =
      fmt::format("leases {} used {} {}\n", table.lease_count(), table.used(Level::kMemory).count,
                  table.used(Level::kTemplates).count);
  for (const std::string& line : lines) out += line + "\n";
  return out;
}

// The naive model

NaiveLeases::Object* NaiveLeases::find(Level level, const std::string& key) {
  for (Object& o : objects_)
    if (o.level == level && o.key == key) return &o;
  return nullptr;
}

bool NaiveLeases::held(const Object& object) const {
  return object.pinned || std::ranges::any_of(leases_, [&](const Lease& l) {
           return l.level == object.level && l.key == object.key;
         });
}

void NaiveLeases::later(ClientId client, std::uint64_t ask, Why why) {
  out_.push_back(later_text(client, ask, why));
}

void NaiveLeases::serve(Object& object, const Waiter& waiter, bool hit) {
  if (waiter.pin) {
    object.pinned = true;
    out_.push_back(fmt::format("pinned c{} q{} {}", waiter.client, waiter.ask,
                               named(object.level, object.key)));
    return;
  }
  leases_.push_back({next_lease_, waiter.client, object.level, object.key});
  out_.push_back(fmt::format("grant c{} q{} l{} {}{}", waiter.client, waiter.ask, next_lease_++,
                             named(object.level, object.key), hit ? " hit" : ""));
}

void NaiveLeases::evict(Object& object) {
  object.state = State::kEvicting;
  out_.push_back("evict " + named(object.level, object.key));
}

void NaiveLeases::remove(Level level, const std::string& key) {
  std::erase_if(objects_, [&](const Object& o) { return o.level == level && o.key == key; });
  begin(level);
}

/// Begins loads in their order while there is memory.
void NaiveLeases::begin(Level level) {
  for (;;) {
    std::int64_t taken = 0;
    Object* first = nullptr;
    for (Object& o : objects_) {
      if (o.level != level) continue;
      const bool waits = o.state == State::kLoading && !o.begun;
      if (!waits) taken += o.bytes;
      if (waits && (first == nullptr || o.order < first->order)) first = &o;
    }
    if (first == nullptr || taken + first->bytes > budget_) return;
    first->begun = true;
    out_.push_back("load " + named(level, first->key));
  }
}

void NaiveLeases::ask(const LeaseEvent& e) {
  const Waiter waiter{e.client, e.ask, e.pin};
  if (Object* o = find(e.level, e.key)) {
    if (o->state == State::kEvicting) return later(e.client, e.ask, Why::kLeaving);
    if (o->state == State::kReady) {
      o->used = ++stamp_;
      return serve(*o, waiter, true);
    }
    if (!e.wait) return later(e.client, e.ask, Why::kLoading);
    return o->waiters.push_back(waiter);
  }
  if (e.bytes > budget_) return later(e.client, e.ask, Why::kOverBudget);
  std::int64_t stays = 0, may_go = 0;
  for (const Object& o : objects_) {
    if (o.level != e.level || o.state == State::kEvicting) continue;
    stays += o.bytes;
    if (o.state == State::kReady && !held(o)) may_go += o.bytes;
  }
  if (stays - may_go + e.bytes > budget_) return later(e.client, e.ask, Why::kNoRoom);
  while (stays + e.bytes > budget_) {
    Object* oldest = nullptr;
    for (Object& o : objects_)
      if (o.level == e.level && o.state == State::kReady && !held(o) &&
          (oldest == nullptr || o.used < oldest->used))
        oldest = &o;
    stays -= oldest->bytes;
    evict(*oldest);
  }
  objects_.push_back({.level = e.level,
                      .key = e.key,
                      .state = State::kLoading,
                      .bytes = e.bytes,
                      .order = ++orders_,
                      .waiters = {}});
  if (e.wait)
    objects_.back().waiters.push_back(waiter);
  else
    later(e.client, e.ask, Why::kMiss);
  begin(e.level);
}

void NaiveLeases::loaded(const LeaseEvent& e) {
  Object& o = *find(e.level, e.key);
  std::int64_t now = 0, promised = 0;
  for (const Object& other : objects_) {
    if (other.level != e.level || &other == &o) continue;
    if (other.state != State::kLoading || other.begun) now += other.bytes;
    if (other.state != State::kEvicting) promised += other.bytes;
  }
  const std::vector<Waiter> waiters = std::move(o.waiters);
  o.waiters.clear();
  if (std::max(now, promised) + e.bytes > budget_) {
    for (const Waiter& w : waiters) later(w.client, w.ask, Why::kOverBudget);
    return evict(o);
  }
  o.bytes = e.bytes;
  o.state = State::kReady;
  o.used = ++stamp_;
  for (const Waiter& w : waiters) serve(o, w, false);
  begin(e.level);
}

void NaiveLeases::release(LeaseId id) {
  const auto lease = std::ranges::find(leases_, id, &Lease::id);
  Object& o = *find(lease->level, lease->key);
  leases_.erase(lease);
  if (!held(o)) o.used = ++stamp_;
}

std::vector<std::string> NaiveLeases::play(const LeaseEvent& e) {
  using Kind = LeaseEvent::Kind;
  out_.clear();
  Object* o = find(e.level, e.key);
  switch (e.kind) {
    case Kind::kAsk:
      ask(e);
      break;
    case Kind::kLoaded:
      loaded(e);
      break;
    case Kind::kFailed:
      for (const Waiter& w : o->waiters)
        out_.push_back(fmt::format("failed c{} q{} {}", w.client, w.ask, named(e.level, e.key)));
      remove(e.level, e.key);
      break;
    case Kind::kGone:
      remove(e.level, e.key);
      break;
    case Kind::kLost:
      std::erase_if(leases_, [&](const Lease& l) { return l.level == e.level && l.key == e.key; });
      remove(e.level, e.key);
      break;
    case Kind::kRelease:
      release(e.lease);
      break;
    case Kind::kClientGone: {
      for (Object& each : objects_)
        std::erase_if(each.waiters, [&](const Waiter& w) { return w.client == e.client; });
      std::vector<LeaseId> of_client;
      for (const Lease& l : leases_)
        if (l.client == e.client) of_client.push_back(l.id);
      for (const LeaseId id : of_client) release(id);
      break;
    }
    case Kind::kUnpin:
      if (o == nullptr || !o->pinned) break;
      o->pinned = false;
      if (!held(*o)) o->used = ++stamp_;
      break;
    case Kind::kEvict:
      if (o != nullptr && o->state == State::kReady && !held(*o)) evict(*o);
      break;
    case Kind::kFlush:
      for (Object& each : objects_)
        if (each.state == State::kReady && !held(each)) evict(each);
      std::ranges::sort(out_);
      break;
  }
  return out_;
}

std::string NaiveLeases::summary() const {
  std::vector<std::string> lines;
  std::map<Level, std::int64_t> used;
  for (const Object& o : objects_) {
    const auto leased = std::ranges::count_if(
        leases_, [&](const Lease& l) { return l.level == o.level && l.key == o.key; });
    if (o.state != State::kLoading || o.begun) used[o.level] += o.bytes;
    lines.push_back(fmt::format("{} {} {} {} leases {} pinned {}", named(o.level, o.key),
                                word(o.state), o.bytes, o.waiters.size(), leased, o.pinned));
  }
  std::ranges::sort(lines);
  std::string out = fmt::format("leases {} used {} {}\n", leases_.size(), used[Level::kMemory],
                                used[Level::kTemplates]);
  for (const std::string& line : lines) out += line + "\n";
  return out;
}

std::string NaiveLeases::fault() const {
  std::map<Level, std::int64_t> used;
  for (const Object& o : objects_) {
    if (o.state != State::kLoading || o.begun) used[o.level] += o.bytes;
    if (held(o) && o.state != State::kReady) return o.key + " is held and not ready";
  }
  for (const auto& [level, bytes] : used)
    if (bytes > budget_) return fmt::format("{} takes {} bytes", word(level), bytes);
  return {};
}

// Events

LeaseEvent RandomEvents::ask() {
  LeaseEvent out;
  out.level = below(2) == 0 ? Level::kMemory : Level::kTemplates;
  const std::uint64_t object = below(12);
  out.key = fmt::format("k{}", object);
  // Its size is the same each time.
  out.bytes = 8 + static_cast<std::int64_t>(object * object) % 53 + (object == 11 ? 90 : 0);
  out.client = 1 + below(6);
  out.ask = ++asks_;
  out.wait = below(2) == 0;
  out.pin = below(12) == 0;
  return out;
}

/// Something that happens to one of the objects; false if it cannot.
bool RandomEvents::of_object(const NaiveLeases& state, LeaseEvent& out) {
  using Kind = LeaseEvent::Kind;
  if (state.objects().empty()) return false;
  const NaiveLeases::Object& o = state.objects()[below(state.objects().size())];
  out.level = o.level;
  out.key = o.key;
  out.bytes = o.bytes;
  if (o.state == State::kLoading) {
    if (!o.begun) return false;
    out.kind = below(4) == 0 ? Kind::kFailed : Kind::kLoaded;
    if (below(5) == 0) out.bytes = 1 + static_cast<std::int64_t>(below(60));
    return true;
  }
  if (o.state == State::kEvicting) return out.kind = Kind::kGone, true;
  const std::uint64_t what = below(10);
  out.kind = what < 5 ? Kind::kEvict : what < 9 ? Kind::kUnpin : Kind::kLost;
  return true;
}

LeaseEvent RandomEvents::next(const NaiveLeases& state) {
  const std::uint64_t what = below(100);
  LeaseEvent out;
  if (what < 40 && of_object(state, out)) return out;
  if (!state.leases().empty() && (what < 64 || state.leases().size() > 100)) {
    const NaiveLeases::Lease& lease = state.leases()[below(state.leases().size())];
    return {
        .kind = LeaseEvent::Kind::kRelease, .key = "", .client = lease.client, .lease = lease.id};
  }
  if (what < 67) return {.kind = LeaseEvent::Kind::kClientGone, .key = "", .client = 1 + below(6)};
  if (what < 68) return {.kind = LeaseEvent::Kind::kFlush, .key = ""};
  return ask();
}

}  // namespace ridge::sharing::testing
