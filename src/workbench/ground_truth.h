// What is true of samples, in the formats that people have it in:
//
//   coco          instances_*.json of COCO: images (file_name, id), annotations, categories
//   voc           lines NAME,CLASS,X_MIN,Y_MIN,X_MAX,Y_MAX or with ,DIFFICULT (0 or 1) at the end;
//                 pixels from 1, both corners belong to the box; or a folder with NAME.xml, the
//                 annotations of Pascal VOC
//   miou          a folder with NAME.png, 8-bit gray, the class of each pixel; 255: not judged
//   psnr, ssim    a folder with NAME.png, NAME.jpg or NAME.npy (height x width x channels, float32)
//   exact,f1,cer  lines NAME,TEXT (several of one name: each is accepted), or a line per sample
//
// NAME is that of a sample, with or without its ending in folders. Categories are joined with the
// model's classes by their names where steps have labels(FILE), else by number. Errors: input
// class, RIDGE-WB-0118, with file and line; those of voc_annotation.h and of the files. Bounded:
// files of 256 MiB.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "accuracy/box.h"
#include "base/result.h"
#include "pipeline/image.h"

namespace ridge::workbench {

struct TruthSource {
  const std::string& path;
  const std::vector<std::string>& names;   ///< names of the samples
  const std::vector<std::string>& labels;  ///< names of the classes; empty: by number
};

Result<std::vector<accuracy::TrueBox>> read_coco_truth(const TruthSource& source);
Result<std::vector<accuracy::TrueBox>> read_voc_truth(const TruthSource& source);
/// Accepted texts of each sample, at least one.
Result<std::vector<std::vector<std::string>>> read_text_truth(const TruthSource& source);

struct TrueMask {
  pipeline::Size size;
  std::vector<std::int32_t> classes;
};
Result<TrueMask> read_mask_truth(const std::string& folder, const std::string& name);
/// `channels`: those of the model's image, for files that have others.
Result<pipeline::FloatImage> read_image_truth(const std::string& folder, const std::string& name,
                                              int channels);

}  // namespace ridge::workbench
