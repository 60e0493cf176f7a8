// SPDX-License-Identifier: Apache-2.0
// The model of a tokenizer's file with the pre-tokenizer that belongs to it (tokenizer_file.h has
// the forms and the errors).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <variant>

#include "base/result.h"
#include "text/tokenizer.h"

namespace ridge::text {

/// `before`: the file's pre_tokenizer; nullptr for none.
Result<std::variant<WordModel, ByteModel>> read_model(const nlohmann::json& model,
                                                      const nlohmann::json* before);

}  // namespace ridge::text
