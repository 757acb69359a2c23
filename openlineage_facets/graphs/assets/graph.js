"use strict";
// The graph: nodes, links between them, and what is upstream and downstream. Groups are nodes, too: a view shows
// either jobs and datasets, or the groups that stand for all of them.

const data = JSON.parse(document.getElementById("data").textContent);
const nodes = data.nodes;
nodes.forEach((node, number) => {
  node.number = number;
  node.columns ??= [];
  node.sources = [];
  node.targets = [];
});
for (const [source, target] of data.links) {
  nodes[source].targets.push(target);
  nodes[target].sources.push(source);
}
const groups = nodes.filter((node) => node.kind === "group");
const entities = nodes.filter((node) => node.kind !== "group");
/** Return the jobs and datasets that a node stands for. */
const membersOf = (node) => (node.kind === "group" ? node.members.map((number) => nodes[number]) : [node]);

// Column links by their ends. An end is "number/column", with the column -1 for a whole dataset or job.
const endOf = (node, column) => `${node}/${column}`;
const partsOf = (end) => end.split("/").map(Number);
const columnSources = new Map();
const columnTargets = new Map();
for (const [source, sourceColumn, target, targetColumn, , steps] of data.columnLinks) {
  const link = { source, sourceColumn, target, targetColumn, steps };
  append(columnTargets, endOf(source, sourceColumn), link);
  append(columnSources, endOf(target, targetColumn), link);
}

function append(map, key, value) {
  if (map.has(key)) map.get(key).push(value);
  else map.set(key, [value]);
}

/** Return everything that `start` leads to, without `start`. */
function reached(start, following) {
  const found = new Set([start]);
  const waiting = [start];
  while (waiting.length) {
    for (const next of following(waiting.pop())) {
      if (!found.has(next)) {
        found.add(next);
        waiting.push(next);
      }
    }
  }
  found.delete(start);
  return found;
}

// A job passes on its inputs to the outputs that they feed, as far as its runs have declared it. A place is
// "node/", or "job/output" for an output that not all inputs of the job feed.
const placeSources = new Map();
const placeTargets = new Map();
const writesOf = new Map();
const declared = new Map(data.writes.map(([job, output, inputs]) => [`${job}/${output}`, inputs]));
for (const [source, target] of data.links) {
  const write = `${source}/${target}`;
  if (declared.has(write)) {
    append(writesOf, source, write);
    connect(write, `${target}/`);
    for (const input of declared.get(write)) connect(`${input}/`, write);
  } else connect(`${source}/`, `${target}/`);
}

function connect(source, target) {
  append(placeTargets, source, target);
  append(placeSources, target, source);
}

/** Return the nodes that `node` leads to, without `node`. */
function nodesReached(node, following) {
  const found = new Set();
  for (const start of [`${node}/`, ...(writesOf.get(node) ?? [])]) {
    for (const place of reached(start, (one) => following.get(one) ?? [])) found.add(parseInt(place));
  }
  found.delete(node);
  return found;
}

const upstreamOf = (node) => nodesReached(node, placeSources);
const downstreamOf = (node) => nodesReached(node, placeTargets);

// What a whole dataset depends on, such as the column of a filter, each of its columns depends on.

/** Return the links that lead to a column, and those that lead to its whole dataset. */
const linksTo = (node, column) => [
  ...linksOf(columnSources, node, column),
  ...datasetLinksOf(columnSources, node, column),
];
/** Return the links that start at a column, and those that start at its whole dataset. */
const linksFrom = (node, column) => [
  ...linksOf(columnTargets, node, column),
  ...datasetLinksOf(columnTargets, node, column),
];
const linksOf = (links, node, column) => links.get(endOf(node, column)) ?? [];
const datasetLinksOf = (links, node, column) => (column < 0 ? [] : linksOf(links, node, -1));

/** Return an end, and those of all columns if it is a whole dataset. */
function endsOf(node, column) {
  const columns = column < 0 ? nodes[node].columns.keys() : [];
  return [endOf(node, column), ...Array.from(columns, (one) => endOf(node, one))];
}

function columnsUpstreamOf(node, column) {
  return reached(endOf(node, column), (end) =>
    linksTo(...partsOf(end)).flatMap((link) => endsOf(link.source, link.sourceColumn)),
  );
}

function columnsDownstreamOf(node, column) {
  return reached(endOf(node, column), (end) =>
    linksFrom(...partsOf(end)).flatMap((link) => endsOf(link.target, link.targetColumn)),
  );
}

const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;
const ESCAPES = { "\t": "\\t", "\n": "\\n", "\r": "\\r" };

/** Return text in which control and formatting characters are visible, as `printable` does in Python. */
function visible(text) {
  return String(text).replace(INVISIBLE, (char) => {
    const code = char.codePointAt(0);
    const [letter, digits] = code < 0x100 ? ["x", 2] : code < 0x10000 ? ["u", 4] : ["U", 8];
    return ESCAPES[char] ?? `\\${letter}${code.toString(16).padStart(digits, "0")}`;
  });
}

/** Return the last runs that read or wrote a dataset, each with the statistics they reported about it. */
function runsOf(dataset) {
  const found = [];
  for (const [role, jobs] of [
    ["outputs", dataset.sources],
    ["inputs", dataset.targets],
  ]) {
    for (const job of jobs) {
      for (const [number, , statistics] of nodes[job].run?.[role] ?? []) {
        if (number === dataset.number) found.push({ job: nodes[job], role, statistics });
      }
    }
  }
  return found;
}

const DOT = " \u00b7 ";
const counted = (count, noun) => `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
