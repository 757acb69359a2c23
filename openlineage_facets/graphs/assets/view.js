// What is visible and selected, how that is drawn, and the address.

const FEW_NODES = 150;
const NODES_AT_START = 40;
const NEIGHBOURS_AT_ONCE = 40;
const canvas = document.getElementById("canvas");
const panel = document.getElementById("panel");
const byId = (id) => document.getElementById(id);

const view = {
  shown: new Set(),
  expanded: new Set(),
  filter: null, // A function from a node to whether it is highlighted.
  selected: null,
  column: -1,
  missing: null, // A name in the address that is not in the graph.
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
  if (data.focus.length && entities.length > FEW_NODES) {
    data.focus.forEach(reveal);
  } else view.shown = everything();
  if (data.showColumns) expandAll(true);
  if (selectFromAddress()) return;
  show(view.shown);
  if (data.focus.length && view.missing === null) {
    choose(data.focus[0]);
    frame();
  }
}

/** Show some nodes. A selection that is not among them is cleared. */
function show(numbers) {
  view.shown = numbers;
  if (view.selected !== null && !numbers.has(view.selected)) clearSelection();
  draw();
  frame();
}

/** Return all jobs and datasets or, if they are too many to see, all groups. */
function everything() {
  const isLarge = entities.length > FEW_NODES && groups.length > 1;
  return numbersOf(isLarge ? groups : entities);
}

const numbersOf = (some) => new Set(some.map((node) => node.number));
const isOverview = () => [...view.shown].some((number) => nodes[number].kind === "group");

/** Show a node and what is upstream and downstream of it: the nearest nodes if they are many. */
function reveal(start) {
  const waiting = { sources: upstreamOf(start), targets: downstreamOf(start) };
  const added = new Set([start]);
  let latest = Object.keys(waiting).map((side) => [start, side]);
  while (latest.length) {
    const next = [];
    for (const [number, side] of latest) {
      for (const other of nodes[number][side]) {
        if (!added.has(other) && added.size >= NODES_AT_START) continue;
        if (!waiting[side].delete(other)) continue;
        added.add(other);
        next.push([other, side]);
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

function draw(found = related()) {
  cancelAnimationFrame(flight);
  view.ways = waysOf(view);
  view.places = placed(view.shown, view.expanded, view.ways);
  world = svg("g", {});
  for (const number of view.shown) {
    const [node, place] = [nodes[number], view.places.get(number)];
    world.append(drawnNode(node, place, view.expanded.has(number)));
    for (const side of ["sources", "targets"]) {
      const hidden = node[side].filter((other) => !view.shown.has(other)).length;
      if (hidden) world.append(drawnHandle(node, place, side, hidden));
    }
  }
  canvas.replaceChildren(world);
  mark(found);
  drawMap();
  move();
  byId("all").disabled = [...everything()].every((number) => view.shown.has(number));
  byId("groups").disabled = groups.length < 2;
  byId("groups").setAttribute("aria-pressed", String(isOverview()));
  if (!byId("table").hidden) fillTable();
}

function drawLinks(found) {
  const isUp = (number) => found.up.has(number);
  const isDown = (number) => found.down.has(number);
  const look = ({ source, target }) => {
    if (isUp(source) && (isUp(target) || target === view.selected)) return "up";
    if (isDown(target) && (isDown(source) || source === view.selected)) return "down";
    return "other";
  };
  const columnLook = ({ source, column: sourceColumn, target, targetColumn }) => {
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
  const links = drawnLinks(view.ways, view.places, (way) => {
    if (!found) return "other";
    return way.isOfColumns && found.upEnds ? columnLook(way) : look(way);
  });
  const old = world.querySelector(".links");
  if (old) old.replaceWith(links);
  else world.prepend(links);
}

/** Mark what is selected and what is `found` to be related to it, and what the legend filters. */
function mark(found = related()) {
  drawLinks(found);
  showCount();
  canvas.classList.toggle("related", found !== null);
  canvas.classList.toggle("filtered", view.filter !== null);
  canvas.setAttribute("aria-activedescendant", view.selected === null ? "" : `node-${view.selected}`);
  for (const element of world.querySelectorAll(".node")) {
    const number = Number(element.dataset.node);
    element.classList.toggle("chosen", number === view.selected);
    element.classList.toggle("up", Boolean(found?.up.has(number)));
    element.classList.toggle("down", Boolean(found?.down.has(number)));
    element.classList.toggle("match", isMatch(nodes[number]));
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
  byId("related").disabled = found === null && view.filter === null;
}

/** Say how much is shown, and what the address names in vain. */
function showCount() {
  const members = [...view.shown].flatMap((number) => membersOf(nodes[number]));
  const matches = view.filter ? members.filter(view.filter) : members;
  const [part, total] = [matches, entities].map((some) => some.length.toLocaleString("en"));
  const count = `${part === total ? "" : `${part} of `}${total} ${view.filter ? "match" : "shown"}`;
  const texts = [isOverview() ? `${count} in ${counted(view.shown.size, "group")}` : count];
  if (view.missing !== null) texts.push(`not in this graph: ${shortName(view.missing)}`);
  byId("count").textContent = texts.join("; ");
}

/** Whether the legend highlights a node, or a member of a group. */
const isMatch = (node) => view.filter !== null && membersOf(node).some(view.filter);

function clearSelection() {
  [view.selected, view.column] = [null, -1];
  keepFocus(panel);
  panel.hidden = true;
  setAddress();
}

/** Move the focus to the graph if it is in an element that is about to be hidden or filled again. */
function keepFocus(element) {
  if (element.contains(document.activeElement)) canvas.focus({ preventScroll: true });
}

/** Select a node or column, show it if it is hidden, and put it into the address. */
function choose(number, column = -1) {
  view.missing = null;
  if (number === null) {
    clearSelection();
    mark();
    return;
  }
  [view.selected, view.column] = [number, column];
  const found = related();
  let changed = !world;
  if (!view.shown.has(number)) {
    if (nodes[number].kind === "group") view.shown = numbersOf(groups);
    else {
      if (view.shown.size > FEW_NODES || isOverview()) view.shown.clear();
      reveal(number);
    }
    changed = true;
  }
  if (column >= 0) {
    const ends = [endOf(number, column), ...found.upEnds, ...found.downEnds];
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
  fillPanel(nodes[number], column);
  if (changed) redraw(number, found);
  else mark(found);
  bringIntoView(number); // The panel may cover it. The zoom stays as it is.
  setAddress();
}

/** Draw again and keep a node where it is on the screen. */
function redraw(anchor, found) {
  const before = view.places.get(anchor);
  draw(found);
  const after = view.places.get(anchor);
  if (before && after) {
    view.x += (before.x - after.x) * view.scale;
    view.y += (before.y - after.y) * view.scale;
    view.fitted = false;
    move();
  } else fit();
}

function showMore(number, side) {
  const hidden = nodes[number][side].filter((other) => !view.shown.has(other));
  hidden.slice(0, NEIGHBOURS_AT_ONCE).forEach((other) => view.shown.add(other));
  redraw(number);
}

/** Show what is in a group, with the neighbours if they are few. */
function openGroup(number) {
  const members = new Set(nodes[number].members);
  const neighbours = [...members].flatMap((member) => [...nodes[member].sources, ...nodes[member].targets]);
  const both = new Set([...members, ...neighbours]);
  show(both.size > FEW_NODES ? members : both);
}

/** Show or hide the other members of a node's group. */
function toggleGroup(node, on) {
  for (const member of nodes[node.group].members) {
    if (on) view.shown.add(member);
    else if (member !== node.number) view.shown.delete(member);
  }
  redraw(node.number);
}

/** Show or hide the columns of a dataset, or open a group. */
function unfold(number) {
  if (nodes[number].kind === "group") return openGroup(number);
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
  if (address !== (location.hash || "#")) history.replaceState(null, "", address);
}

/** Select what the address names, and return whether it is in the graph. */
function selectFromAddress() {
  const parts = new URLSearchParams(location.hash.slice(1));
  const kind = ["job", "group"].find((name) => parts.has(name)) ?? "dataset";
  const node = nodes.find(
    (one) =>
      one.kind === kind &&
      one.name === parts.get(kind) &&
      (!parts.has("namespace") || one.namespace === parts.get("namespace")),
  );
  const column = node ? node.columns.findIndex(([name]) => name === parts.get("column")) : -1;
  if (node) {
    choose(node.number, column);
    frame();
  } else if (world) choose(null);
  const name = node ? "column" : kind;
  view.missing = column < 0 ? parts.get(name) : null;
  showCount();
  return Boolean(node);
}
