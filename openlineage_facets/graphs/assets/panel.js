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

const badge = (status, text) => html("span", { class: `badge ${status}` }, visible(text));

/** Return a link that selects a node or column. It has no address: names never become URLs. */
function selection(node, column = -1, text = null) {
  text ??= (column < 0 ? [node.label] : [node.label, node.columns[column][0]]).map(visible).join(DOT);
  const follow = () => {
    closeTable();
    choose(node.number, column);
  };
  const onKey = (event) => {
    if (event.key === "Enter") follow();
  };
  return html("a", { role: "link", tabindex: "0", click: follow, keydown: onKey }, text);
}

/** Return what can be opened for each facet, given as a list of lines. */
function facetList(facets) {
  return Object.entries(facets).map(([key, lines]) =>
    html("details", {}, html("summary", {}, visible(key)), html("pre", {}, visibleText(lines))),
  );
}

const visibleText = (lines) => lines.map(visible).join("\n");

function runSection({ run, status }) {
  if (!run) return [];
  return [
    html("h3", {}, "Last run"),
    table([
      ["state", badge(status, run.state ?? "no state")],
      ["started", run.started],
      ["ended", run.ended],
      ["duration", run.duration],
      ["run", visible(run.id)],
    ]),
    run.failure && html("p", { class: "failure" }, visibleText(run.failure)),
  ];
}

/** Return the last runs, if there are several: a bar for the duration of each, the latest on the right, and a table. */
function runsSection({ runs = [] }) {
  if (runs.length < 2) return [];
  const longest = Math.max(...runs.map((run) => run.seconds ?? 0)) || 1;
  const bars = runs.toReversed().map((run, place) => {
    const height = 4 + (28 * (run.seconds ?? 0)) / longest;
    const text = [run.state, run.started, run.duration].filter(Boolean).join(DOT);
    return svg(
      "rect",
      { class: `run ${run.status}`, x: place * 16, y: 34 - height, width: 12, height, rx: 2 },
      svg("title", {}, visible(text)),
    );
  });
  const cells = (texts) => texts.map((text) => html("td", { class: "type" }, visible(text)));
  const rows = runs.flatMap((run) => {
    const state = html("td", { class: `state ${run.status}` }, visible(run.state ?? "no state"));
    const started = (run.started ?? "").slice(5, 16).replace("T", " ");
    const outputs = run.written.filter(([name]) => name);
    const only = outputs.length ? "" : (run.written[0]?.[1] ?? "");
    return [
      html("tr", {}, state, cells([started, run.duration, only])),
      ...outputs.map(([name, text]) =>
        html("tr", { class: "output" }, html("td", { colspan: 3 }, visible(name)), cells([text])),
      ),
    ];
  });
  return [
    html("h3", {}, "Runs"),
    svg("svg", { class: "runs", width: 16 * runs.length, height: 36, "aria-hidden": "true" }, ...bars),
    html("table", { class: "runs" }, rows),
  ];
}

function neighbours(title, numbers) {
  if (!numbers.length) return [];
  const most = 30;
  const items = numbers.slice(0, most).map((number) => html("div", {}, selection(nodes[number])));
  if (numbers.length > most) items.push(html("div", {}, `and ${numbers.length - most} more`));
  return [html("h3", {}, `${title} (${numbers.length})`), items];
}

function columnTable(node, chosen) {
  if (!node.columns.length) return [];
  const rows = node.columns.map(([name, type, description], number) =>
    html(
      "tr",
      number === chosen ? { class: "chosen" } : {},
      html("td", description ? { title: visible(description) } : {}, selection(node, number, visible(name))),
      html("td", { class: "type" }, visible(type ?? "")),
    ),
  );
  return [html("h3", {}, `Columns (${node.columns.length})`), html("table", {}, rows)];
}

function columnLineage(node, column) {
  const own = (links) => (column < 0 ? [] : linksOf(links, node.number, column));
  const common = (links) => linksOf(links, node.number, -1);
  return [
    ...linkTable("Computed from", own(columnSources), "source"),
    ...linkTable("All columns depend on", common(columnSources), "source"),
    ...linkTable("Used by", own(columnTargets), "target"),
    ...linkTable("All columns are used by", common(columnTargets), "target"),
  ];
}

/** Return a titled table of the sources or targets of column links. */
function linkTable(title, links, side) {
  if (!links.length) return [];
  const rows = links.map((link) => {
    const [other, column] = [nodes[link[side]], link[`${side}Column`]];
    const all = column < 0 && other.kind === "dataset" ? `${DOT}all columns` : "";
    return html(
      "tr",
      {},
      html("td", {}, selection(other, column), all),
      html("td", { class: "type" }, visible(link.steps)),
    );
  });
  return [html("h3", {}, title), html("table", {}, rows)];
}

function statistics(node) {
  const rows = runsOf(node).map(({ job, role, statistics }) => {
    const { state } = job.run;
    // Rows say that a run has worked, unless it has not.
    const texts = [statistics && state === "COMPLETE" ? "" : state, statistics];
    return html(
      "tr",
      {},
      html("td", {}, role === "outputs" ? "written by " : "read by ", selection(job)),
      html("td", { class: "type" }, texts.filter(Boolean).join(DOT)),
    );
  });
  return rows.length ? [html("h3", {}, "Last runs"), html("table", {}, rows)] : [];
}

/** Return the results of data quality checks, and tags: of one column, or of all with -1. */
function marks(node, column) {
  const name = column < 0 ? null : node.columns[column][0];
  const checks = (node.checks ?? []).filter(([of]) => name === null || of === name);
  const rows = checks.map(([of, text, success]) =>
    html(
      "tr",
      {},
      html("td", {}, visible(of && column < 0 ? `${text} (${of})` : text)),
      html("td", { class: "type" }, badge(success ? "good" : "bad", success ? "passed" : "failed")),
    ),
  );
  const tags = node.tags.filter(([, of]) => name === null || of === name);
  return [
    ...(rows.length ? [html("h3", {}, "Data quality"), html("table", {}, rows)] : []),
    ...(tags.length ? [html("h3", {}, "Tags"), html("p", {}, tagsText(tags))] : []),
  ];
}

/** Return tags, each with its column if it is not of the whole node, as text. */
const tagsText = (tags) =>
  visible(tags.map(([text, column]) => (column === null ? text : `${text} (${column})`)).join(", "));

/** Return facets of a job's run about its inputs and outputs. */
function usedFacets(run) {
  const found = {};
  for (const role of ["inputs", "outputs"]) {
    for (const [number, facets] of run?.[role] ?? []) {
      const used = `${role.slice(0, -1)} ${nodes[number].label}`;
      for (const [key, lines] of Object.entries(facets)) found[`${used}: ${key}`] = lines;
    }
  }
  return found;
}

/** Return buttons that open a group, or show and hide what is in the same group as a node. */
function groupSection(node) {
  const button = (text, click) => html("p", {}, html("button", { type: "button", click }, visible(text)));
  if (node.kind === "group") return [button("Open group", () => openGroup(node.number))];
  const { title, members } = nodes[node.group];
  if (members.length === 1) return [];
  const isOpen = members.every((member) => view.shown.has(member));
  const press = () => {
    toggleGroup(node, !isOpen);
    fillPanel(node, view.column);
  };
  return [button(`${isOpen ? "Close" : "Open"} group ${title} with ${members.length - 1} more`, press)];
}

/** Return what is in a group, what has failed first. */
function memberSection(node) {
  if (node.kind !== "group") return [];
  const failed = node.members.filter((number) => nodes[number].status === "bad");
  return [
    ...neighbours("Failed", failed),
    ...["dataset", "job"].flatMap((kind) =>
      neighbours(
        `${kind[0].toUpperCase()}${kind.slice(1)}s`,
        node.members.filter((number) => nodes[number].kind === kind),
      ),
    ),
  ];
}

/** Fill the panel with a node, or one of its columns. */
function fillPanel(node, column) {
  keepFocus(panel);
  const isDataset = node.kind === "dataset";
  const name = column < 0 ? node.name : node.columns[column][0];
  const facets = facetList(node.facets);
  const runFacets = facetList({ ...node.run?.facets, ...usedFacets(node.run) });
  panel.replaceChildren(
    ...[
      html(
        "button",
        { class: "close", type: "button", "aria-label": "Close", click: () => choose(null) },
        "\u00d7",
      ),
      html("div", { class: "kind" }, column < 0 ? node.kind : "column"),
      html("h2", {}, visible(name)),
      column < 0
        ? html("div", { class: "namespace" }, visible(node.kind === "group" ? node.detail : node.namespace))
        : html("div", { class: "namespace" }, "of ", selection(node)),
      column < 0
        ? null
        : table([
            ["type", visible(node.columns[column][1] ?? "")],
            ["description", visible(node.columns[column][2] ?? "")],
          ]),
      node.kind === "group" ? groupSection(node) : [],
      isDataset ? columnLineage(node, column) : [],
      runSection(node),
      runsSection(node),
      isDataset && column < 0 ? statistics(node) : [],
      marks(node, column),
      isDataset ? columnTable(node, column) : [],
      column < 0 ? [...neighbours("Upstream", node.sources), ...neighbours("Downstream", node.targets)] : [],
      memberSection(node),
      node.kind !== "group" && column < 0 ? groupSection(node) : [],
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
