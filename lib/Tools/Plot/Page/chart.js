// A chart of lines.

const formatNumber = (value) => String(Number(value.toPrecision(4)));

// Colours that stay apart for any number of lines.
const getColor = (index) => `hsl(${(index * 137.5 + 212) % 360} 62% 50%)`;

// Round values between two others.
function getTicks(low, high, count) {
  const rough = (high - low) / count || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].find((factor) => factor * power >= rough) * power;
  const ticks = [];
  for (let i = Math.ceil(low / step); i * step <= high * (1 + 1e-12); ++i)
    ticks.push(i * step);
  return ticks;
}

// Round values between two others on a logarithmic axis, given by exponents.
function getLogTicks(low, high) {
  const factors = high - low > 3 ? [1] : [1, 2, 5];
  const ticks = [];
  for (let power = Math.floor(low); power <= high; ++power)
    for (const factor of factors)
      ticks.push(factor * 10 ** power);
  return ticks;
}

// What a value is on the axis.
function makeScale(values, length, isLogarithmic) {
  const usable = values.filter((v) => Number.isFinite(v) && (!isLogarithmic || v > 0));
  const transform = isLogarithmic ? Math.log10 : (v) => v;
  let low = Infinity, high = -Infinity;
  for (const value of usable) {
    low = Math.min(low, transform(value));
    high = Math.max(high, transform(value));
  }
  if (!usable.length)
    [low, high] = [0, 1];
  const margin = low < high ? 0 : isLogarithmic ? 0.5 : Math.abs(low) / 2 || 1;
  [low, high] = [low - margin, high + margin];
  const place = (v) => (transform(v) - low) / (high - low) * length;
  const ticks = isLogarithmic ? getLogTicks(low, high) : getTicks(low, high, 5);
  return {place, ticks: ticks.filter((t) => place(t) >= -1 && place(t) <= length + 1)};
}

function showTip(event, text) {
  const tip = byId("tip");
  tip.hidden = !text;
  tip.textContent = text;
  tip.style.left = `${Math.min(event.clientX + 12, innerWidth - 260)}px`;
  tip.style.top = `${event.clientY + 14}px`;
}

// Draws `lines` ({name, color, points: [[x, y], ...], thin, dots}) in `parent`.
function drawChart(parent, lines, options) {
  const width = options.width ?? 640, height = 260;
  const left = 58, bottom = 24, top = 6, right = 8;
  const all = lines.flatMap((line) => line.points);
  const x = makeScale(all.map((p) => p[0]), width - left - right, false);
  const y = makeScale(all.map((p) => p[1]), height - top - bottom, options.logarithmic);
  const toX = (v) => left + x.place(v), toY = (v) => height - bottom - y.place(v);
  const drawing = svg("svg", {viewBox: `0 0 ${width} ${height}`, role: "img"});
  for (const tick of y.ticks)
    drawing.append(
      svg("line", {class: "grid", x1: left, x2: width - right, y1: toY(tick), y2: toY(tick)}),
      svg("text", {x: left - 6, y: toY(tick) + 4, "text-anchor": "end"}, formatNumber(tick)));
  for (const tick of x.ticks)
    drawing.append(svg("text", {x: toX(tick), y: height - 6, "text-anchor": "middle"}, formatNumber(tick)));
  for (const line of lines) {
    const points = line.points.filter(
      (p) => Number.isFinite(p[1]) && (!options.logarithmic || p[1] > 0));
    if (line.dots) {
      for (const [px, py] of points)
        drawing.append(svg("circle", {cx: toX(px), cy: toY(py), r: 3, fill: line.color}));
    } else {
      const d = points.map((p, i) => `${i ? "L" : "M"}${toX(p[0]).toFixed(1)} ${toY(p[1]).toFixed(1)}`);
      drawing.append(svg("path", {d: d.join(""), stroke: line.color, class: line.thin ? "thin" : ""}));
    }
  }
  drawing.addEventListener("mousemove", (event) => {
    const box = drawing.getBoundingClientRect();
    const px = (event.clientX - box.left) / box.width * width;
    const py = (event.clientY - box.top) / box.height * height;
    let best = null, distance = 400;
    for (const line of lines)
      for (const [vx, vy] of line.points) {
        if (!Number.isFinite(vy))
          continue;
        const d = (toX(vx) - px) ** 2 + (toY(vy) - py) ** 2;
        if (d < distance)
          [best, distance] = [`${line.name}: ${formatNumber(vy)} at ${formatNumber(vx)}`, d];
      }
    showTip(event, best ?? "");
  });
  drawing.addEventListener("mouseleave", (event) => showTip(event, ""));
  const named = lines.filter((line) => line.name && !line.hidden);
  const legend = element("div", {className: "legend"});
  for (const line of named) {
    const mark = element("i", {});
    mark.style.background = line.color;
    legend.append(element("span", {}, mark, line.name));
  }
  parent.replaceChildren(drawing, legend);
}
