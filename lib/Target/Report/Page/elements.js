"use strict";
// Making elements, and texts in them. Names of models only ever become text
// nodes, never markup.

const byId = (id) => document.getElementById(id);

function element(tag, properties, ...children) {
  const made = document.createElement(tag);
  Object.assign(made, properties);
  made.append(...children);
  return made;
}

function svg(tag, attributes, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes))
    made.setAttribute(name, value);
  made.append(...children);
  return made;
}

function formatBytes(bytes) {
  for (const unit of ["B", "KiB", "MiB"]) {
    if (bytes < 1024)
      return `${Number(bytes.toPrecision(bytes < 1000 ? 3 : 4))} ${unit}`;
    bytes /= 1024;
  }
  return `${Number(bytes.toPrecision(4))} GiB`;
}

// Width in a drawing, whose fonts are those of the style.
const measureText = (() => {
  const context = document.createElement("canvas").getContext("2d");
  return (text, weight) => {
    context.font = `${weight} 11px system-ui, sans-serif`;
    return context.measureText(text).width;
  };
})();

// A count in a few characters: 12.3 M.
function formatMany(count) {
  for (const unit of ["", " k", " M", " G", " T"]) {
    if (count < 1000)
      return `${Number(count.toPrecision(3))}${unit}`;
    count /= 1000;
  }
  return `${Number(count.toPrecision(3))} P`;
}

const formatCount = (count) => count.toLocaleString("en-US");

// A round step between grid lines, such that there are at most `count` up to
// `end`.
function getGridStep(end, count, factors) {
  let step = 1;
  for (let i = 0; end / step > count; ++i)
    step *= factors[i % factors.length];
  return step;
}

const tip = {
  show(event, text) {
    const box = byId("tip");
    box.textContent = text;
    box.hidden = false;
    const x = event.clientX + 14, y = event.clientY + 14;
    box.style.left = `${Math.max(4, Math.min(x, innerWidth - box.offsetWidth - 8))}px`;
    box.style.top = y + box.offsetHeight > innerHeight
      ? `${Math.max(4, event.clientY - box.offsetHeight - 10)}px` : `${y}px`;
  },
  hide() {
    byId("tip").hidden = true;
  },
};
