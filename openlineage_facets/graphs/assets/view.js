// What is visible and selected, how that is drawn, and the address.

const FEW_NODES = 150;
const NODES_AT_START = 40;
const READABLE = 0.6;
const NEIGHBOURS_AT_ONCE = 40;
const canvas = document.getElementById("canvas");
const panel = document.getElementById("panel");
const byId = (id) => document.getElementById(id);

const view = {
  shown: new Set(),
  expanded: new Set(),
  selected: null,
  column: -1,
  places: new Map(),
  ways: [],
  x: 0,
  y: 0,
  scale: 1,
  fitted: true, // Until the user moves or zooms.
};
let world = null;

function start() {
  byId("title").textContent = document.title;
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  const focus = data.focus.length ? data.focus : [mostConnected()];
  if (nodes.length <= FEW_NODES) view.shown = new Set(nodes.keys());
  else focus.forEach((number) => reveal(number, 2, NODES_AT_START));
  if (data.showColumns) expandAll(true);
  if (!selectFromAddress()) {
    draw();
    fit();
    if (data.focus.length) choose(data.focus[0]);
  }
  // A readable part says more than all of it too small to read. The button and the key f show all.
  if (view.scale < READABLE) zoomTo(view.selected ?? focus[0]);
}

function mostConnected() {
  let best = 0;
  for (const node of nodes) {
    const links = node.sources.length + node.targets.length;
    if (links > nodes[best].sources.length + nodes[best].targets.length) best = node.number;
  }
  return best;
}

/** Show a node and those at most `steps` links away, up to `most` nodes. */
function reveal(start, steps, most) {
  const added = new Set([start]);
  let latest = [start];
  for (let step = 0; step < steps; step += 1) {
    const next = [];
    for (const number of latest) {
      for (const other of [...nodes[number].sources, ...nodes[number].targets]) {
        if (added.size < most && !added.has(other)) {
          added.add(other);
          next.push(other);
        }
      }
    }
    latest = next;
  }
  added.forEach((number) => view.shown.add(number));
}

function expand(number, on) {
  if (on && nodes[number].columns.length) view.expanded.add(number);
  else view.expanded.delete(number);
}

function expandAll(on) {
  byId("columns").setAttribute("aria-pressed", String(on));
  view.shown.forEach((number) => expand(number, on));
}

/** Return what is upstream and downstream of the selection: nodes, and columns as ends. */
function related() {
  if (view.selected === null) return null;
  const [number, column] = [view.selected, view.column];
  if (column < 0) return { up: upstreamOf(number), down: downstreamOf(number), upEnds: null, downEnds: null };
  const upEnds = columnsUpstreamOf(number, column);
  const downEnds = columnsDownstreamOf(number, column);
  const up = datasetsAndJobs(upEnds, number, true);
  const down = datasetsAndJobs(downEnds, number, false);
  return { up, down, upEnds, downEnds };
}

/** Return the datasets of columns, and the jobs between them and the selected dataset. */
function datasetsAndJobs(ends, selected, isUpstream) {
  const found = new Set([...ends].map((end) => partsOf(end)[0]));
  const all = new Set([...found, selected]);
  for (const number of [...found]) {
    const jobs = isUpstream ? nodes[number].targets : nodes[number].sources;
    for (const job of jobs) {
      const others = isUpstream ? nodes[job].targets : nodes[job].sources;
      if (nodes[job].kind === "job" && others.some((other) => all.has(other))) found.add(job);
    }
  }
  found.delete(selected);
  return found;
}

function draw() {
  view.ways = waysOf(view.shown, view.expanded);
  view.places = placed(view.shown, view.expanded, view.ways);
  world = svg("g", {});
  drawLinks();
  for (const [number, place] of view.places) {
    if (place.isPoint) continue;
    const node = nodes[number];
    world.append(drawnNode(node, place, view));
    for (const side of ["sources", "targets"]) {
      const hidden = node[side].filter((other) => !view.shown.has(other)).length;
      if (hidden) world.append(drawnHandle(node, place, side, hidden));
    }
  }
  canvas.replaceChildren(world);
  mark();
  move();
  const total = nodes.length.toLocaleString("en");
  byId("count").textContent =
    view.shown.size === nodes.length
      ? `${total} shown`
      : `${view.shown.size.toLocaleString("en")} of ${total} shown`;
  byId("all").disabled = view.shown.size === nodes.length;
}

function drawLinks() {
  const found = related();
  const isUp = (number) => found.up.has(number);
  const isDown = (number) => found.down.has(number);
  const look = (source, target) => {
    if (!found) return "other";
    if (isUp(source) && (isUp(target) || target === view.selected)) return "up";
    if (isDown(target) && (isDown(source) || source === view.selected)) return "down";
    return "other";
  };
  const columnLook = (source, sourceColumn, target, targetColumn) => {
    if (!found) return "other";
    if (!found.upEnds) return look(source, target);
    const own = endOf(view.selected, view.column);
    // A link of a whole dataset is one of each of its columns.
    const reaches = (ends, numbers, number, column) =>
      ends.has(endOf(number, column)) ||
      endOf(number, column) === own ||
      (column < 0 && (numbers.has(number) || number === view.selected));
    if (
      found.upEnds.has(endOf(source, sourceColumn)) &&
      reaches(found.upEnds, found.up, target, targetColumn)
    )
      return "up";
    if (
      found.downEnds.has(endOf(target, targetColumn)) &&
      reaches(found.downEnds, found.down, source, sourceColumn)
    )
      return "down";
    return "other";
  };
  const links = drawnLinks(view.ways, view.places, look, columnLook);
  const old = world.querySelector(".links");
  if (old) old.replaceWith(links);
  else world.prepend(links);
}

/** Mark what is selected and related to it. */
function mark() {
  const found = related();
  canvas.classList.toggle("related", found !== null);
  for (const element of world.querySelectorAll(".node")) {
    const number = Number(element.dataset.node);
    element.classList.toggle("chosen", number === view.selected);
    element.classList.toggle("up", Boolean(found?.up.has(number)));
    element.classList.toggle("down", Boolean(found?.down.has(number)));
    for (const row of element.querySelectorAll(".column")) {
      const end = endOf(number, row.dataset.column);
      const isUp = Boolean(found?.upEnds?.has(end));
      const isDown = Boolean(found?.downEnds?.has(end));
      row.classList.toggle("up", isUp);
      row.classList.toggle("down", isDown);
      row.classList.toggle("chosen", number === view.selected && Number(row.dataset.column) === view.column);
      row.classList.toggle("reached", isUp || isDown);
    }
  }
  byId("related").disabled = found === null;
}

/** Select a node or column, show it if it is hidden, and put it into the address. */
function choose(number, column = -1) {
  [view.selected, view.column] = number === null ? [null, -1] : [number, column];
  const hadPanel = !panel.hidden;
  if (number === null) {
    panel.hidden = true;
    if (hadPanel && view.fitted) fit();
    drawLinks();
    mark();
    setAddress();
    return;
  }
  let changed = !world;
  if (!view.shown.has(number)) {
    if (view.shown.size > FEW_NODES) view.shown.clear();
    reveal(number, 2, NODES_AT_START);
    changed = true;
  }
  if (column >= 0) {
    const ends = [
      endOf(number, column),
      ...columnsUpstreamOf(number, column),
      ...columnsDownstreamOf(number, column),
    ];
    const numbers = new Set(
      ends
        .map(partsOf)
        .filter(([, row]) => row >= 0)
        .map(([other]) => other),
    );
    for (const other of [...numbers].slice(0, FEW_NODES)) {
      if (!view.expanded.has(other) && view.shown.has(other)) {
        expand(other, true);
        changed = true;
      }
    }
  }
  fillPanel(panel, nodes[number], column, choose);
  if (changed) redraw(number);
  else {
    drawLinks();
    mark();
  }
  if (!hadPanel && view.fitted) fit();
  bringIntoView(number);
  setAddress();
}

/** Draw again and keep a node where it is on the screen. */
function redraw(anchor = view.selected) {
  const before = view.places.get(anchor);
  draw();
  const after = view.places.get(anchor);
  if (before && after) {
    view.x += (before.x - after.x) * view.scale;
    view.y += (before.y - after.y) * view.scale;
    view.fitted = false;
    move();
  } else fit();
}

function move() {
  world.setAttribute("transform", `translate(${view.x} ${view.y}) scale(${view.scale})`);
}

function fit() {
  if (!view.places.size) return;
  const bounds = boundsOf(view.places);
  const { width, height } = canvas.getBoundingClientRect();
  const margin = 50;
  const scale = Math.min((width - 2 * margin) / bounds.width, (height - 2 * margin) / bounds.height, 1.15);
  // A tall graph is readable at its beginning rather than tiny as a whole.
  view.scale = Math.max(scale, Math.min(0.5, (width - 2 * margin) / bounds.width), 0.02);
  view.x = (width - bounds.width * view.scale) / 2 - bounds.x * view.scale;
  const spare = height - bounds.height * view.scale;
  const chosen = view.places.get(view.selected);
  if (spare > 0) view.y = spare / 2 - bounds.y * view.scale;
  else view.y = chosen ? height / 2 - chosen.y * view.scale : margin - bounds.y * view.scale;
  view.fitted = true;
  move();
}

function bringIntoView(number) {
  const place = view.places.get(number);
  const { width, height } = canvas.getBoundingClientRect();
  const [left, top] = [place.x * view.scale + view.x, place.y * view.scale + view.y];
  const margin = 24;
  const inside =
    left >= margin &&
    left + WIDTH * view.scale <= width - margin &&
    top >= margin &&
    top + HEAD * view.scale <= height - margin;
  if (inside) return;
  view.fitted = false;
  view.x = width / 2 - (place.x + WIDTH / 2) * view.scale;
  view.y = height / 2 - (place.y + HEAD / 2) * view.scale;
  move();
}

function zoom(factor, x, y) {
  const { width, height } = canvas.getBoundingClientRect();
  [x, y] = [x ?? width / 2, y ?? height / 2];
  const scale = Math.min(Math.max(view.scale * factor, 0.02), 4);
  view.x = x - (x - view.x) * (scale / view.scale);
  view.y = y - (y - view.y) * (scale / view.scale);
  view.scale = scale;
  view.fitted = false;
  move();
}

function showMore(number, side) {
  const hidden = nodes[number][side].filter((other) => !view.shown.has(other));
  hidden.slice(0, NEIGHBOURS_AT_ONCE).forEach((other) => view.shown.add(other));
  redraw(number);
}

function toggleColumns(number) {
  expand(number, !view.expanded.has(number));
  redraw(number);
}

// Deep links: #dataset=NAME&namespace=NAMESPACE&column=NAME

function setAddress() {
  const parts = new URLSearchParams();
  if (view.selected !== null) {
    const node = nodes[view.selected];
    parts.set(node.kind, node.name);
    parts.set("namespace", node.namespace);
    if (view.column >= 0) parts.set("column", node.columns[view.column][0]);
  }
  const address = `#${parts}`;
  if (address !== location.hash) history.replaceState(null, "", address);
}

function selectFromAddress() {
  const parts = new URLSearchParams(location.hash.slice(1));
  const kind = parts.has("job") ? "job" : "dataset";
  const node = nodes.find(
    (one) =>
      one.kind === kind &&
      one.name === parts.get(kind) &&
      (!parts.has("namespace") || one.namespace === parts.get("namespace")),
  );
  if (!node) return false;
  choose(
    node.number,
    node.columns.findIndex(([name]) => name === parts.get("column")),
  );
  fit();
  return true;
}
