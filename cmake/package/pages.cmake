# SPDX-License-Identifier: Apache-2.0
# Writes what the program prints about itself, and the licenses of what it is built on, into OUT:
#   cmake -DRIDGE=build/ridge -DSOURCE=. -DOUT=build/made -P pages.cmake
function(ridge_prints file)
  execute_process(COMMAND ${RIDGE} ${ARGN} OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
  file(WRITE ${OUT}/${file} "${text}")
endfunction()

file(REMOVE_RECURSE ${OUT}/man1)
ridge_prints(man1/ridge.1 help man)
file(STRINGS ${OUT}/man1/ridge.1 pages REGEX "^[.]BR ridge")
foreach(page IN LISTS pages)
  string(REGEX REPLACE "^[.]BR ([^ ]+) .*" "\\1" page "${page}")
  string(REPLACE "\\-" "-" page "${page}")
  string(REGEX REPLACE "^ridge-" "" verb ${page})
  string(REPLACE "-" ";" verb ${verb})
  ridge_prints(man1/${page}.1 help man ${verb})
endforeach()
execute_process(COMMAND sh -c "gzip -9nf '${OUT}'/man1/*.1" COMMAND_ERROR_IS_FATAL ANY)
file(COPY_FILE ${SOURCE}/CHANGELOG.md ${OUT}/changelog)
execute_process(COMMAND gzip -9nf ${OUT}/changelog COMMAND_ERROR_IS_FATAL ANY)
ridge_prints(bash/ridge completion bash)
ridge_prints(zsh/_ridge completion zsh)
ridge_prints(fish/ridge.fish completion fish)

# What is compiled or linked into the files that are installed.
set(licenses "Ridgeline\n=========\nApache License 2.0: LICENSE beside this file, on Debian /usr/share/common-licenses/Apache-2.0.\n")
foreach(package libfmt-dev nlohmann-json3-dev libcli11-dev libprotozero-dev libtomlplusplus-dev libsqlite3-dev libexpat1-dev
    zlib1g-dev libjpeg62-turbo-dev libpng-dev libyaml-dev libutf8proc-dev libstdc++-12-dev)
  set(copyright /usr/share/doc/${package}/copyright)
  if(EXISTS ${copyright})
    file(READ ${copyright} text)
    string(APPEND licenses "\n${package}\n=========\n${text}")
  else()
    message(FATAL_ERROR "no ${copyright}: packages carry the licenses of what they contain")
  endif()
endforeach()
file(WRITE ${OUT}/copyright "${licenses}")
