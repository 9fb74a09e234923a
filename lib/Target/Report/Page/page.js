// The page as a whole.

const data = JSON.parse(byId("data").textContent);

// Adds what is not worth writing down: peaks, commands of each matrix, places.
function prepare(computation) {
  const {commands, matrices, live} = computation;
  computation.peak = live.reduce((a, b) => Math.max(a, b), 0);
  computation.peakAt = Math.max(0, live.indexOf(computation.peak));
  matrices.forEach((matrix) => { matrix.commands = []; });
  commands.forEach((command, number) => {
    command.matrices = [];
    for (let i = 0; i < command.operands.length; i += 2) {
      const matrix = matrices[command.operands[i]];
      command.matrices.push(command.operands[i]);
      matrix.commands.push(number);
      if (command.operands[i + 1] & 2 && command.subject)
        matrix.maker ??= command.subject;
    }
  });
  computation.packed = packMatrices(matrices);
}

const title = (text) => element("h3", {}, element("b", {}, text));

// The charts and the list of one side, which show the same command.
function showSide(side, name, computation, scale) {
  let list, mark;
  const onCommand = (command) => {
    mark(command, command < 0 ? [] : computation.commands[command].matrices);
    list.touch(command < 0 ? [] : [command]);
  };
  mark = showMemory(byId(`memory-${side}`), title(name), computation, scale, {
    onCommand,
    onMatrix(matrix, command) {
      mark(command, [matrix]);
      list.touch(computation.matrices[matrix].commands);
    },
    onChoose: (command) => { if (command >= 0) list.choose(command); },
  });
  list = showCommands(byId(`commands-${side}`), title(name), computation, {
    onCommand: (command) =>
      mark(command, command < 0 ? [] : computation.commands[command].matrices),
  });
  return list;
}

function showComputation(computation) {
  const sides = [computation.before, computation.after];
  const getScale = (side) => {
    const most = (get) => Math.max(...(byId("same-scale").checked ? sides : [side]).map(get));
    return {
      commands: most((c) => c.commands.length),
      bytes: most((c) => c.peak),
      packed: most((c) => c.packed),
    };
  };
  showOverview(computation);
  showKinds(computation);
  const lists = [
    showSide("before", "Before", computation.before, getScale(computation.before)),
    showSide("after", "After", computation.after, getScale(computation.after)),
  ];
  const filter = byId("filter");
  const apply = () => lists.forEach((list) => list.filter(filter.value));
  filter.oninput = apply;
  apply();
}

function onBox(box) {
  const filter = byId("filter");
  filter.value = box.component ?? box.name;
  filter.dispatchEvent(new Event("input"));
  byId("commands").scrollIntoView({behavior: "smooth"});
}

// A computation with its network, or a network alone.
function show(entry) {
  const heading = entry.name ? `@${entry.name}` : "";
  byId("title").textContent = heading || "nnet3 report";
  document.title = `${heading} nnet3 report`.trim();
  const isComputation = Boolean(entry.before);
  const network = isComputation ? data.networks[entry.network] : entry;
  byId("origin").textContent = [network ? `network @${network.name}` : "", data.source,
    data.version, data.time].filter(Boolean).join(" \u00b7 ");
  for (const id of ["overview", "memory", "commands"])
    byId(id).hidden = !isComputation;
  if (isComputation)
    showComputation(entry);
  showNetwork(network, onBox);
}

function start() {
  for (const {before, after} of data.computations)
    [before, after].forEach(prepare);
  const entries = data.computations.length ? data.computations : data.networks;
  const select = byId("computation");
  entries.forEach((entry, i) => select.append(new Option(`@${entry.name}`, i)));
  byId("choice").hidden = entries.length < 2;
  showLegend();
  const update = () => { if (entries.length) show(entries[Number(select.value)]); };
  select.onchange = update;
  byId("same-scale").onchange = update;
  let timer = 0;
  addEventListener("resize", () => {
    clearTimeout(timer);
    timer = setTimeout(update, 150);
  });
  update();
  if (!entries.length)
    document.querySelector("main").replaceChildren("There is no network.");
  document.documentElement.dataset.ready = "yes";
}

start();
