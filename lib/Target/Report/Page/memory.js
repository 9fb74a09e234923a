// The charts of one computation: live bytes, and the lifetimes of matrices.

const kMargin = {left: 66, right: 10, top: 16, bottom: 20};
const kRoles = {
  input: "given by the caller",
  output: "given to the caller",
  forward: "used first in the forward pass",
  backward: "used first in the backward pass",
};

function showLegend() {
  byId("legend").replaceChildren(...Object.entries(kRoles).map(([role, text]) => {
    const entry = element("span", {}, text);
    entry.style.setProperty("--swatch", `var(--${role})`);
    return entry;
  }));
}

// An empty chart with its axes. `x` and `y` give the place of a command and of
// bytes.
function makeChart(width, height, numCommands, maxBytes) {
  const inner = {
    width: width - kMargin.left - kMargin.right,
    height: height - kMargin.top - kMargin.bottom,
  };
  const x = (command) => kMargin.left + command / Math.max(1, numCommands) * inner.width;
  const y = (bytes) => kMargin.top + (1 - bytes / Math.max(1, maxBytes)) * inner.height;
  const root = svg("svg", {class: "chart", width, height});
  const byteStep = getGridStep(maxBytes, 6, [2]);
  for (let bytes = 0; bytes <= maxBytes; bytes += byteStep)
    root.append(
      svg("line", {class: "grid", x1: kMargin.left, x2: width - kMargin.right, y1: y(bytes), y2: y(bytes)}),
      svg("text", {x: kMargin.left - 6, y: y(bytes) + 4, "text-anchor": "end"}, formatBytes(bytes)));
  const step = getGridStep(numCommands, 6, [2, 2.5, 2]);
  for (let command = 0; command <= numCommands; command += step)
    root.append(svg("text", {x: x(command), y: height - 5, "text-anchor": "middle"}, formatCount(command)));
  return {root, x, y};
}

// Where the passes meet.
function addMarker({root, x, y}, computation) {
  const first = computation.commands.findIndex((command) => command.backward);
  if (first <= 0)
    return;
  root.append(
    svg("line", {class: "marker", x1: x(first), x2: x(first), y1: kMargin.top - 6, y2: y(0)}),
    svg("text", {x: x(first) - 5, y: 11, "text-anchor": "end"}, "forward"),
    svg("text", {x: x(first) + 5, y: 11}, "backward"));
}

function addPeak({root, x, y}, computation) {
  const {peak, peakAt} = computation;
  const text = `peak ${formatBytes(peak)}`;
  const isLeft = x(peakAt) < kMargin.left + 130;
  const isHigh = y(peak) < kMargin.top + 14;
  root.append(
    svg("line", {class: "peak", x1: kMargin.left, x2: x(peakAt), y1: y(peak), y2: y(peak)}),
    svg("line", {class: "peak", x1: x(peakAt), x2: x(peakAt), y1: y(peak), y2: y(0)}),
    svg("text", {
      class: "peak", x: x(peakAt) + (isLeft ? 6 : -6), y: y(peak) + (isHigh ? 13 : -5),
      "text-anchor": isLeft ? "start" : "end",
    }, text));
}

function drawLive(computation, width, scale) {
  const chart = makeChart(width, 190, scale.commands, scale.bytes);
  let path = `M${chart.x(0)} ${chart.y(0)}`;
  computation.live.forEach((bytes, command) => {
    path += `V${chart.y(bytes)}H${chart.x(command + 1)}`;
  });
  chart.root.append(svg("path", {class: "live", d: `${path}V${chart.y(0)}Z`}));
  addMarker(chart, computation);
  addPeak(chart, computation);
  return chart;
}

function drawLifetimes(computation, width, scale) {
  const chart = makeChart(width, 280, scale.commands, scale.packed);
  computation.matrices.forEach((matrix) => {
    const top = chart.y(matrix.bottom + matrix.bytes);
    const height = Math.max(0.6, chart.y(matrix.bottom) - top);
    matrix.bar = svg("rect", {
      class: `matrix ${matrix.role}${height < 4 ? " thin" : ""}`,
      x: chart.x(matrix.begin), y: top, height,
      width: Math.max(0.6, chart.x(matrix.end) - chart.x(matrix.begin)),
    });
    chart.root.append(matrix.bar);
  });
  addMarker(chart, computation);
  return chart;
}

function describeMatrix(computation, matrix) {
  const end = matrix.end < computation.commands.length
    ? `ended by ${matrix.end}` : "there to the end";
  const made = matrix.maker ? `\nfirst written for ${matrix.maker}` : "";
  return `${matrix.name}: ${formatCount(matrix.rows)} x ${formatCount(matrix.cols)}, ` +
    `${formatBytes(matrix.bytes)}\nmade by command ${matrix.begin}, ${end}\n` +
    `${kRoles[matrix.role]}${made}`;
}

function describeCommand(computation, number) {
  return `${number}: ${computation.commands[number].text}\n` +
    `${formatBytes(computation.live[number])} live`;
}

// Shows both charts in `holder`. `onCommand` and `onMatrix` are told what the
// pointer is at, `onChoose` at which command it clicks. Returns a function that
// marks a command, and its matrices or one of them.
function showMemory(holder, title, computation, scale, {onCommand, onMatrix, onChoose}) {
  const width = Math.max(280, holder.clientWidth);
  const live = drawLive(computation, width, scale);
  const lifetimes = drawLifetimes(computation, width, scale);
  const charts = [live, lifetimes];
  holder.replaceChildren(title, live.root, lifetimes.root);
  const cursors = charts.map((chart) => {
    const cursor = svg("line", {class: "cursor", y1: kMargin.top, y2: chart.y(0), visibility: "hidden"});
    chart.root.append(cursor);
    return cursor;
  });
  const getCommand = (event) => {
    const left = live.root.getBoundingClientRect().left;
    const perCommand = live.x(1) - live.x(0);
    const command = Math.floor((event.clientX - left - kMargin.left) / perCommand);
    return command >= 0 && command < computation.commands.length ? command : -1;
  };
  const leave = () => { tip.hide(); onCommand(-1); };
  for (const {root} of charts) {
    root.addEventListener("mousemove", (event) => {
      const command = getCommand(event);
      const matrix = computation.matrices.find((m) => m.bar === event.target);
      if (matrix) {
        onMatrix(computation.matrices.indexOf(matrix), command);
        tip.show(event, describeMatrix(computation, matrix));
      } else if (command >= 0) {
        onCommand(command);
        tip.show(event, describeCommand(computation, command));
      } else {
        leave();
      }
    });
    root.addEventListener("mouseleave", leave);
    root.addEventListener("click", (event) => onChoose(getCommand(event)));
  }
  let hot = [];
  return (command, matrices) => {
    for (const cursor of cursors) {
      cursor.setAttribute("visibility", command < 0 ? "hidden" : "visible");
      cursor.setAttribute("x1", live.x(command + 0.5));
      cursor.setAttribute("x2", live.x(command + 0.5));
    }
    hot.forEach((matrix) => matrix.bar.classList.remove("hot"));
    hot = matrices.map((number) => computation.matrices[number]);
    hot.forEach((matrix) => matrix.bar.classList.add("hot"));
    lifetimes.root.classList.toggle("dimmed", hot.length > 0);
  };
}
