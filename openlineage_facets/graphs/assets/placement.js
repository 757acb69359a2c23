// Coordinates of the visible nodes, and the ways of links between them, as in placement.py.

const { WIDTH, HEAD, ROW, GAP, POINT_GAP, LAYER_GAP, STRIP, TRACK, TRACKS, TURN, SWEEPS, POINT_WEIGHT } =
  data.measures;

const rounded = (y) => Math.floor(2 * y + 0.501) / 2;

/** The rectangle of a node with the tracks below it, or of a point, which consists of tracks. */
class Box {
  constructor(isPoint, layer, height) {
    Object.assign(this, { isPoint, layer, height, x: layer * (WIDTH + LAYER_GAP), y: 0, tracks: new Map() });
  }
  get distance() {
    return Math.min(TRACK, rounded(TRACKS / this.tracks.size));
  }
  get strip() {
    return this.isPoint ? 0 : STRIP;
  }
  get bottom() {
    return (
      this.y + this.height + (this.tracks.size ? this.strip + (this.tracks.size - 1) * this.distance : 0)
    );
  }
  get anchor() {
    return this.isPoint ? 0 : HEAD / 2;
  }
  track(name) {
    return this.y + this.height + this.strip + this.tracks.get(name) * this.distance;
  }
  end(row) {
    return this.y + (row < 0 ? HEAD / 2 : HEAD + row * ROW + ROW / 2);
  }
}

/** Return the ways of the links between visible nodes, and between columns if those of one end are visible. */
function waysOf(shown, expanded) {
  const ways = [];
  for (const [source, target, route] of data.links) {
    if (shown.has(source) && shown.has(target)) {
      ways.push({ source, row: -1, target, targetRow: -1, route, isOfColumns: false, track: source });
    }
  }
  for (const [source, column, target, targetColumn, route] of data.columnLinks) {
    const row = expanded.has(source) ? column : -1;
    const targetRow = expanded.has(target) ? targetColumn : -1;
    const isVisible = [source, target, ...route].every(
      (number) => number >= nodes.length || shown.has(number),
    );
    if (!isVisible || (row < 0 && targetRow < 0)) continue;
    const track = [source, row, target, targetRow].join();
    ways.push({ source, row, target, targetRow, route, isOfColumns: true, track, column, targetColumn });
  }
  return ways;
}

/** Return the boxes of visible nodes, and of the points that ways pass, by their numbers. */
function placed(shown, expanded, ways) {
  const passed = new Set(ways.flatMap((way) => way.route));
  const isVisible = (item) => (item < nodes.length ? shown : passed).has(item);
  const layers = data.layers
    .map((items) => items.filter(isVisible))
    .filter((items) => items.some((item) => shown.has(item)));
  const boxes = new Map();
  layers.forEach((items, layer) => {
    for (const item of items) {
      const rows = expanded.has(item) ? nodes[item].columns.length : 0;
      boxes.set(
        item,
        new Box(item >= nodes.length, layer, item >= nodes.length ? 0 : HEAD + (rows ? rows * ROW + 6 : 0)),
      );
    }
  });
  const [before, after] = [new Map(), new Map()];
  for (const way of ways) {
    way.route = way.route.filter((item) => boxes.has(item)); // Layers without nodes are left out.
    for (const item of way.route) {
      const { tracks } = boxes.get(item);
      if (!tracks.has(way.track)) tracks.set(way.track, tracks.size);
    }
    if (way.isOfColumns) continue;
    const items = [way.source, ...way.route, way.target];
    for (let index = 1; index < items.length; index += 1) {
      const [one, other] = [items[index - 1], items[index]];
      if (one === other) continue;
      const [left, right] = boxes.get(one).layer < boxes.get(other).layer ? [one, other] : [other, one];
      append(after, left, boxes.get(right));
      append(before, right, boxes.get(left));
    }
  }
  for (const items of layers) {
    let y = 0;
    for (const item of items) {
      boxes.get(item).y = y;
      y = boxes.get(item).bottom + GAP;
    }
  }
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    const near = sweep % 2 ? after : before;
    for (const items of sweep % 2 ? [...layers].reverse() : layers) {
      align(items.map((item) => [boxes.get(item), near.get(item) ?? []]));
    }
  }
  for (const box of boxes.values()) box.y = rounded(box.y);
  return boxes;
}

/** Move the nodes and points of a layer towards their neighbours, and keep their order and distance. */
function align(items) {
  const blocks = [];
  let offset = 0;
  let last = null;
  for (const [box, near] of items) {
    if (last) offset += last.bottom - last.y + (box.isPoint || last.isPoint ? POINT_GAP : GAP);
    const middle = near.reduce((sum, other) => sum + other.y + other.anchor, 0) / near.length;
    const wanted = near.length ? middle - box.anchor : box.y;
    const weight = box.isPoint ? POINT_WEIGHT : 1;
    let block = { members: [[box, offset]], weight, sum: weight * (wanted - offset) };
    // What would overlap forms a block, which moves to the mean of what its members want.
    while (blocks.length && blocks.at(-1).sum / blocks.at(-1).weight > block.sum / block.weight) {
      const { members, weight, sum } = blocks.pop();
      block = { members: members.concat(block.members), weight: weight + block.weight, sum: sum + block.sum };
    }
    blocks.push(block);
    last = box;
  }
  for (const { members, weight, sum } of blocks) {
    for (const [box, distance] of members) box.y = sum / weight + distance;
  }
}

/** Return the path of a link: straight through layers, with curves between them. */
function pathOf(way, boxes) {
  const [source, target] = [boxes.get(way.source), boxes.get(way.target)];
  let [x, y, layer, direction] = [source.x + WIDTH, source.end(way.row), source.layer, 1];
  let text = `M${x} ${y}`;
  for (const item of [...way.route, null]) {
    const box = item === null ? target : boxes.get(item);
    const nextY = item === null ? box.end(way.targetRow) : box.track(way.track);
    let nextX = direction > 0 ? box.x : box.x + WIDTH;
    let middle = (x + nextX) / 2;
    if (box.layer === layer) {
      // Turn.
      nextX = x;
      direction = -direction;
      middle = x - direction * TURN;
    }
    text += `C${middle} ${y} ${middle} ${nextY} ${nextX} ${nextY}`;
    [x, y, layer] = [nextX, nextY, box.layer];
    if (item !== null) {
      x = direction > 0 ? box.x + WIDTH : box.x;
      text += `H${x}`;
    }
  }
  return text;
}

/** Return the smallest rectangle around all boxes. */
function boundsOf(boxes) {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const box of boxes.values()) {
    left = Math.min(left, box.x);
    top = Math.min(top, box.y);
    right = Math.max(right, box.x + WIDTH);
    bottom = Math.max(bottom, box.bottom);
  }
  return { x: left, y: top, width: right - left, height: bottom - top };
}
