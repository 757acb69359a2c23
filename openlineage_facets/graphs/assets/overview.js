// A map of large graphs, a legend that filters, and a table with the same content.

const map = byId("map");
const mapFrame = svg("rect", { class: "frame" });

function drawMap() {
  const { width, height } = boundsOf(view.places);
  const boxes = [...view.places.values()].filter((box) => isNode(box.item));
  const shapes = new Map();
  for (const box of boxes) {
    append(shapes, nodes[box.item].color, `M${box.x} ${box.y}h${WIDTH}v${box.height}h${-WIDTH}z`);
  }
  const paths = [...shapes].map(([color, parts]) =>
    svg("path", { class: `group group${color}`, d: parts.join("") }),
  );
  map.setAttribute("viewBox", `0 0 ${width} ${height}`);
  map.replaceChildren(...paths, mapFrame);
}

/** Show which part of the graph is visible, and hide the map if all of it is. */
function moveMap() {
  const bounds = boundsOf(view.places);
  const { width, height } = canvas.getBoundingClientRect();
  const frame = { x: -view.x / view.scale, y: -view.y / view.scale };
  Object.assign(frame, { width: width / view.scale, height: height / view.scale });
  for (const [name, value] of Object.entries(frame)) mapFrame.setAttribute(name, value);
  const isAll =
    frame.x <= 0 &&
    frame.y <= 0 &&
    frame.x + frame.width >= bounds.width &&
    frame.y + frame.height >= bounds.height;
  map.toggleAttribute("hidden", isAll);
}

function followMap(event) {
  if (!(event.buttons & 1)) return;
  const { a, e, f } = map.getScreenCTM();
  const { width, height } = canvas.getBoundingClientRect();
  cancelAnimationFrame(flight);
  view.fitted = false;
  view.x = width / 2 - ((event.clientX - e) / a) * view.scale;
  view.y = height / 2 - ((event.clientY - f) / a) * view.scale;
  move();
}
map.addEventListener("pointerdown", followMap);
map.addEventListener("pointermove", followMap);

/** Fill the legend: each entry highlights what it stands for. */
function fillLegend() {
  const namespaces = new Map();
  for (const node of entities) append(namespaces, node.color, node.namespace);
  const ofColors = [...namespaces]
    .sort(([a], [b]) => a - b)
    .map(([color, names]) => {
      const name = new Set(names).size > 1 ? "other namespaces" : names[0];
      return [`group${color}`, name, (node) => node.color === color];
    });
  const hasStatus = (status) => (node) => node.status === status;
  const hasChange = (change) => (node) => node.change === change;
  const parts = {
    Kinds: ["dataset", "job"].map((kind) => [kind, kind, (node) => node.kind === kind]),
    States: [
      ["good", "complete", hasStatus("good")],
      ["bad", "failed", hasStatus("bad")],
      ["busy", "running", hasStatus("busy")],
      ["stateless", "no state", hasStatus("none")],
    ],
    Changes: ["added", "removed", "changed"].map((change) => [change, change, hasChange(change)]),
    Namespaces: ofColors,
  };
  for (const [title, entries] of Object.entries(parts)) {
    const found = entries.filter(([, , isOne]) => entities.some(isOne));
    if (found.length) byId("legend").append(html("span", { class: "part" }, title), ...found.map(legendKey));
  }
}

/** Return an entry of the legend. */
function legendKey([look, name, isOne]) {
  const press = () => {
    view.filter = view.filter === isOne ? null : isOne;
    for (const key of byId("legend").querySelectorAll("button"))
      key.setAttribute("aria-pressed", String(key === entry && view.filter !== null));
    mark();
  };
  const entry = html(
    "button",
    { type: "button", class: `key ${look}`, "aria-pressed": "false", title: visible(name), click: press },
    shortName(name),
  );
  return entry;
}

const stateText = (node) => [node.run?.state, node.run?.duration ?? node.detail].filter(Boolean).join(DOT);
const shortName = (name) => (name.length > 26 ? `${visible(name).slice(0, 25)}\u2026` : visible(name));

/** Fill the table with what is shown. */
function fillTable() {
  const links = (numbers) => numbers.slice(0, 5).map((number) => html("div", {}, selection(nodes[number])));
  const more = (numbers) => (numbers.length > 5 ? `and ${numbers.length - 5} more` : null);
  const header = ["Name", "Kind", "Namespace", "State", "Tags", "Upstream", "Downstream", "Columns"];
  const columnText = ([name, type]) => (type ? `${name} ${type}` : name);
  const rows = [...view.shown].map((number) => {
    const node = nodes[number];
    return html(
      "tr",
      {},
      html("td", {}, selection(node, -1, visible(node.name))),
      ...[node.kind, node.namespace, stateText(node)].map((text) => html("td", {}, visible(text))),
      html("td", {}, tagsText(node.tags)),
      ...[node.sources, node.targets].map((numbers) => html("td", {}, links(numbers), more(numbers))),
      html("td", { class: "columns" }, visible(node.columns.map(columnText).join(", "))),
    );
  });
  const head = html(
    "tr",
    {},
    header.map((name) => html("th", { scope: "col" }, name)),
  );
  byId("table").replaceChildren(
    html("table", {}, html("caption", {}, document.title), html("thead", {}, head), html("tbody", {}, rows)),
  );
}

function showTable() {
  const isOpen = !byId("table").hidden;
  if (isOpen) return closeTable();
  byId("table").hidden = false;
  byId("list").setAttribute("aria-pressed", "true");
  fillTable();
  byId("table").focus();
}

function closeTable() {
  keepFocus(byId("table"));
  byId("table").hidden = true;
  byId("list").setAttribute("aria-pressed", "false");
}
