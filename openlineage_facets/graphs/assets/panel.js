// The side panel: a selected job, dataset or column with its run, statistics and facets.

function html(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(key, value);
    else element.setAttribute(key, value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

function table(rows) {
  const shown = rows.filter(([, value]) => value);
  return html(
    "table",
    {},
    shown.map(([name, value]) => html("tr", {}, html("th", {}, name), html("td", {}, value))),
  );
}

const badge = (state) => html("span", { class: `badge ${stateClass(state)}` }, visible(state ?? "no state"));

/** Return a link that selects a node or column. It has no address: names never become URLs. */
function selection(choose, node, column = -1) {
  const text =
    column < 0 ? visible(node.label) : `${visible(node.label)} · ${visible(node.columns[column][0])}`;
  const follow = () => choose(node.number, column);
  const onKey = (event) => {
    if (event.key === "Enter") follow();
  };
  return html("a", { role: "link", tabindex: "0", click: follow, keydown: onKey }, text);
}

function facetList(facets) {
  return Object.entries(facets).map(([key, facet]) =>
    html(
      "details",
      {},
      html("summary", {}, visible(key)),
      html("pre", {}, visibleLines(JSON.stringify(facet, null, 2))),
    ),
  );
}

const visibleLines = (text) => text.split("\n").map(visible).join("\n");

function runSection(run, title) {
  if (!run) return [];
  const failure = run.facets.errorMessage?.message;
  return [
    html("h3", {}, title),
    table([
      ["state", badge(run.state)],
      ["started", run.started],
      ["ended", run.ended],
      ["duration", durationText(run)],
      ["run", visible(run.id)],
    ]),
    failure === undefined ? null : html("p", { class: "failure" }, visible(failure)),
  ];
}

function neighbours(title, numbers, choose) {
  if (!numbers.length) return [];
  const most = 30;
  const items = numbers.slice(0, most).map((number) => html("div", {}, selection(choose, nodes[number])));
  if (numbers.length > most) items.push(html("div", {}, `and ${numbers.length - most} more`));
  return [html("h3", {}, `${title} (${numbers.length})`), items];
}

function columnTable(node, chosen, choose) {
  if (!node.columns.length) return [];
  const rows = node.columns.map(([name, type, description], number) =>
    html(
      "tr",
      number === chosen ? { class: "chosen" } : {},
      html("td", description ? { title: visible(description) } : {}, columnLink(node, number, name, choose)),
      html("td", { class: "type" }, visible(type ?? "")),
    ),
  );
  return [html("h3", {}, `Columns (${node.columns.length})`), html("table", {}, rows)];
}

function columnLink(node, number, name, choose) {
  const follow = () => choose(node.number, number);
  const onKey = (event) => {
    if (event.key === "Enter") follow();
  };
  return html("a", { role: "link", tabindex: "0", click: follow, keydown: onKey }, visible(name));
}

function columnLineage(node, column, choose) {
  const own = (links) => (column < 0 ? [] : linksOf(links, node.number, column));
  const common = (links) => linksOf(links, node.number, -1);
  return [
    ...linkTable("Computed from", own(columnSources), "source", choose),
    ...linkTable("All columns depend on", common(columnSources), "source", choose),
    ...linkTable("Used by", own(columnTargets), "target", choose),
    ...linkTable("All columns are used by", common(columnTargets), "target", choose),
  ];
}

/** Return a titled table of the sources or targets of column links. */
function linkTable(title, links, side, choose) {
  if (!links.length) return [];
  const rows = links.map((link) => {
    const [other, column] = [nodes[link[side]], link[`${side}Column`]];
    const all = column < 0 && other.kind === "dataset" ? " · all columns" : "";
    return html(
      "tr",
      {},
      html("td", {}, selection(choose, other, column), all),
      html("td", { class: "type" }, visible(link.steps)),
    );
  });
  return [html("h3", {}, title), html("table", {}, rows)];
}

function statistics(node, choose) {
  const rows = runsOf(node).map(({ job, role, facets }) =>
    html(
      "tr",
      {},
      html("td", {}, role === "outputs" ? "written by " : "read by ", selection(choose, job)),
      html("td", { class: "type" }, statisticsText(facets) || (job.run.state ?? "")),
    ),
  );
  return rows.length ? [html("h3", {}, "Last runs"), html("table", {}, rows)] : [];
}

/** Return facets of a job's run about its inputs and outputs. */
function usedFacets(run) {
  const found = {};
  for (const role of ["inputs", "outputs"]) {
    for (const [number, facets] of run?.[role] ?? []) {
      if (Object.keys(facets).length) found[`${role.slice(0, -1)} ${nodes[number].label}`] = facets;
    }
  }
  return found;
}

/** Fill the panel with a node, or one of its columns. */
function fillPanel(panel, node, column, choose) {
  const isDataset = node.kind === "dataset";
  const name = column < 0 ? node.name : node.columns[column][0];
  const facets = facetList(node.facets);
  const runFacets = facetList({ ...node.run?.facets, ...usedFacets(node.run) });
  panel.replaceChildren(
    ...[
      html(
        "button",
        { class: "close", type: "button", "aria-label": "Close", click: () => choose(null) },
        "×",
      ),
      html("div", { class: "kind" }, column < 0 ? node.kind : "column"),
      html("h2", {}, visible(name)),
      column < 0
        ? html("div", { class: "namespace" }, visible(node.namespace))
        : html("div", { class: "namespace" }, "of ", selection(choose, node)),
      column < 0
        ? null
        : table([
            ["type", visible(node.columns[column][1] ?? "")],
            ["description", visible(node.columns[column][2] ?? "")],
          ]),
      isDataset ? columnLineage(node, column, choose) : [],
      runSection(node.run, "Last run"),
      isDataset && column < 0 ? statistics(node, choose) : [],
      isDataset ? columnTable(node, column, choose) : [],
      column < 0
        ? [...neighbours("Upstream", node.sources, choose), ...neighbours("Downstream", node.targets, choose)]
        : [],
      facets.length && column < 0 ? [html("h3", {}, `Facets of the ${node.kind}`), facets] : [],
      runFacets.length ? [html("h3", {}, "Facets of the last run"), runFacets] : [],
      node.seen && column < 0 ? html("p", { class: "namespace" }, `last event: ${node.seen}`) : null,
    ]
      .flat(2)
      .filter((child) => child !== null),
  );
  panel.hidden = false;
  panel.scrollTop = 0;
}
