// Draws the visible nodes and links as SVG, as in svg.py. Names are only ever text nodes.

const SVG = "http://www.w3.org/2000/svg";

function svg(name, attributes, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children.filter((child) => child !== null));
  return element;
}

/**
 * Draw the links. All links with the same look are one path, since thousands of paths would be slow.
 * `look(way)` returns "up", "down" or "other".
 */
function drawnLinks(ways, boxes, look) {
  const paths = new Map();
  for (const way of ways) {
    append(paths, look(way) + (way.isOfColumns ? " column" : "") + markOf(way), pathOf(way, boxes));
  }
  const group = svg("g", { class: "links" });
  const looks = ["other", "other column", "up", "up column", "down", "down column"];
  const order = looks.flatMap((one) => ["", " changed", " removed", " added"].map((mark) => one + mark));
  for (const kind of order) {
    if (paths.has(kind)) group.append(svg("path", { class: kind, d: paths.get(kind).join("") }));
  }
  return group;
}

/** Return the class of a link that was added, removed or changed, "" of others. */
function markOf(way) {
  const ends = way.isOfColumns
    ? [way.source, way.column, way.target, way.targetColumn]
    : [way.source, way.target];
  const mark = data.marks.links[ends.join("/")];
  return mark ? ` ${mark}` : "";
}

/** Draw a node. Groups look like a stack of cards. */
function drawnNode(node, place, expanded) {
  const { status, title, detail, side, kind } = node;
  const group = svg("g", {
    class: `node ${kind} ${status === "bad" && kind !== "group" ? "bad" : ""} group${node.color} ${node.change ?? ""}`,
    transform: `translate(${place.x} ${place.y})`,
    "data-node": node.number,
    id: `node-${node.number}`,
    role: "button",
    "aria-label": visible(ariaLabel(node)),
  });
  const rx = kind === "job" ? 14 : 5;
  const canUnfold = kind === "group" || node.columns.length;
  group.append(
    svg("title", {}, visible(kind === "group" ? node.name : `${node.namespace}/${node.name}`)),
    ...(kind === "group" ? [svg("rect", { class: "back", x: 5, y: 5, width: WIDTH, height: HEAD, rx })] : []),
    svg("rect", { class: "box", width: WIDTH, height: place.height, rx }),
    svg("rect", { class: "tint", width: WIDTH, height: place.height, rx }),
    svg("rect", { class: "group", x: 9, y: 11, width: 4, height: HEAD - 22, rx: 2 }),
    svg("text", { class: "name", x: 22, y: 20 }, visible(title)),
    svg("text", { class: "detail", x: status ? 38 : 22, y: 36 }, visible(detail)),
    svg("text", { class: "type", x: WIDTH - (canUnfold ? 34 : 12), y: 36 }, visible(side)),
  );
  if (status) group.append(svg("circle", { class: `state ${status}`, cx: 27, cy: 32, r: 5 }));
  if (!canUnfold) return group;
  const fold = svg("g", {
    "data-fold": node.number,
    role: "button",
    "aria-label": kind === "group" ? "open" : "columns",
  });
  fold.append(
    svg("rect", { class: "row", x: WIDTH - 32, y: 23, width: 28, height: 19, rx: 4 }),
    svg("text", { class: "fold", x: WIDTH - 23, y: 36 }, expanded ? "\u25be" : "\u25b8"),
  );
  group.append(fold);
  if (expanded) group.append(...node.columns.map((column, row) => drawnColumn(column, row, node.number)));
  return group;
}

function ariaLabel(node) {
  const { kind, name, change, side } = node;
  return [...new Set([`${kind} ${name}`, change, stateText(node), side])].filter(Boolean).join(", ");
}

function drawnColumn([name, type, , short, side, status], number, node) {
  const middle = HEAD + number * ROW + ROW / 2;
  const mark = data.marks.columns[endOf(node, number)] ?? "";
  const group = svg("g", { class: `column ${mark}`, "data-column": number });
  group.append(
    svg("title", {}, visible(type ? `${name}: ${type}` : name)),
    svg("rect", { class: "row", x: 3, y: middle - ROW / 2, width: WIDTH - 6, height: ROW, rx: 3 }),
    svg("text", { x: 22, y: middle + 4 }, short),
    svg("text", { class: "type", x: WIDTH - 10, y: middle + 4 }, side),
  );
  if (status) group.append(svg("circle", { class: `state ${status}`, cx: 13, cy: middle, r: 4 }));
  return group;
}

/** Return a handle that shows hidden neighbours of a node. */
function drawnHandle(node, place, side, hidden) {
  const x = side === "sources" ? -38 : WIDTH + 4;
  const group = svg("g", {
    class: "more",
    transform: `translate(${place.x + x} ${place.y + HEAD / 2 - 9})`,
    "data-more": `${node.number}/${side}`,
    role: "button",
    "aria-label": `show ${hidden} more ${side}`,
  });
  group.append(
    svg("title", {}, `${hidden} more ${side === "sources" ? "upstream" : "downstream"}`),
    svg("rect", { width: 34, height: 18, rx: 9 }),
    svg("text", { x: 17, y: 13 }, `+${hidden > 999 ? "999\u2026" : hidden}`),
  );
  return group;
}
