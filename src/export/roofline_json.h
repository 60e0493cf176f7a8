// What ridge roofline shows, as ridge.roofline/1: points of whole models and the roofs above them.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>

#include "base/sink.h"
#include "profile/summary.h"
#include "roofline/roofs.h"

namespace ridge::exports {

/// One document, ended by a newline. A rate of a point that took no time is null. `roofs` by number
/// of threads, with those of every point; `notes`: on what the models were given.
void write_roofline_json(std::span<const profile::ModelPoint> points,
                         const std::map<std::int32_t, roofline::Roofs>& roofs,
                         std::span<const std::string> notes, Sink& sink);

}  // namespace ridge::exports
