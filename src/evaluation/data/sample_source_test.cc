// Which files of a folder are samples.
#include "evaluation/data/sample_source.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/temporary_folder.h"

namespace ridge::evaluation {
namespace {

class Folder {
 public:
  explicit Folder(std::initializer_list<std::string_view> names)
      : folder_(TemporaryFolder::make(::testing::TempDir()).value()) {
    for (const std::string_view name : names)
      EXPECT_TRUE(write_file(folder_.path() + "/" + std::string(name), "x").ok());
  }
  const std::string& path() const { return folder_.path(); }
  /// Names of the samples, each followed by a blank; or the error's message and evidence.
  std::string samples() const {
    const auto source = open_source({.source = folder_.path()});
    if (!source.ok()) return source.error().message() + ": " + source.error().evidence();
    std::string out;
    for (std::size_t i = 0; i < (*source)->size(); ++i) out += (*source)->name(i) + " ";
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

}  // namespace
}  // namespace ridge::evaluation
