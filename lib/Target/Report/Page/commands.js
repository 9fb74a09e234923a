// The list of the commands of one computation. Only the rows that can be seen
// are elements.

const kLineHeight = 20;

function makeRow(computation, number, marks, {onCommand}) {
  const command = computation.commands[number];
  const pass = command.backward ? "backward" : "forward";
  const row = element("div", {className: `row ${pass}`},
    element("span", {className: "number"}, String(number)),
    element("span", {className: "text", title: command.text}, command.text),
    element("span", {className: "products"},
      command.multiplyAdds ? formatMany(command.multiplyAdds) : ""),
    element("span", {className: "bytes"}, formatBytes(computation.live[number])));
  row.classList.toggle("plain", !command.subject);
  row.classList.toggle("chosen", number === marks.chosen);
  row.classList.toggle("touches", marks.touching.has(number));
  row.addEventListener("mouseenter", () => onCommand(number));
  return row;
}

// Shows the list in `holder`. `onCommand` is told at which command the pointer
// is. Returns what can be done with the list.
function showCommands(holder, title, computation, handlers) {
  const filler = element("div", {});
  const list = element("div", {className: "list", tabIndex: 0}, filler);
  const count = element("p", {className: "hint"});
  holder.replaceChildren(title, list, count);
  const marks = {chosen: -1, touching: new Set()};
  let shown = [];
  const draw = () => {
    const first = Math.max(0, Math.floor(list.scrollTop / kLineHeight) - 10);
    const end = Math.min(shown.length, first + Math.ceil(list.clientHeight / kLineHeight) + 20);
    const rows = shown.slice(first, end).map((number, i) => {
      const row = makeRow(computation, number, marks, handlers);
      row.style.top = `${(first + i) * kLineHeight}px`;
      return row;
    });
    list.replaceChildren(filler, ...rows);
  };
  const filter = (text) => {
    const wanted = text.trim().toLowerCase();
    shown = [];
    computation.commands.forEach((command, number) => {
      if (command.text.toLowerCase().includes(wanted))
        shown.push(number);
    });
    filler.style.height = `${shown.length * kLineHeight}px`;
    count.textContent = wanted
      ? `${formatCount(shown.length)} of ${formatCount(computation.commands.length)} operations`
      : `${formatCount(shown.length)} operations`;
    draw();
  };
  list.addEventListener("scroll", draw);
  list.addEventListener("mouseleave", () => handlers.onCommand(-1));
  filter("");
  return {
    filter,
    // Marks the commands that have to do with a matrix.
    touch(numbers) {
      marks.touching = new Set(numbers);
      draw();
    },
    // Scrolls to a command.
    choose(number) {
      marks.chosen = number;
      const place = shown.findIndex((other) => other >= number);
      if (place >= 0)
        list.scrollTop = place * kLineHeight - list.clientHeight / 2;
      draw();
    },
  };
}
