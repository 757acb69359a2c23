// Which part of the drawing is visible: position, zoom and flights.

const READABLE = 0.56; // The font of names has 7 pixels.
const COMFORTABLE = 0.8;
let flight = 0;

/** Fit the graph into the window or, if it would be too small to read, as much as fits around the selection. */
function frame() {
  fit();
  if (view.scale >= READABLE) return;
  const { width, height } = canvas.getBoundingClientRect();
  if (!width || !height) {
    addEventListener("resize", frame, { once: true });
    return;
  }
  if (view.shown.has(view.selected)) centre(view.selected, READABLE);
  else {
    centre(inTheMiddleOfMost(), COMFORTABLE);
    showFirstLayer();
  }
}

/** Move so that the layer at the left edge is not cut off. */
function showFirstLayer() {
  const margin = 24;
  const lefts = [...view.places.values()].map(({ x }) => x * view.scale + view.x);
  const cut = lefts.filter((left) => left < margin && left + WIDTH * view.scale > margin);
  view.x += margin - Math.min(margin, ...cut);
  move();
}

/** Return the node around which the most nodes are in view: of several, the one furthest upstream. */
function inTheMiddleOfMost() {
  const { width, height } = canvas.getBoundingClientRect();
  const [reachX, reachY] = [width - WIDTH, height].map((room) => Math.max(room / 2 / COMFORTABLE, 1));
  const boxes = [...view.shown].map((number) => view.places.get(number)).sort((a, b) => a.x - b.x);
  // What is near a node is in its cell of a grid or in one next to it.
  const cells = new Map();
  const cellOf = ({ x, y }) => [Math.floor(x / reachX), Math.floor(y / reachY)];
  for (const box of boxes) append(cells, cellOf(box).join(), box);
  const around = [-1, 0, 1];
  let [best, most] = [null, 0];
  for (const box of boxes) {
    const [column, row] = cellOf(box);
    const isNear = ({ x, y }) => Math.abs(x - box.x) < reachX && Math.abs(y - box.y) < reachY;
    const near = around
      .flatMap((right) => around.map((down) => cells.get([column + right, row + down].join()) ?? []))
      .flatMap((cell) => cell.filter(isNear));
    if (near.length > most) [best, most] = [box.item, near.length];
  }
  return best;
}

function move() {
  world.setAttribute("transform", `translate(${view.x} ${view.y}) scale(${view.scale})`);
  moveMap();
}

/** Move to a place in half a second, at once where people prefer less motion. */
function fly(x, y, scale = view.scale) {
  cancelAnimationFrame(flight);
  view.fitted = false;
  const [before, after, start] = [{ ...view }, { x, y, scale }, performance.now()];
  const step = (now) => {
    const part = matchMedia("(prefers-reduced-motion: reduce)").matches
      ? 1
      : Math.min((now - start) / 400, 1);
    const eased = part * part * (3 - 2 * part);
    for (const name of ["x", "y", "scale"]) {
      view[name] = part < 1 ? before[name] + (after[name] - before[name]) * eased : after[name];
    }
    move();
    if (part < 1) flight = requestAnimationFrame(step);
  };
  step(start);
}

function fit() {
  if (!view.places.size) return;
  cancelAnimationFrame(flight);
  const bounds = boundsOf(view.places);
  const { width, height } = canvas.getBoundingClientRect();
  const margin = 24;
  const scale = Math.min((width - 2 * margin) / bounds.width, (height - 2 * margin) / bounds.height, 1.15);
  view.scale = Math.max(scale, 0.02);
  view.x = (width - bounds.width * view.scale) / 2;
  view.y = (height - bounds.height * view.scale) / 2;
  view.fitted = true;
  move();
}

/** Return where to move so that a node is in the middle, without empty space at the sides of the graph. */
function centred(number, scale) {
  const place = view.places.get(number);
  const bounds = boundsOf(view.places);
  const { width, height } = canvas.getBoundingClientRect();
  const along = (middle, length, room) => {
    const margin = 24;
    if (length * scale + 2 * margin < room) return (room - length * scale) / 2;
    return Math.max(Math.min(room / 2 - middle * scale, margin), room - margin - length * scale);
  };
  return [
    along(place.x + WIDTH / 2, bounds.width, width),
    along(place.y + HEAD / 2, bounds.height, height),
    scale,
  ];
}

function centre(number, scale) {
  [view.x, view.y, view.scale] = centred(number, scale);
  view.fitted = false;
  move();
}

function bringIntoView(number, scale = view.scale) {
  const place = view.places.get(number);
  const { width, height } = canvas.getBoundingClientRect();
  const [left, top] = [place.x * view.scale + view.x, place.y * view.scale + view.y];
  const margin = 24;
  const inside =
    left >= margin &&
    left + WIDTH * view.scale <= width - margin &&
    top >= margin &&
    top + HEAD * view.scale <= height - margin;
  if (!inside || scale !== view.scale) fly(...centred(number, scale));
}

function zoom(factor, x, y) {
  cancelAnimationFrame(flight);
  const { width, height } = canvas.getBoundingClientRect();
  [x, y] = [x ?? width / 2, y ?? height / 2];
  const scale = Math.min(Math.max(view.scale * factor, 0.02), 4);
  view.x = x - (x - view.x) * (scale / view.scale);
  view.y = y - (y - view.y) * (scale / view.scale);
  view.scale = scale;
  view.fitted = false;
  move();
}
