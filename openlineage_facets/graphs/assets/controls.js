// Buttons, keys, pointer and printing.

/** Show only what the legend highlights or, if that is nothing, what is related to the selection. */
function showRelated() {
  const found = related();
  if (view.filter) show(numbersOf((isOverview() ? groups : entities).filter(isMatch)));
  else if (found) show(new Set([view.selected, ...found.up, ...found.down]));
}

const showAll = () => show(everything());

/** Show all groups or, if they are shown, all jobs and datasets. */
const switchGroups = () => show(numbersOf(isOverview() ? entities : groups));

function allColumns() {
  const on = byId("columns").getAttribute("aria-pressed") !== "true";
  expandAll(on);
  draw();
  frame();
}

function switchTheme() {
  const root = document.documentElement;
  root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark";
}

const showKeys = () => byId("keys").showModal();

const buttons = {
  related: showRelated,
  all: showAll,
  groups: switchGroups,
  list: showTable,
  columns: allColumns,
  fit,
  theme: switchTheme,
  help: showKeys,
};
for (const [id, action] of Object.entries(buttons)) byId(id).addEventListener("click", action);

/** Select the nearest visible neighbour in a direction. */
function step(key) {
  if (view.selected === null) {
    if (view.shown.size) choose([...view.shown][0]);
    return;
  }
  const placeOf = (number) => view.places.get(number);
  const own = placeOf(view.selected);
  const node = nodes[view.selected];
  const candidates =
    { ArrowLeft: node.sources, ArrowRight: node.targets }[key] ??
    [...view.shown].filter((number) => {
      const { x, y } = placeOf(number);
      return x === own.x && (key === "ArrowUp" ? y < own.y : y > own.y);
    });
  const distance = (number) => Math.abs(placeOf(number).y - own.y);
  const nearest = candidates
    .filter((number) => view.shown.has(number))
    .sort((a, b) => distance(a) - distance(b))[0];
  if (nearest !== undefined) choose(nearest);
}

const keys = {
  "/": () => search.focus(),
  r: showRelated,
  a: showAll,
  g: switchGroups,
  l: showTable,
  c: allColumns,
  f: fit,
  t: switchTheme,
  "?": showKeys,
  "+": () => zoom(1.25),
  "=": () => zoom(1.25),
  "-": () => zoom(0.8),
  Escape: () => (byId("table").hidden ? choose(null) : closeTable()),
  Enter: () => {
    if (view.selected !== null) unfold(view.selected);
  },
  x: () => {
    if (view.selected === null) return;
    showMore(view.selected, "sources");
    showMore(view.selected, "targets");
  },
};

document.addEventListener("keydown", (event) => {
  const target = event.target;
  if (event.ctrlKey || event.metaKey || event.altKey || target.closest("dialog, input")) return;
  if (event.key.startsWith("Arrow")) {
    if (target.closest("#panel, #table")) return;
    event.preventDefault();
    step(event.key);
  } else if (Object.hasOwn(keys, event.key)) {
    if (event.key === "Enter" && target.closest("button, a, summary")) return;
    event.preventDefault();
    keys[event.key]();
  }
});

let drag = null;
canvas.addEventListener("pointerdown", (event) => {
  if (event.button !== 0 || !event.isPrimary) return;
  drag = { x: event.clientX, y: event.clientY, moved: false };
});
addEventListener("pointermove", (event) => {
  // Context menus swallow the end of a drag.
  if (!(event.buttons & 1)) drag = null;
  if (!drag || !event.isPrimary) return;
  const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y];
  if (!drag.moved && Math.hypot(dx, dy) < 4) return;
  drag = { x: event.clientX, y: event.clientY, moved: true };
  cancelAnimationFrame(flight);
  view.fitted = false;
  view.x += dx;
  view.y += dy;
  move();
});
addEventListener("pointercancel", () => {
  drag = null;
});
addEventListener("pointerup", (event) => {
  const clicked = drag && !drag.moved && canvas.contains(event.target);
  drag = null;
  if (clicked) click(event.target);
});

function click(target) {
  const more = target.closest("[data-more]");
  const node = target.closest("[data-node]");
  if (more) {
    const [number, side] = more.dataset.more.split("/");
    showMore(Number(number), side);
  } else if (!node) choose(null);
  else if (target.closest("[data-fold]")) unfold(Number(node.dataset.node));
  else choose(Number(node.dataset.node), Number(target.closest("[data-column]")?.dataset.column ?? -1));
}

canvas.addEventListener(
  "wheel",
  (event) => {
    event.preventDefault();
    const { left, top } = canvas.getBoundingClientRect();
    zoom(
      Math.exp(-event.deltaY * (event.deltaMode ? 0.03 : 0.0015)),
      event.clientX - left,
      event.clientY - top,
    );
  },
  { passive: false },
);

addEventListener("hashchange", selectFromAddress);
addEventListener("resize", () => {
  if (view.fitted) fit();
});
addEventListener("beforeprint", () => {
  const { x, y, width, height } = boundsOf(view.places);
  canvas.setAttribute("viewBox", `${x - 45} ${y - 10} ${width + 90} ${height + 20}`);
  world.removeAttribute("transform");
});
addEventListener("afterprint", () => {
  canvas.removeAttribute("viewBox");
  move();
});

fillLegend();
start();
