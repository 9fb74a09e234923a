// The tables of two models.

const data = JSON.parse(byId("data").textContent);

const formatNumber = (value) =>
  typeof value === "number" ? String(Number(value.toPrecision(4))) : value ?? "";
const formatShape = (shape) => shape.join(" x ");

// A row of cells, which are texts, numbers or elements.
function makeRow(tag, cells) {
  return element("tr", {}, ...cells.map((cell) => {
    const isNumber = typeof cell === "number";
    return element(tag, {className: isNumber ? "number" : "name"},
      isNumber ? formatNumber(cell) : cell);
  }));
}

function drawModels() {
  const of = (key) => [data.before[key], data.after[key]];
  byId("models").append(
    makeRow("th", ["", "first", "second"]),
    ...["file", "nodes", "components", "parameters", "multiply-adds per row"].map((key) => makeRow(
      "td", [key, ...of(key).map((value) =>
        typeof value === "number" ? formatCount(value) : value)])));
}

// The words of `text`, marked where `other` does not have them.
function markWords(text, other) {
  const words = new Set(other.split(" "));
  return text.split(" ").flatMap((word) =>
    [words.has(word) || !other ? word : element("mark", {}, word), " "]);
}

function drawItems(id, items) {
  const parent = byId(id);
  if (!items.length)
    parent.append(element("p", {className: "hint"}, "All are the same."));
  for (const {name, before, after} of items) {
    const item = element("div", {className: "item"}, element("b", {}, name));
    if (before)
      item.append(element("div", {className: "before"}, "- ", ...markWords(before, after)));
    if (after)
      item.append(element("div", {className: "after"}, "+ ", ...markWords(after, before)));
    parent.append(item);
  }
}

function makeBar(value, largest) {
  const bar = element("span", {className: "bar"});
  bar.style.width = `${largest > 0 && value > 0 ? Math.max(1, 120 * value / largest) : 0}px`;
  return bar;
}

// What a column sorts by.
const getOrder = (value) => typeof value === "number" ? value
  : value === undefined || value === "inf" ? Infinity : value;

// A table that is sorted by a click on a head; `columns` are [title, key, show].
function drawTable(id, rows, columns, sortedBy) {
  const table = byId(id);
  let shown = rows;
  const draw = (key, isAscending) => {
    shown = [...rows].sort((a, b) => {
      const [x, y] = [getOrder(a[key]), getOrder(b[key])];
      return (x < y ? -1 : x > y ? 1 : 0) * (isAscending ? 1 : -1);
    });
    const head = element("tr", {}, ...columns.map(([title, column]) => {
      const isNumber = title && typeof rows[0]?.[column] === "number";
      const cell = element("th", {className: isNumber ? "number" : ""}, title);
      cell.dataset.key = column;
      cell.addEventListener("click", () => draw(column, column === key && !isAscending));
      return cell;
    }));
    table.replaceChildren(head, ...shown.map((row) => {
      const made = makeRow("td", columns.map(([, column, show]) =>
        show ? show(row) : row[column]));
      made.className = row.change === 0 ? "same" : "";
      return made;
    }));
  };
  draw(sortedBy, false);
}

function drawTensors() {
  const largest = Math.max(0, ...data.tensors.map((t) => t.change).filter(Number.isFinite));
  drawTable("tensors", data.tensors, [
    ["component", "component"],
    ["tensor", "tensor", (t) => t.parameter ? t.tensor : `${t.tensor} (statistics)`],
    ["shape", "shapeBefore", (t) => t.change === undefined
      ? `${formatShape(t.shapeBefore)}, now ${formatShape(t.shapeAfter)}`
      : formatShape(t.shapeBefore)],
    ["norm", "normBefore"],
    ["norm of the second", "normAfter"],
    ["relative change", "change", (t) => t.change ?? "another shape"],
    ["", "change", (t) => makeBar(t.change, largest)],
    ["largest change", "largest", (t) => t.change ? `${t.largest}: ` +
      `${formatNumber(t.elementBefore)} to ${formatNumber(t.elementAfter)}` : ""],
  ], "change");
}

function drawOutput({rows, columns, rms, largest, argmax, utterances}) {
  byId("output-card").hidden = false;
  byId("output-summary").textContent =
    `${formatCount(utterances.length)} utterances, ${formatCount(rows)} rows of ${columns}: ` +
    `rms error / rms ${formatNumber(rms)}, largest difference ${formatNumber(largest)}, ` +
    `same largest column in ${formatNumber(100 * argmax)} % of the rows`;
  const worst = Math.max(0, ...utterances.map((u) => u.rms).filter(Number.isFinite));
  drawTable("utterances", utterances, [
    ["utterance", "key"],
    ["rows", "rows"],
    ["rms error / rms", "rms"],
    ["", "rms", (u) => makeBar(u.rms, worst)],
    ["largest difference", "largest"],
    ["same largest column, %", "argmax", (u) => 100 * u.argmax],
  ], "rms");
}

byId("title").textContent = document.title = `${data.before.file} and ${data.after.file}`;
drawModels();
drawItems("nodes", data.nodes);
drawItems("components", data.components);
drawTensors();
if (data.output)
  drawOutput(data.output);
