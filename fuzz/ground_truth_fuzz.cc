// SPDX-License-Identifier: Apache-2.0
// Arbitrary bytes as what is true of three samples: annotations of COCO, lines and XML files of
// Pascal VOC, texts. Boxes are of samples that exist. The first byte selects the format and whether
// classes have names.
#include "evaluation/data/box_truth.h"

#include <filesystem>

#include "base/file.h"
#include "base/temporary_folder.h"
#include "check.h"
#include "evaluation/data/text_truth.h"
#include "evaluation/data/voc_annotation.h"

namespace {

using ridge::fuzz::check;

/// A refusal is of what is true, or of the encoding of its file.
void check_error(const ridge::Error& error) {
  check(error.code() == "RIDGE-WB-0118" || error.code() == "RIDGE-IO-0012");
}

void check_boxes(const ridge::Result<ridge::evaluation::BoxTruth>& truth, std::size_t samples) {
  if (!truth.ok()) return check_error(truth.error());
  for (const ridge::accuracy::TrueBox& box : truth->boxes) check(box.image < samples);
}

void check_texts(const ridge::Result<ridge::evaluation::TextTruth>& truth, std::size_t samples) {
  if (!truth.ok()) return check_error(truth.error());
  check(truth->texts.size() == samples);
  for (const std::vector<std::string>& accepted : truth->texts) check(!accepted.empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ridge::fuzz::Bytes bytes({reinterpret_cast<const char*>(data), size});
  const unsigned choice = bytes.next();
  const std::string_view content = bytes.rest();
  if (choice % 4 == 3) {
    const auto objects = ridge::evaluation::parse_voc_annotation(content);
    if (!objects.ok()) check(objects.error().code() == "RIDGE-WB-0207");
    return 0;
  }
  static const ridge::TemporaryFolder folder =
      ridge::TemporaryFolder::make(std::filesystem::temp_directory_path().string()).value();
  static const std::string path = folder.path() + "/truth";
  static const std::vector<std::string> samples = {"a.png", "b", "c.d.jpg"};
  static const std::vector<std::string> labels = {"cat", "dog"};
  static const std::vector<std::string> none;
  check(ridge::write_file(path, content).ok());
  const bool named = choice / 4 % 2 == 0;
  const ridge::evaluation::TruthSource source{path, samples, named ? labels : none};
  if (choice % 4 == 0) check_boxes(ridge::evaluation::read_coco_truth(source), samples.size());
  if (choice % 4 == 1) check_boxes(ridge::evaluation::read_voc_truth(source), samples.size());
  if (choice % 4 == 2) check_texts(ridge::evaluation::read_text_truth(source), samples.size());
  return 0;
}
