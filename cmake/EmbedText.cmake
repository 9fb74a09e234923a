# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# nnet3_embed_text(output file...): a string literal of C++ with the contents of
# the files, one behind the other.
function(nnet3_embed_text output)
  set(text "")
  foreach(name ${ARGN})
    get_filename_component(path ${name} ABSOLUTE)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
    file(READ ${path} part)
    string(APPEND text "${part}")
  endforeach()
  file(GENERATE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${output}
    CONTENT "R\"nnet3(${text})nnet3\"\n")
endfunction()
