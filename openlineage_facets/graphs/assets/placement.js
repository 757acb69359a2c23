// Coordinates of what is shown in the grid of layers and lanes, and the ways of links, as in placement.py.

const { WIDTH, HEAD, ROW, GAP, POINT_GAP, LAYER_GAP, STRIP, TRACK, TRACKS, TURN } = data.measures;

const isNode = (item) => item < nodes.length;

/** The rectangle of a node, or of a point with a height of 0, with the tracks of links below it. */
class Box {
  constructor(item, layer, rows) {
    const height = isNode(item) ? HEAD + (rows ? rows * ROW + 6 : 0) : 0;
    Object.assign(this, { item, layer, height, x: layer * (WIDTH + LAYER_GAP), y: 0, tracks: new Map() });
  }
  get bottom() {
    return this.y + this.height + (this.tracks.size ? this.offset(this.tracks.size - 1) : 0);
  }
  track(name) {
    return this.y + this.height + this.offset(this.tracks.get(name));
  }
  end(row) {
    return this.y + (row < 0 ? HEAD / 2 : HEAD + row * ROW + ROW / 2);
  }
  offset(track) {
    return (
      (isNode(this.item) ? STRIP : 0) +
      track * Math.min(TRACK, Math.floor((2 * TRACKS) / this.tracks.size) / 2)
    );
  }
}

/** Return the ways of the links between visible nodes, and between columns if those of one end are visible. */
function waysOf({ shown, expanded }) {
  const ways = [];
  for (const [source, target, route] of data.links) {
    if (!shown.has(source) || !shown.has(target)) continue;
    ways.push({ source, row: -1, target, targetRow: -1, route, isOfColumns: false, track: source });
  }
  const isHidden = (item) => isNode(item) && !shown.has(item);
  for (const [source, column, target, targetColumn, route] of data.columnLinks) {
    const row = expanded.has(source) ? column : -1;
    const targetRow = expanded.has(target) ? targetColumn : -1;
    if ((row < 0 && targetRow < 0) || [source, target, ...route].some(isHidden)) continue;
    const track = [source, row, target, targetRow].join();
    ways.push({ source, row, target, targetRow, route, isOfColumns: true, track, column, targetColumn });
  }
  return ways;
}

/** Return the boxes of nodes, and of the points that ways pass, by their numbers. */
function placed(numbers, expanded, ways) {
  const used = [...new Set(Array.from(numbers, (number) => data.places[number][0]))].sort((a, b) => a - b);
  const places = new Map(used.map((layer, place) => [layer, place]));
  const boxes = new Map();
  const add = (item) => {
    const rows = isNode(item) && expanded.has(item) ? nodes[item].columns.length : 0;
    if (!boxes.has(item)) boxes.set(item, new Box(item, places.get(data.places[item][0]), rows));
    return boxes.get(item);
  };
  numbers.forEach(add);
  for (const way of ways) {
    // Layers without nodes are left out.
    way.route = way.route.filter((item) => places.has(data.places[item][0]));
    for (const item of way.route) {
      const { tracks } = add(item);
      if (!tracks.has(way.track)) tracks.set(way.track, tracks.size);
    }
  }
  let y = 0;
  for (const lane of mergedLanes([...boxes.values()])) {
    const hasNodes = lane.some((box) => isNode(box.item));
    for (const box of lane) box.y = y + (hasNodes && !isNode(box.item) ? Math.floor(HEAD / 2) : 0);
    y = Math.ceil(Math.max(...lane.map((box) => box.bottom))) + (hasNodes ? GAP : POINT_GAP);
  }
  return boxes;
}

/** Return the boxes of each lane. Neighbouring lanes that use different layers become one. */
function mergedLanes(boxes) {
  const lanes = [];
  for (const box of boxes) (lanes[data.places[box.item][1]] ??= []).push(box);
  const merged = [];
  let layers = new Set();
  for (const lane of lanes.filter(Boolean)) {
    if (merged.length && !lane.some((box) => layers.has(box.layer))) merged.at(-1).push(...lane);
    else {
      merged.push([...lane]);
      layers = new Set();
    }
    lane.forEach((box) => layers.add(box.layer));
  }
  return merged;
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
  const all = [...boxes.values()];
  const most = (side) => all.reduce((value, box) => Math.max(value, side(box)), 0);
  return { x: 0, y: 0, width: most((box) => box.x + WIDTH), height: most((box) => box.bottom) };
}
