// Drawing a network.

const kRowHeight = 17;

function describeBox(box) {
  const lines = [box.kind === "descriptor" ? `${box.name} ${box.detail ?? ""}` : box.name];
  if (box.component)
    lines.push(`component ${box.component}`);
  if (box.detail && box.kind !== "descriptor")
    lines.push(box.detail);
  lines.push(`${formatCount(box.dim)} columns`);
  if (box.parameters)
    lines.push(`${formatCount(box.parameters)} parameters`);
  if (box.state)
    lines.push(`a stream keeps ${box.state}`);
  if (box.precision)
    lines.push(`matmuls in ${box.precision}`);
  return lines.join("\n");
}

// What stands in the row of a box: its name, and what it is.
function getBoxTexts(box) {
  if (box.kind === "dim-range")
    return {name: box.name, rest: box.detail};
  const detail = (box.detail ?? "").replace(/Component$/, "");
  const rest = `${detail} ${box.dim}`.trim();
  return {name: box.name, rest: box.precision ? `${rest}, ${box.precision}` : rest};
}

function measureGroup(group, boxes) {
  const widths = group.boxes.map((b) => {
    const {name, rest} = getBoxTexts(boxes[b]);
    return measureText(name, 600) + measureText(rest, 400) + 34;
  });
  group.width = Math.max(64, ...widths);
  group.height = group.boxes.length * kRowHeight + 4;
}

function drawGroup(group, boxes, onBox) {
  const left = group.x - group.width / 2;
  const parts = group.boxes.map((b, row) => {
    const box = boxes[b], y = group.y + 2 + row * kRowHeight;
    const {name, rest} = getBoxTexts(box);
    const shape = svg("rect", {
      class: `box ${box.kind}${box.state ? " state" : ""}`,
      x: left, y, width: group.width, height: kRowHeight,
      rx: box.kind === "input" || box.kind === "output" ? 8 : 2,
    });
    shape.addEventListener("mousemove", (event) => tip.show(event, describeBox(box)));
    shape.addEventListener("mouseleave", tip.hide);
    shape.addEventListener("click", () => onBox(box));
    return svg("g", {}, shape,
      svg("text", {class: "name", x: left + 8, y: y + 12.5}, name),
      svg("text", {x: left + group.width - 8, y: y + 12.5, "text-anchor": "end"}, rest));
  });
  return svg("g", {}, ...parts);
}

function drawHead(x, y, className) {
  return svg("path", {class: `head ${className}`, d: `M${x} ${y}l-4 -7h8z`});
}

// A curve from point to point, down through the layers.
function drawArrow(arrow) {
  const last = arrow.points.length - 1;
  let {x, y} = arrow.points[0];
  y += arrow.points[0].height;
  let path = `M${x} ${y}`;
  arrow.points.slice(1).forEach((point, i) => {
    const top = i + 1 === last ? point.y - 6 : point.y;
    const middle = (y + top) / 2;
    path += `C${x} ${middle} ${point.x} ${middle} ${point.x} ${top}`;
    [x, y] = [point.x, i + 1 === last ? top : point.y + point.height];
    path += `V${y}`;
  });
  const target = arrow.points[last], before = arrow.points[last - 1];
  arrow.places = getPlaces({x: before.x, y: before.y + before.height},
    {x: target.x, y: target.y - 6}, getCurvePoint);
  return svg("g", {}, svg("path", {class: "arrow", d: path}), drawHead(target.x, target.y, ""));
}

// Recurrences leave below the layer of their source, go up beside everything else,
// each on a way of its own, and come from above the layer of their target.
function drawRecurrence(arrow, groups) {
  const from = groups[arrow.from], to = groups[arrow.to], x = arrow.x;
  const startX = from.x + from.width / 4, endX = to.x + to.width / 2 - 10 - 5 * arrow.way;
  const low = from.layerBottom + 8 + 3 * arrow.way, high = to.layerTop - 10 - 3 * arrow.way;
  const path = `M${startX} ${from.y + from.height}V${low}H${x - 8}Q${x} ${low} ${x} ${low - 8}` +
    `V${high + 8}Q${x} ${high} ${x - 8} ${high}H${endX}V${to.y - 6}`;
  arrow.places = getPlaces({x, y: low}, {x, y: high},
    (from, end, t) => ({x, y: from.y * (1 - t) + end.y * t}));
  // The parts beside which other recurrences' labels stand.
  arrow.areas = [[low, startX], [high, endX]].map(([y, left]) =>
    ({left, right: x, top: y - 1, bottom: y + 1}));
  return svg("g", {}, svg("path", {class: "arrow recurrent", d: path}),
    drawHead(endX, to.y, "recurrent"));
}

const getArea = ({x, y, width, height}) =>
  ({left: x - width / 2, right: x + width / 2, top: y, bottom: y + height});

// The labels of all arrows, which have their places on them.
function drawLabels(arrows, groups) {
  const labels = arrows.filter((arrow) => arrow.label).map((arrow) => ({
    text: arrow.label, places: arrow.places,
    className: arrow.recurrent ? "recurrent" : "",
  }));
  placeLabels(labels, [...groups.map(getArea), ...arrows.flatMap((arrow) => arrow.areas ?? [])]);
  return svg("g", {}, ...labels.map(drawLabel));
}

// Recurrences that overlap in height get different ways.
function findWays(arrows, groups, width) {
  const ways = [];
  for (const arrow of arrows) {
    const range = [groups[arrow.to].y, groups[arrow.from].y + groups[arrow.from].height];
    let way = ways.findIndex((used) => used.every(([a, b]) => b < range[0] || range[1] < a));
    if (way < 0)
      way = ways.push([]) - 1;
    ways[way].push(range);
    arrow.way = way;
  }
  const step = 18 + Math.max(0, ...arrows.map((arrow) => measureText(arrow.label, 400)));
  for (const arrow of arrows)
    arrow.x = width + step / 2 + arrow.way * step;
  return width + ways.length * step;
}

// Returns the drawing; its width and height are those of one to one.
function drawNetwork(network, onBox) {
  const groups = groupBoxes(network);
  const arrows = groupArrows(network, groups);
  groups.forEach((group) => measureGroup(group, network.boxes));
  const size = layoutNetwork(groups, arrows);
  const recurrent = arrows.filter((arrow) => arrow.recurrent);
  const width = findWays(recurrent, groups, size.width);
  return svg("svg", {width, height: size.height, viewBox: `0 0 ${width} ${size.height}`},
    ...arrows.filter((arrow) => !arrow.recurrent).map(drawArrow),
    ...groups.map((group) => drawGroup(group, network.boxes, onBox)),
    ...recurrent.map((arrow) => drawRecurrence(arrow, groups)),
    drawLabels(arrows, groups));
}

const kNetworkHint = "Boxes that only follow one another stand together. Labels say which " +
  "rows an arrow takes; recurrences are dashed.";

function showNetwork(network, onBox) {
  const holder = byId("drawing");
  if (!network)
    return holder.replaceChildren();
  const drawing = drawNetwork(network, onBox);
  holder.replaceChildren(drawing);
  const [width, height] = ["width", "height"].map((name) => Number(drawing.getAttribute(name)));
  let scale = 1;
  const zoom = (value) => {
    scale = Math.min(4, Math.max(0.1, value));
    drawing.setAttribute("width", width * scale);
    drawing.setAttribute("height", height * scale);
  };
  const fitting = Math.min(1, (holder.clientWidth - 4) / width);
  byId("zoom-in").onclick = () => zoom(scale * 1.25);
  byId("zoom-out").onclick = () => zoom(scale / 1.25);
  byId("zoom-fit").onclick = () => zoom(fitting);
  byId("network-hint").textContent = kNetworkHint;
  // Large networks are scrolled rather than too small to read.
  zoom(Math.max(0.65, fitting));
}
