// SPDX-License-Identifier: Apache-2.0
// What is true of samples, in the formats that people have it in:
//
//   coco          box_truth.h: instances_*.json of COCO: images (file_name, id), annotations,
//                 categories
//   voc           box_truth.h: lines NAME,CLASS,X_MIN,Y_MIN,X_MAX,Y_MAX or with ,DIFFICULT (0 or 1)
//                 at the end; pixels from 1, both corners belong to the box; or a folder with
//                 NAME.xml, the annotations of Pascal VOC
//   miou          a folder with NAME.png, 8-bit gray, the class of each pixel; 255: not judged
//   psnr, ssim    a folder with NAME.png, NAME.jpg or NAME.npy (height x width x channels, float32)
//   exact,f1,cer  text_truth.h: lines NAME,TEXT (several of one name: each is accepted by exact and
//                 f1), or a line for each sample
//
// NAME is that of a sample, with or without its ending. Errors: input class, RIDGE-WB-0118, with
// the file; those of the files. Bounded: files of 256 MiB.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "evaluation/data/sample_names.h"
#include "pipeline/image.h"

namespace ridge::evaluation {

struct TruthSource {
  const std::string& path;
  const std::vector<std::string>& names;   ///< names of the samples
  const std::vector<std::string>& labels;  ///< names of the classes; empty: by number
  Whole whole = Whole::kYes;
  const std::string* bytes = nullptr;  ///< bytes of the file, if they were read
};

/// Text of the file at `path`. `bytes`: its content; nullptr: read here, at most `limit` bytes.
Result<std::string> text_of(const std::string& path, const std::string* bytes, std::int64_t limit);

/// Error about what is true of samples (RIDGE-WB-0118).
Error faulty_truth(std::string message);

struct TrueMask {
  pipeline::Size size;
  std::vector<std::int32_t> classes;
};
Result<TrueMask> read_mask_truth(const std::string& folder, const std::string& name);
/// `channels`: those of the model's image, for files that have others.
Result<pipeline::FloatImage> read_image_truth(const std::string& folder, const std::string& name,
                                              int channels);

}  // namespace ridge::evaluation
