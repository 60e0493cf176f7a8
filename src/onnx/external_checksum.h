// SPDX-License-Identifier: Apache-2.0
// Checksums of external data: the key "checksum" of a tensor's external_data is the SHA-1 of the
// whole file that its location names (onnx/onnx docs/ExternalData.md), in hexadecimal digits.
//
//   TRY(verify_checksums(document));                    // before its weights are run
//
// Most models state none, and nothing is read for them. Errors (input class):
// RIDGE-ONNX-0315: another checksum, two of one file, or text that is no SHA-1; errors of locate().
// Cost: as sha1.h for each file with a checksum. Thread rule: plain function.
#pragma once

#include "base/result.h"
#include "onnx/document.h"

namespace ridge::onnx {

Result<void> verify_checksums(const Document& document);

}  // namespace ridge::onnx
