// Where the labels of arrows go: on their arrows, beside all boxes and all other
// labels.

const kLabelHeight = 13;

// Many rows are shortened to the first two and the last.
function joinLabels(labels) {
  if (labels.length > 8)
    labels = [...labels.slice(0, 2), `${labels.length - 3} more`, labels.at(-1)];
  return labels.join(", ");
}

const overlaps = (a, b) =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

function getLabelArea(label, {x, y}) {
  return {left: x - label.width / 2, right: x + label.width / 2,
    top: y - kLabelHeight / 2, bottom: y + kLabelHeight / 2};
}

// A point of the curve that drawArrow draws between two points.
function getCurvePoint(from, to, t) {
  const s = 1 - t, middle = (from.y + to.y) / 2;
  const start = s * s * (s + 3 * t), end = t * t * (t + 3 * s);
  return {
    x: from.x * start + to.x * end,
    y: from.y * s ** 3 + 3 * middle * s * t + to.y * t ** 3,
  };
}

// Points of an arrow, those in the middle first.
function getPlaces(from, to, getPoint) {
  const places = [];
  for (let step = 0; step <= 10; ++step)
    for (const t of step ? [0.5 + step * 0.045, 0.5 - step * 0.045] : [0.5])
      places.push(getPoint(from, to, t));
  return places;
}

// Gives each label the first of its places where it overlaps nothing. Where there
// is none, it moves sideways.
function placeLabels(labels, taken) {
  for (const label of labels) {
    label.width = measureText(label.text, 400) + 6;
    const isFree = (place) => !taken.some((area) => overlaps(area, getLabelArea(label, place)));
    let place = label.places.find(isFree);
    for (let shift = 6; !place; shift += 6)
      place = [-shift, shift].flatMap((dx) => label.places.map(({x, y}) => ({x: x + dx, y})))
        .find(isFree);
    label.place = place;
    taken.push(getLabelArea(label, place));
  }
}

// The text, on a ground that hides what is behind it.
function drawLabel({text, className, width, place: {x, y}}) {
  return svg("g", {},
    svg("rect", {class: "label", x: x - width / 2, y: y - kLabelHeight / 2,
      width, height: kLabelHeight}),
    svg("text", {class: `label ${className}`, x, y: y + 4, "text-anchor": "middle"}, text));
}
