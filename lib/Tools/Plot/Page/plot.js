// The charts of a record. A record numbers its minibatches from 0; those of
// later records follow.

const data = JSON.parse(byId("data").textContent);

// The lines of all records with the number of minibatches behind each.
function collect() {
  const steps = [], components = [], validation = [];
  let begin = 0;
  for (const record of data.records) {
    let count = 0;
    for (const line of record) {
      if (line.objectives) {
        steps.push({at: begin + line.minibatch + 1, ...line});
        count = Math.max(count, line.minibatch + 1);
      } else if (line.components) {
        components.push({at: begin + line.minibatches, components: line.components});
      } else if (line.validation) {
        validation.push({at: begin + line.minibatches, outputs: line.validation});
      }
    }
    begin += count;
  }
  return {steps, components, validation};
}

// Per frame, with what is maximised beside it. A record has null for numbers
// that are not finite; charts leave them out.
const getObjective = ({value, auxiliary, weight}) =>
  value === null || auxiliary === null || weight === null ? NaN : (value + auxiliary) / weight;

// Means over windows of equal length.
function smooth(points, count) {
  const size = Math.max(1, Math.ceil(points.length / count));
  const means = [];
  for (let i = 0; i < points.length; i += size) {
    const part = points.slice(i, i + size).filter((point) => Number.isFinite(point[1]));
    if (!part.length)
      continue;
    const sum = part.reduce((total, p) => [total[0] + p[0], total[1] + p[1]], [0, 0]);
    means.push(sum.map((value) => value / part.length));
  }
  return means;
}

function drawObjective({steps, validation}) {
  const names = [...new Set(steps.flatMap((step) => Object.keys(step.objectives)))];
  const lines = [];
  names.forEach((name, index) => {
    const color = getColor(index);
    const points = steps.filter((step) => step.objectives[name])
      .map((step) => [step.at, getObjective(step.objectives[name])]);
    const dots = validation.filter((line) => line.outputs[name])
      .map((line) => [line.at, getObjective(line.outputs[name])]);
    lines.push({name, color, points, thin: true, hidden: true});
    lines.push({name, color, points: smooth(points, 100)});
    if (dots.length)
      lines.push({name: `${name}, validation`, color: getColor(index + 7), points: dots, dots: true});
  });
  drawChart(byId("objective"), lines, {width: 1320});
}

function drawLimits({steps}) {
  const of = (key) => steps.map((step) => [step.at, step.max_change[key]]);
  drawChart(byId("limits"), [
    {name: "all parameters", color: getColor(0), points: of("global")},
    {name: "smallest of a component", color: getColor(3), points: of("component")},
  ], {});
}

function drawComponents({components}, names) {
  const of = (get) => names.map((name, index) => ({
    name,
    color: getColor(index),
    points: components.filter((line) => line.components[name])
      .map((line) => [line.at, get(line.components[name])]),
  }));
  drawChart(byId("rates"), of((c) => c.learning_rate), {});
  drawChart(byId("changes"), of((c) => c.change === null || c.norm === null ? NaN : c.change / c.norm), {logarithmic: true});
  drawChart(byId("norms"), of((c) => c.norm), {logarithmic: true});
}

function drawSpectra({components}, name) {
  const lines = components.filter((line) => line.components[name]?.gradient_spectra);
  const count = Math.max(0, ...lines.map((line) => line.components[name].gradient_spectra.length));
  const panels = [];
  for (let i = 0; i < count; ++i) {
    const panel = element("div", {});
    const shown = lines.filter((line) => line.components[name].gradient_spectra[i]?.length);
    drawChart(panel, shown.map((line, index) => ({
      name: `after ${line.at}`,
      hidden: index > 0 && index < shown.length - 1,
      color: index === shown.length - 1 ? getColor(0)
        : `hsl(0 0% ${75 - 40 * index / shown.length}%)`,
      points: line.components[name].gradient_spectra[i].map((value, k) => [k + 1, value]),
    })), {logarithmic: true});
    panels.push(panel);
  }
  if (!count)
    panels.push(element("p", {className: "hint"}, "This component has no natural gradient."));
  byId("spectra").replaceChildren(...panels);
}

function drawAll() {
  const collected = collect();
  byId("title").textContent = document.title = data.title;
  const count = (condition) => collected.steps.filter(condition).length;
  const refused = count((step) => step.refused);
  const infinite = count((step) =>
    Object.values(step.objectives).some((sum) => sum.value === null));
  byId("summary").textContent = `${collected.steps.length} minibatches` +
    (refused ? `, ${refused} refused` : "") +
    (infinite ? `, ${infinite} with an objective that is not finite` : "");
  const names = [...new Set(collected.components.flatMap((line) => Object.keys(line.components)))];
  drawObjective(collected);
  drawLimits(collected);
  drawComponents(collected, names);
  const choice = byId("component");
  choice.append(...names.map((name) => element("option", {value: name}, name)));
  choice.addEventListener("change", () => drawSpectra(collected, choice.value));
  drawSpectra(collected, names[0]);
}

drawAll();
