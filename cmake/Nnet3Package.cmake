# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What CPack makes packages of; scripts/package.sh builds that and runs CPack.

# What is installed beside tools and libraries: documents with working links, and
# the examples that they speak of.
set(doc_dir share/doc/nnet3-mlir)
install(FILES LICENSE README.md CHANGELOG.md CONTRIBUTING.md
  DESTINATION ${doc_dir})
# Debian expects the license under this name.
install(FILES LICENSE DESTINATION ${doc_dir} RENAME copyright)
install(DIRECTORY docs examples DESTINATION ${doc_dir}
  PATTERN CMakeLists.txt EXCLUDE
  PATTERN __pycache__ EXCLUDE)

# What is installed and has to be built.
add_custom_target(nnet3-installed)
add_dependencies(nnet3-installed nnet3 nnet3-lsp-server nnet3-opt nnet3-reduce
  nnet3-translate nnet3-compile nnet3-run nnet3-rt-run nnet3_ivector nnet3_runtime nnet3_library nnet3-manual)
if(TARGET nnet3-recognize)
  add_dependencies(nnet3-installed nnet3-recognize)
endif()
if(TARGET nnet3-cross-runtimes)
  add_dependencies(nnet3-installed nnet3-cross-runtimes)
endif()

set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PACKAGE_NAME nnet3-mlir)
set(CPACK_PACKAGE_VENDOR nnet3-mlir)
set(CPACK_PACKAGE_CONTACT "nnet3-mlir maintainers <maintainers@nnet3-mlir.invalid>"
  CACHE STRING "Maintainer of the packages: a name and an address")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY
  "Compiler for Kaldi nnet3 neural networks, built on MLIR")
set(CPACK_PACKAGE_DESCRIPTION
  "nnet3-mlir reads the configs and models of Kaldi's recipes, computes what
Kaldi computes, and compiles networks ahead of time into libraries for CPUs and
NVIDIA GPUs. The package has the tools, the runtime, and a CMake package that
builds libraries of models.")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
string(TOLOWER ${CMAKE_SYSTEM_NAME} system)
set(CPACK_PACKAGE_FILE_NAME
  nnet3-mlir-${PROJECT_VERSION}-${system}-${CMAKE_SYSTEM_PROCESSOR})

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_COMPRESSION_TYPE zstd)
# dpkg-shlibdeps finds what the tools link. nnet3-compile links libraries with
# lld, or those for this machine with a C++ compiler, which programs that use the
# package need, too. Programs with nnet3::runtime link OpenBLAS.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "g++ | c++-compiler | lld-22, libopenblas-dev")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "cmake, lld-22, python3-numpy")

include(CPack)
