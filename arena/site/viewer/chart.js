/* The chart below the bar: a number of each side's by step, as eyes see it. Which numbers there are
   is what the zones of seats say, and `arena explain`; this knows no game. */
"use strict";

const SHAPE = "http://www.w3.org/2000/svg";

function shape(tag, attributes) {
  const made = document.createElementNS(SHAPE, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

const CHANCES = ""; // the name of no zone

/* Return what can be charted as [name, words]: chances, then what the game is won by. */
function countsOf(replay) {
  const zones = replay.data.zones.filter(([name, seat, isCards]) => seat !== null && !isCards
    && replay.series(name, seat, 0).every((value) => !Number.isNaN(value)));
  const inOrder = [...zones.filter(([, , , look]) => look === "score"), ...zones];
  const counts = [...new Set(inOrder.map(([name]) => name))].map((name, at) =>
    [name, at || !replay.data.low_wins ? name : `${name} (fewest win)`]);
  return replay.data.chances.length ? [[CHANCES, "chances: % of opponents beaten"], ...counts] : counts;
}

/* Draw the numbers of one name and return them, by side and step. `showChart` marks the place. */
function drawChart(place, replay, name, eye) {
  const sides = replay.sides();
  const hasChances = name === CHANCES;
  const lines = sides.map((seats) => (hasChances ? replay.chances(seats, eye) : replay.series(name, seats[0], eye)));
  const known = hasChances ? [100] : lines.flat().filter((value) => value !== null);
  const [least, most] = [Math.min(0, ...known), Math.max(1, ...known)];
  const at = (value) => 88 - (78 * (value - least)) / (most - least);
  const drawn = shape("svg", { viewBox: `0 0 ${Math.max(replay.last, 1)} 100`, preserveAspectRatio: "none" });
  const rounds = replay.marks(eye).filter(({ kind }) => kind === "round");
  drawn.append(shape("path", { class: "rounds", d: rounds.map(({ step }) => `M${step} 0V100`).join("") }));
  drawn.append(shape("path", { class: "zero", d: `M0 ${at(0)}H${replay.last}` }));
  lines.forEach((values, side) => {
    const d = values.map((value, step) => {
      if (value === null) return "";
      const y = at(value).toFixed(1); // equal ones lie on each other: through dashes one sees those below
      return step && values[step - 1] !== null ? `H${step}V${y}` : `M${step} ${y}`;
    });
    drawn.append(shape("path", { class: `line line-${side}`, d: d.join("") }));
  });
  for (const { step, seat } of hasChances ? replay.costs(eye) : []) {
    const value = lines[sides.findIndex((seats) => seats.includes(seat))][step];
    drawn.append(shape("path", { class: "cost", d: `M${step} ${at(value)}h0` }));
  }
  drawn.append(shape("path", { class: "here" }));
  place.replaceChildren(drawn, element("span", "most", String(most)), element("span", "least", String(least)));
  return lines;
}

/* Mark the step in the chart, and say each side's number there. */
function showChart(place, names, replay, lines, step) {
  place.querySelector(".here").setAttribute("d", `M${step} 0V100`);
  names.replaceChildren(...replay.sides().map((seats, side) => {
    const sample = shape("svg", { viewBox: "0 0 28 4", "aria-hidden": "true" });
    sample.append(shape("path", { class: `line line-${side}`, d: "M0 2H28" }));
    const value = lines[side][step];
    const who = element("span", "bot", replay.namesOf(seats).map(([bot]) => bot).join(" and "));
    return element("li", "", sample, who, element("b", "", value === null ? "?" : String(value)));
  }));
}
