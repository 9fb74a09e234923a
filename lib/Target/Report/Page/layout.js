// Where the boxes of a network go: in layers from top to bottom.

// Puts boxes that only follow one another into one group, so that a deep network
// gets shorter. A group is a list of boxes.
function groupBoxes(network) {
  const {boxes, arrows} = network;
  const incoming = boxes.map(() => []), outgoing = boxes.map(() => []);
  for (const arrow of arrows) {
    outgoing[arrow.from].push(arrow);
    incoming[arrow.to].push(arrow);
  }
  const isInner = (box) => box.kind === "component" || box.kind === "descriptor";
  const next = (i) => {
    const arrow = outgoing[i].length === 1 ? outgoing[i][0] : null;
    return arrow && !arrow.label && !arrow.recurrent && isInner(boxes[i]) &&
      isInner(boxes[arrow.to]) && incoming[arrow.to].length === 1 ? arrow.to : -1;
  };
  const follows = boxes.map(() => false);
  boxes.forEach((_, i) => { if (next(i) >= 0) follows[next(i)] = true; });
  const groups = [];
  boxes.forEach((_, i) => {
    if (follows[i])
      return;
    const group = {boxes: [], labels: 0};
    for (let at = i; at >= 0; at = next(at))
      group.boxes.push(at);
    groups.push(group);
  });
  return groups;
}

// One arrow for all between the same two groups.
function groupArrows(network, groups) {
  const groupOf = [];
  groups.forEach((group, g) => group.boxes.forEach((box) => { groupOf[box] = g; }));
  const arrows = new Map();
  for (const {from, to, label, recurrent} of network.arrows) {
    const ends = [groupOf[from], groupOf[to]];
    if (ends[0] === ends[1] && !recurrent)
      continue;
    const key = `${ends} ${Boolean(recurrent)}`;
    if (!arrows.has(key))
      arrows.set(key, {from: ends[0], to: ends[1], recurrent, labels: []});
    arrows.get(key).labels.push(label || "t");
  }
  return [...arrows.values()].map((arrow) => {
    const isPlain = arrow.labels.length === 1 && arrow.labels[0] === "t";
    return {...arrow, label: isPlain ? "" : joinLabels(arrow.labels)};
  });
}

// The longest way from the top; what has nothing above it stands just above what
// uses it.
function findLayers(groups, arrows) {
  const waits = groups.map(() => 0);
  for (const arrow of arrows)
    ++waits[arrow.to];
  const ready = groups.map((_, g) => g).filter((g) => waits[g] === 0);
  groups.forEach((group) => { group.layer = 0; });
  for (let at = 0; at < ready.length; ++at)
    for (const arrow of arrows.filter((arrow) => arrow.from === ready[at])) {
      groups[arrow.to].layer = Math.max(groups[arrow.to].layer, groups[arrow.from].layer + 1);
      if (--waits[arrow.to] === 0)
        ready.push(arrow.to);
    }
  groups.forEach((group, g) => {
    const users = arrows.filter((arrow) => arrow.from === g);
    if (users.length && !arrows.some((arrow) => arrow.to === g))
      group.layer = Math.min(...users.map((arrow) => groups[arrow.to].layer)) - 1;
  });
}

// Layers of points: groups, and one for each layer that an arrow passes. Adds to
// each arrow the points on its way.
function makeLayers(groups, arrows) {
  const layers = [];
  const add = (layer, point) => {
    (layers[layer] ??= []).push(point);
    return Object.assign(point, {layer, above: [], below: []});
  };
  groups.forEach((group) => add(group.layer, group));
  for (const arrow of arrows) {
    arrow.points = [groups[arrow.from]];
    for (let layer = groups[arrow.from].layer + 1; layer < groups[arrow.to].layer; ++layer)
      arrow.points.push(add(layer, {width: 8, height: 0}));
    arrow.points.push(groups[arrow.to]);
    for (let i = 1; i < arrow.points.length; ++i) {
      arrow.points[i].above.push(arrow.points[i - 1]);
      arrow.points[i - 1].below.push(arrow.points[i]);
    }
  }
  return layers;
}

const average = (list) => list.reduce((sum, value) => sum + value, 0) / list.length;

// Orders each layer by where the neighbours of its points stand.
function orderLayers(layers) {
  const number = (layer) => layer.forEach((point, i) => { point.order = i; });
  layers.forEach(number);
  const sweep = (list, side) => list.forEach((layer) => {
    for (const point of layer)
      point.wish = point[side].length ? average(point[side].map((p) => p.order)) : point.order;
    layer.sort((a, b) => a.wish - b.wish);
    number(layer);
  });
  for (let round = 0; round < 12; ++round) {
    sweep(layers, "above");
    sweep([...layers].reverse(), "below");
  }
}

// Moves points of one layer as near as possible to where they wish to be:
// neighbours that would overlap are moved together.
function spread(layer, gap) {
  const blocks = [];
  for (const point of layer) {
    let block = {points: [point], wish: point.wish - point.width / 2, width: point.width};
    while (blocks.length && blocks.at(-1).wish + blocks.at(-1).width + gap > block.wish) {
      const left = blocks.pop();
      const shift = left.width + gap;
      const count = left.points.length + block.points.length;
      block = {
        points: [...left.points, ...block.points],
        wish: (left.wish * left.points.length + (block.wish - shift) * block.points.length) / count,
        width: shift + block.width,
      };
    }
    blocks.push(block);
  }
  for (const block of blocks) {
    let x = block.wish;
    for (const point of block.points) {
      point.x = x + point.width / 2;
      x += point.width + gap;
    }
  }
}

function placeAcross(layers, gap) {
  for (const layer of layers) {
    let x = 0;
    for (const point of layer) {
      point.x = x + point.width / 2;
      x += point.width + gap;
    }
  }
  const move = (list, sides) => list.forEach((layer) => {
    for (const point of layer) {
      const near = sides.flatMap((side) => point[side]);
      point.wish = near.length ? average(near.map((p) => p.x)) : point.x;
    }
    spread(layer, gap);
  });
  for (let round = 0; round < 10; ++round) {
    move(layers, ["above"]);
    move([...layers].reverse(), ["below"]);
    move(layers, ["above", "below"]);
  }
}

// Gives each group x (its middle), y (its top), and each arrow its points. Above
// a group there is a row for each label of an arrow to it. The sizes of the groups
// are set already.
// Returns the size of the whole.
function layoutNetwork(groups, arrows) {
  const forward = arrows.filter((arrow) => !arrow.recurrent);
  findLayers(groups, forward);
  const layers = makeLayers(groups, forward).filter(Boolean);
  for (const arrow of forward.filter((arrow) => arrow.label))
    ++groups[arrow.to].labels;
  orderLayers(layers);
  placeAcross(layers, 26);
  let y = -10;
  for (const layer of layers) {
    const height = Math.max(...layer.map((point) => point.height));
    y += 26 + 12 * Math.max(...layer.map((point) => point.labels ?? 0));
    for (const point of layer) {
      // What only passes does so beside the boxes, straight down.
      if (!point.boxes)
        point.height = height;
      Object.assign(point, {layerTop: y, layerBottom: y + height});
      point.y = y + (height - point.height) / 2;
    }
    y += height;
  }
  const points = layers.flat();
  const left = Math.min(...points.map((point) => point.x - point.width / 2)) - 16;
  for (const point of points)
    point.x -= left;
  const right = Math.max(...points.map((point) => point.x + point.width / 2));
  return {width: right + 16, height: y + 36};
}
