// Numbers of both computations.

function addTile(what, before, after, format) {
  const change = before ? `${(100 * (after - before) / before).toFixed(1)} %` : "";
  const value = element("div", {className: "value"},
    element("small", {}, `${format(before)} \u2192 `), format(after));
  byId("overview").append(element("div", {className: "tile"},
    element("div", {className: "what"}, what), value,
    element("div", {className: "change"}, before === after ? "unchanged" : change)));
}

function showOverview({before, after}) {
  byId("overview").replaceChildren();
  const tile = (what, key, format) =>
    addTile(what, before.size[key], after.size[key], format);
  tile("Commands, as Kaldi counts", "commands", formatCount);
  const products = (c) => c.commands.reduce((sum, {multiplyAdds}) => sum + (multiplyAdds ?? 0), 0);
  addTile("Multiply-adds", products(before), products(after), formatMany);
  tile("Matrices that are allocated or given", "matrices", formatCount);
  tile("Most bytes at a time", "peak", formatBytes);
  tile("Bytes of all matrices", "bytes", formatBytes);
}

function countKinds(computation) {
  const counts = new Map();
  for (const {kind} of computation.commands)
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

// How many commands of each kind there are: the upper bar before, the lower one
// afterwards.
function showKinds({before, after}) {
  const counts = [before, after].map(countKinds);
  const kinds = [...new Set(counts.flatMap((c) => [...c.keys()]))];
  const get = (kind) => counts.map((c) => c.get(kind) ?? 0);
  const most = Math.max(1, ...kinds.flatMap(get));
  kinds.sort((a, b) => Math.max(...get(b)) - Math.max(...get(a)));
  byId("kinds").replaceChildren(...kinds.flatMap((kind) => {
    const bars = get(kind).map((count, i) => {
      const bar = element("div", {className: i ? "bar" : "bar before"}, formatCount(count));
      bar.style.setProperty("--width", `${85 * count / most}%`);
      return bar;
    });
    return [element("div", {}, kind), element("div", {className: "bars"}, ...bars)];
  }));
}
