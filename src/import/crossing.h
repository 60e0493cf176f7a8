// Bytes that a layer of a recording moves: those of the tensors that cross the boundary of its
// nodes, floating-point ones as wide as the layer ran in. Private to join.cc.
#pragma once

#include <string>
#include <vector>

#include "analysis/resolved.h"
#include "profile/profile.h"

namespace ridge::imports {

/// Element types in the words of profile::Layer; another word: as the model stores them.
struct Widths {
  std::string read, written;
};

struct Crossed {
  profile::Count read = 0, written = 0;
};

/// `members`: ascending by node. One node moves what its definition says; of several each tensor
/// counts once, and what stays inside does not. Over all executions of the bodies around them.
Crossed crossed(const analysis::Resolved& resolved, const std::vector<profile::Member>& members,
                const Widths& widths);

/// What they must do at least (profile::Least), in the narrower of both widths.
profile::Least least_of(const analysis::Resolved& resolved,
                        const std::vector<profile::Member>& members, const Widths& widths);

}  // namespace ridge::imports
