# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Finds LLVM and MLIR, and defines how this project's libraries link them:
# always through the shared libMLIR and libLLVM, never a component library
# (two copies of MLIR in one process do not work).

find_package(MLIR REQUIRED CONFIG)
message(STATUS "Using MLIR ${LLVM_PACKAGE_VERSION} in ${MLIR_DIR}")

list(APPEND CMAKE_MODULE_PATH ${MLIR_CMAKE_DIR} ${LLVM_CMAKE_DIR})
include(TableGen)
include(AddLLVM)
include(AddMLIR)
set(LLVM_ENABLE_WARNINGS ON)
include(HandleLLVMOptions)

include_directories(SYSTEM ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
include_directories(${PROJECT_SOURCE_DIR}/include
                    ${PROJECT_BINARY_DIR}/include)

# nnet3_tablegen(file.inc generator): with nnet3-tblgen, as mlir_tablegen does with
# mlir-tblgen.
set(NNET3_TABLEGEN_EXE nnet3-tblgen)
set(NNET3_TABLEGEN_TARGET nnet3-tblgen)
function(nnet3_tablegen file)
  tablegen(NNET3 ${ARGV})
  set(TABLEGEN_OUTPUT ${TABLEGEN_OUTPUT} ${CMAKE_CURRENT_BINARY_DIR}/${file}
    PARENT_SCOPE)
endfunction()

# Three precompiled headers: of MLIR and the dialect, of code generation, and of
# tests. Each is shared by all targets of the directories that set NNET3_PCH to
# it. Parsing these headers is 70 to 90% of a compilation without them.
function(nnet3_add_pch name header)
  add_library(${name} STATIC ${PROJECT_SOURCE_DIR}/cmake/pch.cpp)
  add_dependencies(${name} ${ARGN})
  llvm_update_compile_flags(${name})
  target_compile_options(${name} PUBLIC
    $<$<COMPILE_LANGUAGE:CXX>:-Xclang> $<$<COMPILE_LANGUAGE:CXX>:-fno-pch-timestamp>)
  target_precompile_headers(${name} PRIVATE ${PROJECT_SOURCE_DIR}/cmake/${header})
endfunction()
nnet3_add_pch(nnet3_pch pch.h Nnet3IRIncGen)
nnet3_add_pch(nnet3_code_pch pch-code.h Nnet3IRIncGen Nnet3KernelIRIncGen)
nnet3_add_pch(nnet3_test_pch pch-test.h Nnet3IRIncGen Nnet3KernelIRIncGen)
# GoogleTest's macros must be those of the tests.
target_link_libraries(nnet3_test_pch PRIVATE GTest::gtest)
set(NNET3_PCH nnet3_pch)

function(nnet3_mlir_flags target)
  # LLVM's flags have -fPIC; CMake would add -fPIE to executables, which does
  # not fit the precompiled header.
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  llvm_update_compile_flags(${target})
  target_compile_options(${target} PRIVATE -Xclang -fno-pch-timestamp)
  target_precompile_headers(${target} REUSE_FROM ${NNET3_PCH})
endfunction()

# What executables of a sanitizer build are linked with.
if(NNET3_SANITIZE)
  add_library(nnet3_sanitizer_options OBJECT
    ${PROJECT_SOURCE_DIR}/cmake/SanitizerOptions.cpp)
  set(NNET3_SANITIZER_OPTIONS $<TARGET_OBJECTS:nnet3_sanitizer_options>)
endif()

# nnet3_add_library(name source... [DEPENDS target...] [LINK library...])
function(nnet3_add_library name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  nnet3_mlir_flags(${name})
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  target_link_libraries(${name} PUBLIC ${ARG_LINK} MLIR LLVM)
  set_property(GLOBAL APPEND PROPERTY NNET3_LIBRARIES ${name})
endfunction()

# nnet3_add_module(name source...): a shared object that programs load when they
# need it, in lib/nnet3. It contains no LLVM.
function(nnet3_add_module name)
  add_library(${name} MODULE ${ARGN})
  # LLVM's flags for modules are lld's.
  target_link_options(${name} PRIVATE -fuse-ld=lld)
  set_target_properties(${name} PROPERTIES PREFIX ""
    LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib/nnet3)
endfunction()

# nnet3_add_tool(name source... [LINK library...])
function(nnet3_add_tool name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS} ${NNET3_SANITIZER_OPTIONS}
    $<TARGET_OBJECTS:nnet3_tool_objects>)
  nnet3_mlir_flags(${name})
  target_link_libraries(${name} PRIVATE ${ARG_LINK} MLIR LLVM)
  # Where installed, a tool looks for libMLIR and libLLVM in the folder lib beside
  # its own, and where the build had them.
  set_target_properties(${name} PROPERTIES INSTALL_RPATH "$ORIGIN/../lib"
    INSTALL_RPATH_USE_LINK_PATH ON)
endfunction()

# nnet3_add_unittest(name source... [LINK library...])
function(nnet3_add_unittest name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS} ${NNET3_SANITIZER_OPTIONS})
  nnet3_mlir_flags(${name})
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/unittests)
  target_compile_definitions(${name} PRIVATE
    NNET3_TEST_INPUTS="${PROJECT_SOURCE_DIR}/test/Inputs")
  target_link_libraries(${name} PRIVATE ${ARG_LINK} GTest::gtest_main MLIR LLVM)
  add_test(NAME ${name} COMMAND ${name})
endfunction()
