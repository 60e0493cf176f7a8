// A Profile as ridge.profile/1 (data/schema/ridge.profile.1.json). Keys only get added within a
// version; figures that cannot be known are null.
#pragma once

#include <map>
#include <string>

#include "base/json_writer.h"
#include "base/sink.h"
#include "profile/profile.h"

namespace ridge::profile {

/// Node::repeat where data decide how often a body runs; null in documents.
inline constexpr std::int64_t kUnknownRepeat = -1;

/// One document, ended by a newline.
void write_json(const Profile& profile, Sink& sink);

/// One profile as a value of another document.
void write_profile(JsonWriter& json, const Profile& profile);
/// The object of a runtime's options: threads are a number, the rest is text.
void write_options(JsonWriter& json, const Subject& subject);
/// An element of "layers", and of "nodes".
void write_layer(JsonWriter& json, const Profile& profile, const Layer& layer);
void write_node(JsonWriter& json, const Node& node);

/// Several profiles of one sweep:
/// {"schema":"ridge.profiles/1","sweep":{"points":[...],"effects":[...],"knee_batch"},
/// "profiles":[ridge.profile/1, ...]} (profile/sweep.h).
struct Sweep;
void write_json(const Sweep& sweep, Sink& sink);

}  // namespace ridge::profile
