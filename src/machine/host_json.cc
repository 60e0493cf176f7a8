// SPDX-License-Identifier: Apache-2.0
#include "machine/describe.h"
#include "record/json_write.h"

namespace ridge::machine {

std::string host_json(const Host& host) { return record::json_text(record::kType<Host>, &host); }

}  // namespace ridge::machine
