// SPDX-License-Identifier: Apache-2.0
#include "sharing/run/leases.h"

#include <algorithm>
#include <utility>

namespace ridge::sharing {

Leases::Leases(Setup setup) {
  const auto fill = [&](Level level, LevelSetup from) {
    room(level).budget = from.budget;
    room(level).policy = std::move(from.policy);
  };
  fill(Level::kMemory, std::move(setup.memory));
  fill(Level::kTemplates, std::move(setup.templates));
}

// Questions

void Leases::later(const Asker& asker, ObjectRef object, Why why) {
  effects_.push_back({.kind = Effect::Kind::kLater,
                      .object = object,
                      .client = asker.client,
                      .ask = asker.ask,
                      .why = why});
}

void Leases::ask(const Wanted& wanted, const Asker& asker, Nanos now) {
  if (has_many(asker.client)) return later(asker, {wanted.level, 0}, Why::kTooMany);
  if (const auto present = find(wanted.key, wanted.level)) return ask_present(*present, asker, now);
  ask_absent(wanted, asker);
}

void Leases::ask_present(ObjectRef ref, const Asker& asker, Nanos now) {
  Object& object = at(ref);
  if (object.state == State::kReady) {
    ++object.hits;
    room(ref.level).policy->requested(ref.id, now);
    return serve(ref, asker, true);
  }
  if (object.state == State::kEvicting) return later(asker, ref, Why::kLeaving);
  if (!asker.wait) return later(asker, ref, Why::kLoading);
  wait(object, asker);
}

void Leases::ask_absent(const Wanted& wanted, const Asker& asker) {
  Room& r = room(wanted.level);
  if (wanted.expected > r.budget) return later(asker, {wanted.level, 0}, Why::kOverBudget);
  const std::optional<ObjectId> place = place_for(r, wanted.key);
  if (!place || !clear(r, wanted.level, wanted.expected))
    return later(asker, {wanted.level, 0}, Why::kNoRoom);
  const ObjectId id = *place;
  Object& object = r.objects[id];
  object = Object{.key = wanted.key, .state = State::kLoading, .bytes = wanted.expected};
  ++r.present;
  r.promised += wanted.expected;
  r.for_memory.push_back(id);
  if (asker.wait)
    wait(object, asker);
  else
    later(asker, {wanted.level, id}, Why::kMiss);
  begin_loads(wanted.level);
}

/// The number of a key, which it had before or gets now; nullopt: there are too many objects.
std::optional<ObjectId> Leases::place_for(Room& r, const std::string& key) {
  if (const auto known = r.by_key.find(key); known != r.by_key.end()) return known->second;
  ObjectId id = static_cast<ObjectId>(r.objects.size());
  if (id < kMostObjects) {
    r.objects.emplace_back();
  } else {
    const auto absent = std::ranges::find(r.objects, State::kAbsent, &Object::state);
    if (absent == r.objects.end()) return std::nullopt;
    r.by_key.erase(absent->key);
    id = static_cast<ObjectId>(absent - r.objects.begin());
  }
  r.objects[id].key = key;
  r.by_key.emplace(key, id);
  return id;
}

void Leases::wait(Object& object, const Asker& asker) {
  object.waiting.push_back(asker);
  count_of(asker.client, +1);
}

std::vector<Asker> Leases::take_waiting(Object& object) {
  std::vector<Asker> out = std::exchange(object.waiting, {});
  for (const Asker& asker : out) count_of(asker.client, -1);
  return out;
}

void Leases::serve(ObjectRef ref, const Asker& asker, bool hit) {
  Object& object = at(ref);
  Effect effect{.object = ref, .client = asker.client, .ask = asker.ask, .lease = 0, .hit = hit};
  if (asker.aim == Asker::Aim::kPin) {
    if (!object.held()) hold(ref);
    if (!std::exchange(object.pinned, true)) ++pinned_;
    effect.kind = Effect::Kind::kPinned;
  } else {
    if (!object.held()) hold(ref);
    ++object.leases;
    effect.kind = Effect::Kind::kGranted;
    effect.lease = next_lease_++;
    leases_.emplace(effect.lease, Lease{asker.client, ref});
    count_of(asker.client, +1);
  }
  effects_.push_back(effect);
}

// Memory

/// Lets objects leave until the bytes fit beside what stays; false, with nothing changed, if that
/// cannot be.
bool Leases::clear(Room& r, Level level, Bytes bytes) {
  const auto missing = [&] { return r.used - r.leaving + r.promised + bytes - r.budget; };
  if (missing() > r.evictable) return false;
  while (missing() > Bytes{0}) {
    const std::optional<ObjectId> victim = r.policy->victim();
    if (!victim) return false;
    start_eviction({level, *victim});
  }
  return true;
}

void Leases::begin_loads(Level level) {
  Room& r = room(level);
  while (!r.for_memory.empty()) {
    const ObjectId id = r.for_memory.front();
    Object& object = r.objects[id];
    if (r.used + object.bytes > r.budget) return;
    r.for_memory.pop_front();
    r.promised -= object.bytes;
    r.used += object.bytes;
    object.begun = true;
    effects_.push_back({.kind = Effect::Kind::kLoad, .object = {level, id}});
  }
}

void Leases::start_eviction(ObjectRef ref) {
  Room& r = room(ref.level);
  Object& object = at(ref);
  if (object.state == State::kReady) {
    r.evictable -= object.bytes;
    r.policy->removed(ref.id);
  }
  object.state = State::kEvicting;
  r.leaving += object.bytes;
  effects_.push_back({.kind = Effect::Kind::kEvict, .object = ref});
}

void Leases::forget(ObjectRef ref) {
  Room& r = room(ref.level);
  Object& object = at(ref);
  r.used -= object.bytes;
  --r.present;
  if (object.pinned) --pinned_;
  object = Object{.key = std::move(object.key)};
  begin_loads(ref.level);
}

void Leases::gone(ObjectRef ref) {
  room(ref.level).leaving -= at(ref).bytes;
  forget(ref);
}

// Ends of loads

void Leases::loaded(ObjectRef ref, Bytes bytes, Nanos reload, Nanos now) {
  Room& r = room(ref.level);
  Object& object = at(ref);
  const Bytes more = bytes - object.bytes;
  const Bytes others = std::max(r.used, r.used - r.leaving + r.promised);
  if (others + more > r.budget) {
    for (const Asker& asker : take_waiting(object)) later(asker, ref, Why::kOverBudget);
    return start_eviction(ref);
  }
  r.used += more;
  r.evictable += bytes;
  object.bytes = bytes;
  object.reload = reload;
  object.state = State::kReady;
  r.policy->admitted(ref.id, {.bytes = bytes, .reload = reload}, now);
  for (const Asker& asker : take_waiting(object)) serve(ref, asker, false);
  begin_loads(ref.level);
}

void Leases::load_failed(ObjectRef ref) {
  for (const Asker& asker : take_waiting(at(ref)))
    effects_.push_back(
        {.kind = Effect::Kind::kFailed, .object = ref, .client = asker.client, .ask = asker.ask});
  forget(ref);
}

void Leases::lost(ObjectRef ref) {
  Object& object = at(ref);
  if (object.state != State::kReady) return;
  std::erase_if(leases_, [&](const auto& entry) {
    if (entry.second.object != ref) return false;
    count_of(entry.second.client, -1);
    return true;
  });
  if (!object.held()) room(ref.level).evictable -= object.bytes;
  room(ref.level).policy->removed(ref.id);
  forget(ref);
}

// Leases

void Leases::hold(ObjectRef ref) {
  room(ref.level).evictable -= at(ref).bytes;
  room(ref.level).policy->leased(ref.id);
}

void Leases::unhold(ObjectRef ref, Nanos now) {
  room(ref.level).evictable += at(ref).bytes;
  room(ref.level).policy->released(ref.id, now);
}

void Leases::drop(std::unordered_map<LeaseId, Lease>::iterator lease, Nanos now) {
  const ObjectRef ref = lease->second.object;
  count_of(lease->second.client, -1);
  leases_.erase(lease);
  --at(ref).leases;
  if (!at(ref).held()) unhold(ref, now);
}

bool Leases::release(ClientId client, LeaseId lease, Nanos now) {
  const auto found = leases_.find(lease);
  if (found == leases_.end() || found->second.client != client) return false;
  drop(found, now);
  return true;
}

void Leases::client_gone(ClientId client, Nanos now) {
  if (!counts_.contains(client)) return;
  for (Room& r : rooms_)
    for (Object& object : r.objects)
      std::erase_if(object.waiting, [&](const Asker& a) { return a.client == client; });
  std::vector<LeaseId> held;
  for (const auto& [id, lease] : leases_)
    if (lease.client == client) held.push_back(id);
  std::ranges::sort(held);  // policies see the same order on every run
  for (const LeaseId id : held) drop(leases_.find(id), now);
  counts_.erase(client);
}

bool Leases::unpin(std::string_view key, Level level, Nanos now) {
  const std::optional<ObjectRef> ref = find(key, level);
  if (!ref || !std::exchange(at(*ref).pinned, false)) return false;
  --pinned_;
  if (!at(*ref).held()) unhold(*ref, now);
  return true;
}

// Evictions

Evicted Leases::evict(std::string_view key, Level level) {
  const std::optional<ObjectRef> ref = find(key, level);
  if (!ref) return Evicted::kAbsent;
  const Object& object = at(*ref);
  if (object.state == State::kLoading) return Evicted::kLoading;
  if (object.state == State::kEvicting) return Evicted::kLeaving;
  if (object.leases > 0) return Evicted::kLeased;
  if (object.pinned) return Evicted::kPinned;
  start_eviction(*ref);
  return Evicted::kDone;
}

Leases::Flushed Leases::flush() {
  Flushed out;
  std::vector<ObjectRef> leave;
  each([&](ObjectRef ref, const Object& object) {
    if (object.state == State::kReady && !object.held())
      leave.push_back(ref);
    else if (object.state != State::kEvicting)
      ++out.spared;
  });
  for (const ObjectRef ref : leave) start_eviction(ref);
  out.evicted = leave.size();
  return out;
}

void Leases::expire(Nanos now) {
  std::vector<ObjectId> over;
  for (const Level level : kLevels) {
    over.clear();
    room(level).policy->expired(now, over);
    for (const ObjectId id : over) {
      const Object& object = room(level).objects[id];
      if (object.state == State::kReady && !object.held()) start_eviction({level, id});
    }
  }
}

std::vector<Effect> Leases::take_effects() { return std::exchange(effects_, {}); }

const Leases::Object& Leases::object(ObjectRef ref) const {
  return room(ref.level).objects[ref.id];
}

std::optional<ObjectRef> Leases::find(std::string_view key, Level level) const {
  const auto found = room(level).by_key.find(key);
  if (found == room(level).by_key.end() ||
      room(level).objects[found->second].state == State::kAbsent)
    return std::nullopt;
  return ObjectRef{level, found->second};
}

bool Leases::empty() const {
  return std::ranges::all_of(rooms_, [](const Room& r) { return r.present == 0; });
}

Nanos Leases::next_expiry() const {
  Nanos out = kNoMoment;
  for (const Room& r : rooms_) out = std::min(out, r.policy->next());
  return out;
}

void Leases::count_of(ClientId client, int change) {
  const auto found = counts_.try_emplace(client, 0).first;
  found->second = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(found->second) + change);
  if (found->second == 0) counts_.erase(found);
}

bool Leases::has_many(ClientId client) const {
  const auto found = counts_.find(client);
  return found != counts_.end() && found->second >= kMostOfClient;
}

}  // namespace ridge::sharing
