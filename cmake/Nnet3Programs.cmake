# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The names in tools/nnet3/Programs.def: those of the programs in
# NNET3_PROGRAMS, the other names in NNET3_PROGRAM_ALIASES.
set(program_table ${PROJECT_SOURCE_DIR}/tools/nnet3/Programs.def)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${program_table})
foreach(macro PROGRAM ALIAS)
  file(STRINGS ${program_table} names REGEX "^NNET3_${macro}")
  list(TRANSFORM names REPLACE "^NNET3_${macro}\\(([a-z0-9-]+).*" "\\1")
  set(names_of_${macro} ${names})
endforeach()
set(NNET3_PROGRAMS ${names_of_PROGRAM})
set(NNET3_PROGRAM_ALIASES ${names_of_ALIAS})
