// Where matrices lie in the chart of their lifetimes: as in a memory in which
// each gets the lowest place that is free from its first to its last command.

// Sets `bottom`, in bytes, of each matrix; returns the height of all.
function packMatrices(matrices) {
  const order = [...matrices].sort((a, b) => a.begin - b.begin || b.end - a.end);
  let living = [], height = 0;
  for (const matrix of order) {
    living = living.filter((other) => other.end > matrix.begin);
    let bottom = 0, at = 0;
    while (at < living.length && living[at].bottom < bottom + matrix.bytes) {
      bottom = Math.max(bottom, living[at].bottom + living[at].bytes);
      ++at;
    }
    matrix.bottom = bottom;
    living.splice(living.findIndex((other) => other.bottom >= bottom) >>> 0, 0, matrix);
    height = Math.max(height, bottom + matrix.bytes);
  }
  return height;
}
