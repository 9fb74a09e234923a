# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Reference cases on emulated machines: nnet3-rt-run, built by the toolchain file,
# checks the interpreter's programs and libraries of nnet3-compile. By default
# some cases; with NNET3_NIGHTLY all those of NNET3_NIGHTLY_CASES that are one
# request.
set(golden_cases ${CMAKE_CURRENT_SOURCE_DIR}/Inputs/golden
  "--filter=^(components/(Affine|Lstm|TimeHeight|Normalize).*-1|descriptors/(ifdefined-bidirectional|irregular|switch3)|networks/net-0004.*1|recipes/(tdnnf|lstmp)/infer1$)")
# Each case is compiled to four modules, so these are fewer.
set(web_cases ${CMAKE_CURRENT_SOURCE_DIR}/Inputs/golden
  "--filter=^(components/(Affine|Lstm|TimeHeight).*-1|descriptors/(irregular|switch3)|networks/net-00047|recipes/(tdnnf|lstmp)/infer1$)")
if(NNET3_NIGHTLY)
  set(golden_cases ${NNET3_NIGHTLY_CASES}
    "--filter=^(components|descriptors|networks|recipes|seed)/")
  set(web_cases ${golden_cases})
endif()

# nnet3_add_target_test(NAME TARGET triple SYSROOT folder EMULATOR program
#                       LIBRARIES options... CPUS options...)
# LIBRARIES are options of nnet3-compile beside the target, CPUS those of the
# emulator; every CPU has all that the libraries need.
function(nnet3_add_target_test name)
  cmake_parse_arguments(ARG "" "TARGET;SYSROOT;EMULATOR" "LIBRARIES;CPUS" ${ARGN})
  find_program(NNET3_EMULATOR_${ARG_EMULATOR} ${ARG_EMULATOR})
  set(emulator ${NNET3_EMULATOR_${ARG_EMULATOR}})
  get_property(runtimes GLOBAL PROPERTY NNET3_CROSS_RUNTIMES)
  if(NOT emulator OR NOT ARG_TARGET IN_LIST runtimes)
    message(STATUS "Tests for ${ARG_TARGET} are left out: they need "
      "${ARG_EMULATOR} and the runtime for it")
    return()
  endif()
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/runner/${ARG_TARGET})
  if(NOT TEST runner-${ARG_TARGET})
    add_test(NAME runner-${ARG_TARGET}
      COMMAND ${CMAKE_COMMAND}
        -DSOURCE_DIR=${PROJECT_SOURCE_DIR} -DBUILD_DIR=${folder}
        -DTARGET=${ARG_TARGET} -DLAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER}
        -P ${CMAKE_CURRENT_SOURCE_DIR}/golden/BuildRunner.cmake)
    set_tests_properties(runner-${ARG_TARGET} PROPERTIES
      FIXTURES_SETUP runner-${ARG_TARGET})
  endif()
  set(arguments)
  foreach(options ${ARG_LIBRARIES})
    list(APPEND arguments "--library=--target=${ARG_TARGET} ${options}")
  endforeach()
  foreach(cpu ${ARG_CPUS})
    list(APPEND arguments
      "--checker=${emulator} -cpu ${cpu} -L ${ARG_SYSROOT} ${folder}/nnet3-rt-run --strict")
  endforeach()
  add_test(NAME golden-${name}
    COMMAND ${NNET3_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/golden/pack_cases.py
      --bin=$<TARGET_FILE_DIR:nnet3-run> ${arguments}
      -o ${CMAKE_CURRENT_BINARY_DIR}/golden-${name}.n3cs ${golden_cases})
  set_tests_properties(golden-${name} PROPERTIES
    FIXTURES_REQUIRED runner-${ARG_TARGET})
endfunction()

nnet3_add_target_test(aarch64 TARGET aarch64-linux-gnu
  SYSROOT /usr/aarch64-linux-gnu EMULATOR qemu-aarch64-static
  LIBRARIES "--precision=f32" "--precision=bf16" "--precision=fp16" "--precision=int8"
  CPUS cortex-a57 "max,sve256=off" "max,sve512=on")
# Instructions for dot products: of signed factors, of factors of which one is
# unsigned, of bf16.
nnet3_add_target_test(aarch64-dot TARGET aarch64-linux-gnu
  SYSROOT /usr/aarch64-linux-gnu EMULATOR qemu-aarch64-static
  LIBRARIES "--precision=int8 --target-features=+dotprod"
            "--precision=int8 --target-features=+i8mm"
            "--precision=bf16 --target-features=+bf16"
  CPUS "max,sve=off")
# Scalable vectors of 128, 256 and 512 bits.
set(sve_cpus "max,sve-max-vq=1" "max,sve-max-vq=2" "max,sve-max-vq=4")
set(rvv_cpus)
foreach(bits 128 256 512)
  list(APPEND rvv_cpus "rv64,v=true,vext_spec=v1.0,vlen=${bits}")
endforeach()
nnet3_add_target_test(aarch64-sve TARGET aarch64-linux-gnu
  SYSROOT /usr/aarch64-linux-gnu EMULATOR qemu-aarch64-static
  LIBRARIES "--precision=f32 --target-features=+sve"
            "--precision=bf16 --target-features=+sve,+bf16"
            "--precision=fp16 --target-features=+sve"
            "--precision=int8 --target-features=+sve,+i8mm"
  CPUS ${sve_cpus})
nnet3_add_target_test(aarch64-sve2 TARGET aarch64-linux-gnu
  SYSROOT /usr/aarch64-linux-gnu EMULATOR qemu-aarch64-static
  LIBRARIES "--precision=f32 --target-features=+sve2"
            "--precision=bf16 --target-features=+sve2,+bf16"
            "--precision=int8 --target-features=+sve2,+i8mm"
            "--precision=bf16 --target-features=+sve2"
            "--precision=int8 --target-features=+sve2"
  CPUS ${sve_cpus})
nnet3_add_target_test(riscv64 TARGET riscv64-linux-gnu
  SYSROOT /usr/riscv64-linux-gnu EMULATOR qemu-riscv64-static
  LIBRARIES "--precision=f32" "--precision=bf16" "--precision=fp16" "--precision=int8"
  CPUS ${rvv_cpus})
nnet3_add_target_test(armv7 TARGET armv7-linux-gnueabihf
  SYSROOT /usr/arm-linux-gnueabihf EMULATOR qemu-arm-static
  LIBRARIES "--precision=f32 --target-cpu=cortex-a8" "--precision=f32"
            "--precision=bf16" "--precision=fp16" "--precision=int8"
  CPUS cortex-a15)

# nnet3_add_bits_test(NAME TARGET triple SYSROOT folder EMULATOR program
#                     LIBRARIES options... CPUS options...)
# All of these libraries give the same bits on all CPUs.
function(nnet3_add_bits_test name)
  cmake_parse_arguments(ARG "" "TARGET;SYSROOT;EMULATOR" "LIBRARIES;CPUS" ${ARGN})
  if(NOT TEST runner-${ARG_TARGET})
    return()
  endif()
  set(arguments)
  foreach(options ${ARG_LIBRARIES})
    list(APPEND arguments "--library=--target=${ARG_TARGET} ${options}")
  endforeach()
  foreach(cpu ${ARG_CPUS})
    list(APPEND arguments
      "--runner=${NNET3_EMULATOR_${ARG_EMULATOR}} -cpu ${cpu} -L ${ARG_SYSROOT} ${CMAKE_CURRENT_BINARY_DIR}/runner/${ARG_TARGET}/nnet3-rt-run")
  endforeach()
  add_test(NAME bits-${name}
    COMMAND ${NNET3_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/golden/scalable_bits.py
      --bin=$<TARGET_FILE_DIR:nnet3-run> ${arguments}
      ${CMAKE_CURRENT_SOURCE_DIR}/Inputs/scalable/mixed.config)
  set_tests_properties(bits-${name} PROPERTIES
    FIXTURES_REQUIRED runner-${ARG_TARGET})
endfunction()

# Longer vectors than code fills are among them.
list(APPEND sve_cpus "max,sve-max-vq=16,sve-default-vector-length=256")
list(APPEND rvv_cpus "rv64,v=true,vext_spec=v1.0,vlen=1024")
foreach(precision f32 int8)
  nnet3_add_bits_test(aarch64-${precision} TARGET aarch64-linux-gnu
    SYSROOT /usr/aarch64-linux-gnu EMULATOR qemu-aarch64-static
    LIBRARIES "--precision=${precision}"
              "--precision=${precision} --target-features=+sve"
              "--precision=${precision} --target-features=+sve2"
              "--precision=${precision} --target-features=+sve2,+i8mm"
    CPUS ${sve_cpus})
endforeach()
nnet3_add_bits_test(aarch64-bf16 TARGET aarch64-linux-gnu
  SYSROOT /usr/aarch64-linux-gnu EMULATOR qemu-aarch64-static
  LIBRARIES "--precision=bf16 --target-features=+bf16"
            "--precision=bf16 --target-features=+sve,+bf16"
            "--precision=bf16 --target-features=+sve2,+bf16"
  CPUS ${sve_cpus})
foreach(precision f32 bf16 fp16 int8)
  nnet3_add_bits_test(riscv64-${precision} TARGET riscv64-linux-gnu
    SYSROOT /usr/riscv64-linux-gnu EMULATOR qemu-riscv64-static
    LIBRARIES "--precision=${precision}"
    CPUS ${rvv_cpus})
endforeach()

# Libraries with code for several CPUs of x86-64, on some of them.
find_program(NNET3_EMULATOR_X86_64 qemu-x86_64-static)
if(NNET3_EMULATOR_X86_64 AND CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64"
   AND NOT NNET3_SANITIZE AND NOT NNET3_SANITIZE_THREAD)
  set(arguments)
  foreach(precision f32 bf16 fp16 int16 int8)
    list(APPEND arguments
      "--library=--target-cpu=multi --precision=${precision}")
  endforeach()
  foreach(cpu Nehalem Haswell)
    list(APPEND arguments
      "--checker=${NNET3_EMULATOR_X86_64} -cpu ${cpu} $<TARGET_FILE:nnet3-rt-run> --strict")
  endforeach()
  add_test(NAME golden-x86-64
    COMMAND ${NNET3_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/golden/pack_cases.py
      --bin=$<TARGET_FILE_DIR:nnet3-run> --check ${arguments}
      -o ${CMAKE_CURRENT_BINARY_DIR}/golden-x86-64.n3cs ${golden_cases})
endif()

# Modules of WebAssembly, in Node and in Chromium.
find_program(NNET3_NODE node)
find_program(NNET3_CHROMIUM chromium)
get_property(runtimes GLOBAL PROPERTY NNET3_CROSS_RUNTIMES)
if((NNET3_NODE OR NNET3_CHROMIUM)
   AND wasm32-unknown-unknown IN_LIST runtimes)
  set(arguments)
  if(NNET3_NODE)
    list(APPEND arguments --node=${NNET3_NODE})
  endif()
  if(NNET3_CHROMIUM)
    list(APPEND arguments --chromium)
  endif()
  add_test(NAME golden-wasm32
    COMMAND ${NNET3_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/golden/run_web.py
      --nnet3-compile=$<TARGET_FILE:nnet3-compile> ${arguments}
      --library=--precision=f32
      "--library=--precision=f32 --target-features=+relaxed-simd"
      "--library=--precision=bf16 --target-features=+relaxed-simd"
      --library=--precision=int16 --library=--precision=int8 ${web_cases})
else()
  message(STATUS "Tests for wasm32 are left out: they need Node or Chromium and "
    "the runtime for it")
endif()
