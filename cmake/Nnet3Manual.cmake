# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Manual pages, and completions for shells, made of what each tool prints about
# its options; the target nnet3-manual makes them in share/ of the build.
set(manual_dir ${PROJECT_BINARY_DIR}/share)
set(manual_scripts ${PROJECT_SOURCE_DIR}/scripts/generate-manual.py
  ${PROJECT_SOURCE_DIR}/scripts/manual/completions.py
  ${PROJECT_SOURCE_DIR}/scripts/manual/help_text.py
  ${PROJECT_SOURCE_DIR}/scripts/manual/man_page.py)
# SOURCE_DATE_EPOCH sets another date.
string(TIMESTAMP manual_date "%Y-%m-%d" UTC)

set(manual_files)
set(recognize)
if(TARGET nnet3-recognize)
  set(recognize nnet3-recognize)
endif()
set(links ${NNET3_PROGRAMS} ${NNET3_PROGRAM_ALIASES})
foreach(tool ${links} nnet3-compile nnet3-lsp-server nnet3-opt nnet3-reduce
        nnet3-rt-run nnet3-run nnet3-translate ${recognize})
  set(binary ${tool})
  if(tool IN_LIST links)
    set(binary nnet3)
  endif()
  set(files ${manual_dir}/man/man1/${tool}.1
    ${manual_dir}/bash-completion/completions/${tool}
    ${manual_dir}/zsh/vendor-completions/_${tool}
    ${manual_dir}/fish/vendor_completions.d/${tool}.fish)
  add_custom_command(OUTPUT ${files}
    COMMAND /usr/bin/python3 -B ${PROJECT_SOURCE_DIR}/scripts/generate-manual.py
      --version=${PROJECT_VERSION} --date=${manual_date}
      $<TARGET_FILE_DIR:${binary}>/${tool} ${manual_dir}
    DEPENDS ${binary} ${manual_scripts} ${program_table}
    VERBATIM)
  list(APPEND manual_files ${files})
endforeach()
add_custom_target(nnet3-manual ALL DEPENDS ${manual_files})
install(DIRECTORY ${manual_dir}/ DESTINATION share)
