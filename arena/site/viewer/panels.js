/* What stands beside the table: who was asked what, what bots printed, and all actions in words. */
"use strict";

const LONGEST_LOG = 3000; // of more actions only those with a mark are listed

/* Draw the questions of a step; `copy` is called with a question's index and the button pressed. */
function drawAsked(place, replay, step, eye, copy) {
  const asked = replay.asked(step, eye).map((one) => questionOf(replay, one, copy));
  if (!asked.length) asked.push(element("p", "soft", whyNone(replay, step, eye)));
  place.replaceChildren(...asked);
}

function whyNone(replay, step, eye) {
  if (step === replay.last && replay.data.result) return "The game is over.";
  if (eye !== 0) return "This bot decides nothing here.";
  return "No bot decides here: only one action is possible, or Arena plays for a bot that forfeited.";
}

function questionOf(replay, { index, seat, legal, answer, hasTest, cost }, copy) {
  const ways = element("ul", "ways");
  ways.tabIndex = 0; // where there are many it scrolls: a keyboard has to reach it
  for (const word of legal) {
    const isBetter = cost && word === cost.better;
    const way = element("li", word === answer ? "chosen" : isBetter ? "better" : "", word);
    if (word === answer) way.append(element("span", "hear", " (chosen)"));
    ways.append(way);
  }
  if (answer === null) ways.append(element("li", "fault", "forfeits"));
  const bot = replay.name(seat);
  const head = element("p", "", badgeOf(replay, seat), element("b", "bot", bot));
  if (hasTest) {
    const button = element("button", "", "Copy as a test");
    button.type = "button";
    button.title = `Copy what ${bot} saw here as a test for pytest`;
    button.addEventListener("click", () => copy(index, button));
    head.append(button);
  }
  return element("div", "question", head, ways, ...(cost ? [element("p", "cost", `${cost.words}.`)] : []));
}

/* Draw what bots printed before the action at a step. */
function drawPrints(place, replay, step, eye) {
  const lines = replay.prints(step, eye).map(({ bot, line }) => {
    const who = element("b", "", bot ? `${bot}: ` : "");
    return element("li", "", who, element("code", "", line));
  });
  if (!lines.length) lines.push(element("li", "soft", "Nothing here."));
  place.replaceChildren(...lines);
}

/* List the actions by round, as eyes heard them, and the end; `address` gives the step before each. */
function drawLog(place, replay, eye, address) {
  const marks = replay.marks(eye);
  const ends = marks.filter(({ kind }) => kind === "round").map(({ step }) => step);
  const { round } = replay.data;
  const groups = ends.map((end, at) => groupOf(`${round} ${at + 1}`, replay.words(end, eye)));
  groups.push(groupOf(ends.length ? `after the last ${round}` : "all actions", ""));
  for (let step = 0, at = 0; step <= replay.last; step += 1) {
    const here = marks.filter(({ action }) => action === step);
    if (replay.last > LONGEST_LOG && !here.length) continue;
    const next = here.filter((mark) => mark.step === step);
    const did = step < replay.last ? replay.words(step + 1, eye) : replay.data.ended || "Not shown.";
    const words = [did, ...next.map((mark) => `${mark.words}.`)];
    const number = element("b", "", String(step));
    const link = element("a", "", number, element("span", "", words.join(" ")));
    link.href = address(step);
    link.tabIndex = -1; // one of them is a stop of the tab key: where we are
    const line = element("li", here.map(({ kind }) => `at-${kind}`).join(" "), link);
    line.dataset.step = step;
    groups[at].lastChild.append(line);
    groups[at].classList.add(...next.map(({ kind }) => `at-${kind}`));
    if (step + 1 === ends[at] && ends[at] < replay.last) at += 1;
  }
  const filled = groups.filter((group) => group.lastChild.children.length);
  place.replaceChildren(...filled.map((group) => element("li", "", group)));
}

function groupOf(name, words) {
  const summary = element("summary", "", element("b", "", name), words);
  summary.tabIndex = -1; // the steps' own keys open it
  return element("details", "", summary, element("ol"));
}

/* Show in the list where we are; the focus goes along if it is there. */
function pointAt(place, step) {
  const had = place.contains(document.activeElement);
  for (const group of place.querySelectorAll("details")) group.open = false;
  for (const link of place.querySelectorAll("[aria-current]")) {
    link.removeAttribute("aria-current");
    link.tabIndex = -1;
  }
  const line = place.querySelector(`[data-step="${step}"]`);
  if (!line) return;
  const link = line.querySelector("a");
  line.closest("details").open = true;
  link.setAttribute("aria-current", "step");
  link.tabIndex = 0;
  if (had) link.focus({ preventScroll: true });
  const [inner, outer] = [line, place].map((each) => each.getBoundingClientRect());
  place.scrollTop += inner.top - outer.top - place.clientHeight / 2;
}

/* Draw the marks along the timeline, and a legend of those that there are; `go` goes to a step. */
function drawMarks(place, legend, replay, eye, go) {
  const marks = replay.marks(eye);
  place.replaceChildren(...marks.map(({ step, action, kind, words }) => {
    const mark = element("i", `mark at-${kind}`);
    mark.style.setProperty("--at", String(step / Math.max(replay.last, 1)));
    mark.title = `action ${action}: ${words}`;
    mark.addEventListener("click", () => go(step));
    return mark;
  }));
  const names = { fault: "fault", cost: "costly decision", round: replay.data.round, table: "by the rules" };
  const kinds = Object.keys(names).filter((kind) => marks.some((mark) => mark.kind === kind));
  legend.replaceChildren(...kinds.flatMap((kind) => [element("i", `mark at-${kind}`), ` ${names[kind]} `]));
}

/* List what the game's cards do that no number says; show of `marks` those that this game has. */
function drawCards(place, marks, replay) {
  marks.down.hidden = !replay.data.faces.some(([, , , , isDown]) => isDown);
  marks.by.hidden = !replay.data.pieces.some(([, by]) => by !== null);
  place.replaceChildren(...replay.data.legend.flatMap(([value, name, colour, sign, isDown, words]) => {
    const card = cardOf({ value, words: name, colour, sign, isDown, isBack: false, by: null, isNew: false });
    card.setAttribute("aria-hidden", "true");
    return [element("dt", "", card, element("span", "", name)), element("dd", "", words)];
  }));
}
