// The search for jobs, datasets and columns.

const MOST_RESULTS = 50;
const search = byId("search");
const results = byId("results");
let matches = [];
let active = 0;
let searched = null;

/** Return text in which names that look alike are the same. */
const comparable = (text) => visible(text).normalize("NFC").toLowerCase();

/** Return all jobs and datasets, then all columns, each with the text to search. */
function allSearched() {
  const ofNode = (node) => ({ node, column: -1, text: comparable(`${node.namespace}/${node.name}`) });
  const ofColumns = (node) =>
    node.columns.map(([name], column) => ({ node, column, text: comparable(name) }));
  return [...entities.map(ofNode), ...entities.flatMap(ofColumns)];
}

function matching(text) {
  const words = text.split(/\s+/).filter(Boolean).map(comparable);
  if (!words.length) return [];
  searched ??= allSearched();
  return searched.filter((entry) => words.every((word) => entry.text.includes(word)));
}

function showResults() {
  matches = matching(search.value);
  const items = matches.slice(0, MOST_RESULTS).map(({ node, column }, index) => {
    const name = column < 0 ? node.label : node.columns[column][0];
    const place = column < 0 ? `${node.kind} in ${node.namespace}` : `column of ${node.label}`;
    const press = (event) => {
      event.preventDefault();
      if (event.button === 0) take(index);
    };
    return html(
      "li",
      { role: "option", id: `result-${index}`, mousedown: press },
      visible(name),
      html("small", {}, visible(place)),
    );
  });
  const more = matches.length - items.length;
  if (!items.length || more) {
    items.push(html("li", { class: "none" }, more ? `and ${more} more` : "nothing found"));
  }
  results.replaceChildren(...items);
  setOpen(search.value.trim() !== "");
  setActive(0);
}

function setOpen(isOpen) {
  results.hidden = !isOpen;
  search.setAttribute("aria-expanded", String(isOpen));
}

/** Set which result Enter takes, the nearest one if there are fewer. */
function setActive(index) {
  const options = [...results.querySelectorAll("[role=option]")];
  active = Math.max(0, Math.min(index, options.length - 1));
  options.forEach((option, number) => option.setAttribute("aria-selected", String(number === active)));
  options[active]?.scrollIntoView({ block: "nearest" });
  search.setAttribute("aria-activedescendant", options[active]?.id ?? "");
}

function take(index) {
  const match = matches[index];
  if (!match) return;
  canvas.focus();
  choose(match.node.number, match.column);
  bringIntoView(match.node.number, Math.max(view.scale, READABLE));
}

search.addEventListener("input", showResults);
search.addEventListener("focus", showResults);
search.addEventListener("blur", () => setOpen(false));
search.addEventListener("keydown", (event) => {
  event.stopPropagation();
  if (event.isComposing) return; // Enter then ends the input of a character, such as a Chinese one.
  if (event.key === "Enter") take(active);
  else if (event.key === "Escape") {
    search.value = "";
    canvas.focus();
  } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    event.preventDefault();
    setActive(active + (event.key === "ArrowDown" ? 1 : -1));
  }
});
