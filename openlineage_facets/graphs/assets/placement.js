// Coordinates of the visible nodes. Layers and the order in them are part of the data.

const WIDTH = 250;
const HEAD = 46;
const ROW = 20;
const LAYER_GAP = 96;
const GAP = 18;
const SWEEPS = 6;

const heightOf = (node, expanded) => (expanded.has(node.number) ? HEAD + node.columns.length * ROW + 6 : HEAD);

/** Return the place {x, y, height} of each visible node by its number. */
function placed(shown, expanded) {
  const layers = new Map();
  for (const number of shown) append(layers, nodes[number].layer, nodes[number]);
  const columns = [...layers.keys()].sort((a, b) => a - b).map((layer) => layers.get(layer));
  const places = new Map();
  columns.forEach((column, index) => {
    column.sort((a, b) => a.order - b.order);
    let y = 0;
    for (const node of column) {
      const height = heightOf(node, expanded);
      places.set(node.number, { x: index * (WIDTH + LAYER_GAP), y, height });
      y += height + GAP;
    }
  });
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    const forward = sweep % 2 === 0;
    for (const column of forward ? columns : [...columns].reverse()) align(column, places, forward);
  }
  return places;
}

/** Move the nodes of a layer towards their neighbours on one side, and keep their order and distance. */
function align(column, places, forward) {
  const blocks = [];
  let offset = 0;
  for (const node of column) {
    const place = places.get(node.number);
    const near = (forward ? node.sources : node.targets).map((number) => places.get(number)).filter(Boolean);
    const middle = near.reduce((sum, other) => sum + other.y + Math.min(other.height, 2 * HEAD) / 2, 0) / near.length;
    const wanted = near.length ? middle - Math.min(place.height, 2 * HEAD) / 2 : place.y;
    let block = { places: [[place, offset]], sum: wanted - offset, count: 1 };
    // Nodes that would overlap form a block, which moves to the mean of what its nodes want.
    while (blocks.length && blocks.at(-1).sum / blocks.at(-1).count > block.sum / block.count) {
      const before = blocks.pop();
      block = {
        places: [...before.places, ...block.places], sum: before.sum + block.sum, count: before.count + block.count,
      };
    }
    blocks.push(block);
    offset += place.height + GAP;
  }
  for (const block of blocks) {
    for (const [place, distance] of block.places) place.y = block.sum / block.count + distance;
  }
}

/** Return the smallest rectangle around all places. */
function boundsOf(places) {
  const all = [...places.values()];
  const left = Math.min(...all.map((place) => place.x));
  const top = Math.min(...all.map((place) => place.y));
  const right = Math.max(...all.map((place) => place.x + WIDTH));
  const bottom = Math.max(...all.map((place) => place.y + place.height));
  return { x: left, y: top, width: right - left, height: bottom - top };
}
