// SPDX-License-Identifier: Apache-2.0
// The options of a run as documents, stores and keys have them: one map of texts, in which the
// number of threads is the entry "threads".
#pragma once

#include <map>
#include <string>

#include "profile/profile.h"

namespace ridge::profile {

/// The subject's options together with its number of threads.
std::map<std::string, std::string> all_options(const Subject& subject);

/// Its "threads" among them; "" where it is not recorded.
std::string thread_option(const Subject& subject);

/// The inverse of all_options. A "threads" that is no 32-bit number stays a text among the options.
void set_options(Subject& subject, std::map<std::string, std::string> all);

}  // namespace ridge::profile
