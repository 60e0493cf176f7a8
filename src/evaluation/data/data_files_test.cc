// SPDX-License-Identifier: Apache-2.0
// Tests of the files of a data set: samples of a folder, the bytes of labels that are kept.
#include "evaluation/data/data_files.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/temporary_folder.h"

namespace ridge::evaluation {
namespace {

class Folder {
 public:
  Folder(std::initializer_list<std::string_view> names)
      : folder_(TemporaryFolder::make(::testing::TempDir()).value()) {
    for (const std::string_view name : names)
      EXPECT_TRUE(write_file(folder_.path() + "/" + std::string(name), "x").ok());
  }
  const std::string& path() const { return folder_.path(); }
  /// Names of the samples, each followed by a blank; or the error's message and evidence.
  std::string samples(std::uint32_t limit = 0) const {
    const auto files =
        find_files({.source = folder_.path(), .labels = {}, .steps = {}, .limit = limit});
    if (!files.ok()) return files.error().message() + ": " + files.error().evidence();
    std::string out;
    for (const std::string& path : files->samples) out += path.substr(path.rfind('/') + 1) + " ";
    return out;
  }

 private:
  TemporaryFolder folder_;
};

TEST(FolderOfImages, EveryEndingOfJpegAndPngIsASample) {
  EXPECT_EQ(
      Folder({"b.JPG", "a.jpe", "c.jpeg", "d.png", "e.jfif", "labels.txt", "f.xml"}).samples(),
      "a.jpe b.JPG c.jpeg d.png e.jfif ");
}

TEST(FolderOfImages, ALimitTakesTheFirst) {
  EXPECT_EQ(Folder({"b.jpg", "a.jpg", "c.jpg"}).samples(2), "a.jpg b.jpg ");
}

TEST(FolderOfImages, ImagesThatAreNotDecodedAreNeverLeftOutInSilence) {
  EXPECT_EQ(Folder({"a.jpg", "b.bmp", "c.webp"}).samples(),
            "2 images of the folder are neither JPEG nor PNG: b.bmp, c.webp");
  EXPECT_EQ(Folder({"a.jpg", "b.TIFF"}).samples(),
            "1 image of the folder is neither JPEG nor PNG: b.TIFF");
}

TEST(FolderOfImages, APipeIsNeverLeftOutInSilence) {
  const Folder folder({"a.jpg"});
  ASSERT_EQ(::mkfifo((folder.path() + "/b.jpg").c_str(), 0600), 0);
  EXPECT_EQ(folder.samples(), "it is named as an image and is no file: ");
}

TEST(LabelsFile, IsKeptAsItWasHashedUpToASize) {
  const Folder folder({"a.txt"});
  const std::string path = folder.path() + "/a.txt";
  const auto kept = read_labels_file(path, 1), large = read_labels_file(path, 0);
  ASSERT_TRUE(kept.ok() && large.ok());
  ASSERT_NE(kept->bytes, nullptr);
  EXPECT_EQ(*kept->bytes, "x");
  EXPECT_EQ(kept->sha256, sha256_of("x"));
  EXPECT_EQ(large->bytes, nullptr);
  EXPECT_EQ(large->sha256, kept->sha256);
}

}  // namespace
}  // namespace ridge::evaluation
