// The search for jobs, datasets and columns.

const search = byId("search");
const results = byId("results");
let matches = [];
let active = 0;

function matching(text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = [];
  if (!words.length) return found;
  const hit = (value) => words.every((word) => value.includes(word));
  for (const node of entities) {
    if (hit(`${node.namespace}/${node.name}`.toLowerCase())) found.push({ node, column: -1 });
  }
  for (const node of entities) {
    node.columns.forEach(([name], column) => {
      if (hit(name.toLowerCase())) found.push({ node, column });
    });
  }
  return found;
}

function showResults() {
  matches = matching(search.value);
  active = 0;
  const items = matches.slice(0, 50).map(({ node, column }, index) => {
    const name = column < 0 ? node.label : node.columns[column][0];
    const place = column < 0 ? `${node.kind} in ${node.namespace}` : `column of ${node.label}`;
    return html(
      "li",
      {
        role: "option",
        id: `result-${index}`,
        "aria-selected": String(index === active),
        mousedown: (event) => {
          event.preventDefault();
          take(index);
        },
      },
      visible(name),
      html("small", {}, visible(place)),
    );
  });
  if (!items.length) items.push(html("li", { class: "none" }, "nothing found"));
  else if (matches.length > 50) items.push(html("li", { class: "none" }, `and ${matches.length - 50} more`));
  results.replaceChildren(...items);
  results.hidden = !search.value.trim();
  search.setAttribute("aria-expanded", String(!results.hidden));
}

function take(index) {
  const match = matches[index];
  if (!match) return;
  results.hidden = true;
  search.blur();
  canvas.focus();
  choose(match.node.number, match.column);
  bringIntoView(match.node.number, Math.max(view.scale, READABLE));
}

search.addEventListener("input", showResults);
search.addEventListener("focus", showResults);
search.addEventListener("blur", () => {
  results.hidden = true;
});
search.addEventListener("keydown", (event) => {
  if (event.key === "Enter") take(active);
  else if (event.key === "Escape") {
    search.value = "";
    search.blur();
    canvas.focus();
  } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    event.preventDefault();
    const last = Math.min(matches.length, 50) - 1;
    active = Math.max(0, Math.min(last, active + (event.key === "ArrowDown" ? 1 : -1)));
    [...results.children].forEach((item, index) =>
      item.setAttribute("aria-selected", String(index === active)),
    );
    results.children[active]?.scrollIntoView({ block: "nearest" });
    search.setAttribute("aria-activedescendant", `result-${active}`);
  }
  event.stopPropagation();
});
