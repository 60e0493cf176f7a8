// SPDX-License-Identifier: Apache-2.0
#include "accuracy/metrics.h"

#include <algorithm>

namespace ridge::accuracy {
namespace {

constexpr MetricRow kMetrics[] = {
    {"top1", "share",
     "samples whose true class is scored best; equal scores: the lower class number first"},
    {"top5", "share", "samples whose true class is among the five scored best"},
    {"coco_ap", "share",
     "COCO's average precision of boxes, mean over overlaps from 0.50 to 0.95 and categories"},
    {"coco_ap50", "share", "COCO's average precision at an overlap of 0.50"},
    {"coco_ap75", "share", "COCO's average precision at an overlap of 0.75"},
    {"coco_ap_small", "share", "COCO's average precision of objects of at most 32 x 32 pixels"},
    {"coco_ap_medium", "share",
     "COCO's average precision of objects from 32 x 32 to 96 x 96 pixels"},
    {"coco_ap_large", "share", "COCO's average precision of objects of at least 96 x 96 pixels"},
    {"coco_ar1", "share", "COCO's average recall with one detection per image and category"},
    {"coco_ar10", "share", "COCO's average recall with ten detections per image and category"},
    {"coco_ar100", "share",
     "COCO's average recall with a hundred detections per image and category"},
    {"coco_ar_small", "share", "COCO's average recall of objects of at most 32 x 32 pixels"},
    {"coco_ar_medium", "share", "COCO's average recall of objects from 32 x 32 to 96 x 96 pixels"},
    {"coco_ar_large", "share", "COCO's average recall of objects of at least 96 x 96 pixels"},
    {"voc_ap11", "share", "Pascal VOC 2007's average precision of boxes: mean over eleven recalls"},
    {"voc_ap", "share",
     "Pascal VOC's average precision since 2010: area under the curve of precision over recall"},
    {"mean_iou", "share",
     "pixels of a class in both segmentations over those in either, mean over classes"},
    {"psnr", "dB", "peak signal-to-noise ratio, mean over images; infinite for equal images"},
    {"ssim", "similarity",
     "structural similarity with a Gaussian window of 11 pixels and sigma 1.5; 1 for equal images"},
    {"exact_match", "share", "answers equal to an accepted one after SQuAD's normalization"},
    {"f1", "share",
     "SQuAD's F1 of the words of an answer and of the best accepted one, mean over questions"},
    {"wer", "edits per word",
     "word error rate: edits from true to recognized words over the number of true words"},
    {"cer", "edits per character",
     "character error rate, by Unicode code points, white space included"},
    {"agreement", "share", "samples for which two runs score the same class best"},
    {"kl", "nat", "Kullback-Leibler divergence of the second run's distribution from the first's"},
    {"js", "nat", "Jensen-Shannon divergence of two runs' distributions, at most ln 2"},
};

}  // namespace

std::span<const MetricRow> metrics() { return kMetrics; }

const MetricRow* find_metric(std::string_view name) {
  const auto* const found = std::find_if(std::begin(kMetrics), std::end(kMetrics),
                                         [&](const MetricRow& m) { return m.name == name; });
  return found == std::end(kMetrics) ? nullptr : found;
}

}  // namespace ridge::accuracy
