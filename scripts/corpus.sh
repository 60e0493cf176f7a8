# SPDX-License-Identifier: Apache-2.0
# Sourced. The inputs kept for a fuzz target are one archive, fuzz/corpus/<target>.tar: files without
# folders. Equal files make an equal archive. The build unpacks it into <build folder>/fuzz/corpus/<target>.
pack_corpus() {  # folder target
  (cd "$1" && LC_ALL=C && tar --create --format=ustar --blocking-factor=1 --owner=0 --group=0 --numeric-owner \
    --mtime=@0 --mode=0644 -- *) >"fuzz/corpus/$2.tar.new" && mv "fuzz/corpus/$2.tar.new" "fuzz/corpus/$2.tar"
}
