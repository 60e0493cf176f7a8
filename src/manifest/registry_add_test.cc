// SPDX-License-Identifier: Apache-2.0
#include "manifest/registry_add.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/file.h"
#include "base/hash/md5.h"
#include "base/hash/sha256.h"
#include "base/temporary_folder.h"

namespace ridge::manifest {
namespace {

class RegistryAdd : public ::testing::Test {
 protected:
  RegistryAdd() : place_(TemporaryFolder::make(::testing::TempDir()).value()) {
    std::filesystem::create_directories(place_.path() + "/cache/photos");
    std::filesystem::create_directories(place_.path() + "/here");
    write("here/net.onnx", "net");
    write("cache/photos/a.png", "one");
    write("cache/labels.txt", "0\n");
  }

  void write(const std::string& name, std::string_view text) const {
    EXPECT_TRUE(write_file(place_.path() + "/" + name, text).ok());
  }
  std::string add(const std::string& name, std::string_view text) {
    write("here/" + name, text);
    const auto file = read_manifest_file(place_.path() + "/here/" + name);
    if (!file.ok()) return file.error().text();
    Registry registry(place_.path() + "/registry");
    const auto entry = add_manifest(registry, *file, {.cache = place_.path() + "/cache"});
    if (!entry.ok()) return without_place(entry.error().text());
    std::string out;
    for (const RegistryFile& f : entry->files) out += f.name + " ";
    return out;
  }
  std::string without_place(std::string text) const {
    for (std::size_t at = 0; (at = text.find(place_.path())) != std::string::npos;)
      text.erase(at, place_.path().size() + 1);
    return text;
  }

  TemporaryFolder place_;
};

TEST_F(RegistryAdd, AnEntryHasTheManifestAndWhatItNames) {
  EXPECT_EQ(add("net.toml",
                "name = \"net\"\nversion = \"1.0\"\n[model]\ngraph_path = "
                "\"net.onnx\"\ngraph_checksum = \"md5:" +
                    md5_of("net") + "\"\n"),
            "manifest.toml net.onnx ");
  EXPECT_EQ(add("data.yml",
                "kind: dataset\nname: few\nversion: 1.0\nloader: images\n"
                "folder: cache:photos/\nlabels: cache:labels.txt\n"
                "labels_checksum: " +
                    sha256_of("0\n") + "\n"),
            "labels.txt manifest.yml photos/a.png ");
  Registry registry(place_.path() + "/registry");
  const auto entry = registry.find(EntryKind::kDataset, "few", "1.0");
  ASSERT_TRUE(entry.ok());
  const auto file = manifest_of(registry, *entry);
  ASSERT_TRUE(file.ok());
  const auto files = files_of(*file, {.in_registry = true});
  ASSERT_TRUE(files.ok()) << files.error().text();
  ASSERT_EQ(files->size(), 2U);
  EXPECT_EQ(*read_file((*files)[0].path + "/a.png", 9), "one");
}

TEST_F(RegistryAdd, AnEntryHasTheTokenizerOfItsTexts) {
  write("here/tokenizer.json", "{}");
  const auto net = [](const std::string& rest) {
    return "name = \"net\"\nversion = \"1.0\"\n[[inputs]]\ntype = \"text\"\nsteps = "
           "'tokens(file=tokenizer.json, length=8" +
           rest + ")'\n[model]\ngraph_path = \"net.onnx\"\n";
  };
  EXPECT_EQ(add("net.toml", net(", checksum=\"sha256:" + sha256_of("{}") + "\"")),
            "manifest.toml net.onnx tokenizer.json ");
  const std::string other = net(", checksum=\"sha256:" + sha256_of("other") + "\"");
  EXPECT_NE(add("other.toml", other).find("[RIDGE-MAN-0091]"), std::string::npos);
}

TEST_F(RegistryAdd, OtherContentIsRefused) {
  EXPECT_EQ(add("net.toml",
                "name = \"net\"\nversion = \"1.0\"\n[model]\ngraph_path = \"net.onnx\"\n"
                "graph_checksum = \"md5:d41d8cd98f00b204e9800998ecf8427e\"\n"),
            "error: here/net.onnx: the file is not the one that the manifest names\n"
            "  the manifest states md5:d41d8cd98f00b204e9800998ecf8427e, the file has " +
                md5_of("net") +
                "\n  hint: the file may be damaged or of another version; fetch it again, or "
                "correct the manifest\n  [RIDGE-MAN-0091]\n");
  EXPECT_EQ(add("data.yml",
                "kind: dataset\nname: few\nversion: 1.0\nloader: images\nfolder: cache:photos\n"
                "checksum: sha256:" +
                    std::string(64, '0') + "\n")
                .substr(0, 65),
            "error: here/data.yml: the files are not those that the manifest n");
}

TEST_F(RegistryAdd, AbsentFilesAreNamed) {
  EXPECT_EQ(add("net.yml",
                "name: net\nversion: 1.0\nmodel: {graph_path: no.onnx, base_url: "
                "'https://example.org/'}\n"),
            "error: here/net.yml: the manifest names 'no.onnx', which is not there\n"
            "  expected as here/no.onnx\n"
            "  hint: nothing is downloaded; fetch https://example.org/no.onnx and put it there\n"
            "  [RIDGE-MAN-0090]\n");
  EXPECT_EQ(add("ort.yml", "kind: runtime\nname: ort\n"),
            "error: here/ort.yml: a registry has no entries of runtimes\n"
            "  hint: name the file where it is used: ridge eval MODEL --runtime-manifest FILE\n"
            "  [RIDGE-MAN-0092]\n");
}

}  // namespace
}  // namespace ridge::manifest
