// Draws the visible nodes and links as SVG. Names are only ever text nodes.

const SVG = "http://www.w3.org/2000/svg";

function svg(name, attributes, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

const rowMiddle = (column) => HEAD + column * ROW + ROW / 2;

/**
 * Draw the links. All links with the same look are one path, since thousands of paths would be slow.
 * `look(source, target)` returns "up", "down" or "other".
 */
function drawnLinks(ways, boxes, look, columnLook) {
  const paths = new Map();
  for (const way of ways) {
    const kind = way.isOfColumns
      ? `${columnLook(way.source, way.column, way.target, way.targetColumn)} column`
      : look(way.source, way.target);
    append(paths, kind, pathOf(way, boxes));
  }
  const group = svg("g", { class: "links" });
  const order = ["other", "other column", "up", "up column", "down", "down column"];
  for (const kind of order) {
    if (paths.has(kind)) group.append(svg("path", { class: kind, d: paths.get(kind).join("") }));
  }
  return group;
}

function drawnNode(node, place, view) {
  const expanded = view.expanded.has(node.number);
  const group = svg("g", {
    class: `node ${node.kind} ${stateClass(node.run?.state) === "bad" ? "bad" : ""}`,
    transform: `translate(${place.x} ${place.y})`,
    "data-node": node.number,
    role: "button",
    "aria-label": visible(`${node.kind} ${node.name}`),
  });
  const radius = node.kind === "job" ? 14 : 5;
  group.append(
    svg("title", {}, visible(`${node.namespace}/${node.name}`)),
    svg("rect", { class: "box", width: WIDTH, height: place.height, rx: radius }),
    svg("rect", { class: "side", x: 9, y: 11, width: 4, height: HEAD - 22, rx: 2 }),
    svg("text", { class: "name", x: 22, y: 20 }, visible(node.title)),
    svg(
      "text",
      { class: "detail", x: node.run ? 38 : 22, y: 36 },
      node.place ? visible(node.place) : detailOf(node),
    ),
  );
  if (node.run)
    group.append(svg("circle", { class: `state ${stateClass(node.run.state)}`, cx: 27, cy: 32, r: 5 }));
  if (node.columns.length) {
    const fold = svg("g", { "data-fold": node.number, role: "button", "aria-label": "columns" });
    fold.append(
      svg("rect", { class: "row", x: WIDTH - 34, y: 24, width: 28, height: 18, rx: 4 }),
      svg("text", { class: "fold", x: WIDTH - 25, y: 36 }, expanded ? "▾" : "▸"),
    );
    group.append(fold);
  }
  if (expanded) node.columns.forEach((column, number) => group.append(drawnColumn(node, column, number)));
  return group;
}

function drawnColumn(node, [name, type], number) {
  const group = svg("g", { class: "column", "data-column": number });
  const length = type ? Math.max(16, 30 - String(type).length) : 30;
  group.append(
    svg("title", {}, visible(type ? `${name}: ${type}` : name)),
    svg("rect", { class: "row", x: 3, y: HEAD + number * ROW, width: WIDTH - 6, height: ROW, rx: 3 }),
    svg("text", { x: 22, y: rowMiddle(number) + 4 }, shortened(name, length)),
    svg(
      "text",
      { class: "type", x: WIDTH - 10, y: rowMiddle(number) + 4 },
      [...visible(type ?? "")].slice(0, 14).join(""),
    ),
  );
  return group;
}

/** Return the second line of a node: state and duration of a job's last run, or size of a dataset. */
function detailOf(node) {
  if (node.kind === "job") {
    return node.run
      ? [node.run.state ?? "no state", durationText(node.run)].filter(Boolean).join(" · ")
      : "no run";
  }
  const written = runsOf(node)
    .map((run) => statisticsText(run.facets))
    .find(Boolean);
  if (written) return written.split(" · ").slice(0, 2).join(" · ");
  if (!node.columns.length) return shortened(node.namespace, 32);
  return `${node.columns.length} ${node.columns.length === 1 ? "column" : "columns"}`;
}

/** Return a handle that shows hidden neighbours of a node. */
function drawnHandle(node, place, side, hidden) {
  const x = side === "sources" ? -40 : WIDTH + 6;
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
    svg("text", { x: 17, y: 13 }, `+${hidden > 999 ? "999…" : hidden}`),
  );
  return group;
}
