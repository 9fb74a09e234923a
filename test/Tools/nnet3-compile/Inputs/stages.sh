# stages.sh COMPILE OPT TARGET MODEL OPTION...: with these two tools, compares the libraries that are made of the
# stages of a model with the one that is made of the model.
set -e
compile=$1 opt=$2 target=$3 model=$4
shift 4
compile="$compile --target=$target --prefix=net $*"
$compile --chunk=6 "$model" -o expected
for stage in network commands optimized fused kernels loops llvm-dialect; do
  $compile --chunk=6 --emit=$stage "$model" -o stage.mlir
  $compile stage.mlir -o actual
  cmp libexpected.so libactual.so
  "$opt" stage.mlir | $compile - -o actual
  cmp libexpected.so libactual.so
  $compile --chunk=6 --emit=$stage "$model" -o stage.mlirbc
  $compile stage.mlirbc -o actual
  cmp libexpected.so libactual.so
done
# Each stage may be made of the one in front of it.
$compile --chunk=6 --emit=network "$model" -o stage.mlir
for stage in commands optimized fused kernels loops llvm-dialect; do
  $compile --emit=$stage stage.mlir -o next.mlir
  $compile --chunk=6 --emit=$stage "$model" -o stage.mlir
  cmp stage.mlir next.mlir
done
