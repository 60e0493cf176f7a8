# SPDX-License-Identifier: Apache-2.0
# What Debian's rules ask for beside the files that every package has; CPack runs it over the copied
# tree of each component.
set(maintainer "${CPACK_PACKAGE_CONTACT}")
set(components program library)
set(packages ridgeline ridgeline-dev)
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
foreach(component package IN ZIP_LISTS components packages)
  set(share ${CPACK_TEMPORARY_DIRECTORY}/${component}/usr/share)
  set(docs ${share}/doc/${package})
  file(REMOVE ${docs}/LICENSE)
  file(WRITE ${docs}/changelog.Debian
    "ridgeline (${CPACK_PACKAGE_VERSION}-1) unstable; urgency=low\n\n  * Release; changelog.gz says what it brings.\n\n -- ${maintainer}  ${date}\n")
  execute_process(COMMAND gzip -9n ${docs}/changelog.Debian COMMAND_ERROR_IS_FATAL ANY)
endforeach()
# Linked statically on purpose: one program runs on several releases of Debian and Ubuntu.
set(overrides "")
foreach(library expat libjpeg libpng libutf8proc libyaml zlib)
  string(APPEND overrides "ridgeline: embedded-library ${library} *\n")
endforeach()
file(WRITE ${CPACK_TEMPORARY_DIRECTORY}/program/usr/share/lintian/overrides/ridgeline "${overrides}")
