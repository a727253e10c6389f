/* What whoever watches does: goes from step to step, looks as a seat, lets it play, copies a view as
   a test. A page says where its games come from: `watch.js`, or `play.js`. */
"use strict";

const LEAST_SHOW = 704; // px: on less the seats are a list, which one scrolls
const END_MS = 4000; // before the next game, in the show

/* Say of a button that it would do nothing; it keeps the focus. */
function turnOff(button, isOff) {
  button.setAttribute("aria-disabled", String(isOff));
}

/* Copy a text; the promise fails where a browser does not allow it, as some do in a file's page. */
function copyText(text) {
  const { clipboard } = window.navigator;
  return clipboard ? clipboard.writeText(text) : Promise.reject(new Error("none"));
}

function isShow() {
  return document.documentElement.classList.contains("show");
}

/* A page of the viewer adds `address(step)`, `follow()`, which obeys an address, and `toGame(way)`, which
   returns whether there is another game. */
class Player {
  constructor() {
    this.replay = null;
    this.step = 0;
    this.eye = 0;
    this.timer = null;
    this.parts = {};
    for (const part of document.querySelectorAll("[data-part]")) {
      this.parts[part.dataset.part] = part;
    }
    this.parts.without.hidden = true;
    this.bind();
  }

  /* Show a replay at a step, or at the nearest there is. */
  open(replay, step, eye) {
    const isOther = replay !== this.replay;
    const isSameEye = !isOther && eye === this.eye;
    this.replay = replay;
    this.eye = eye <= replay.players ? eye : 0;
    this.step = Math.min(step, replay.last);
    if (isOther) this.introduce();
    if (!isSameEye) this.listSteps();
    this.show();
  }

  go(step) {
    if (this.replay) this.open(this.replay, Math.max(0, step), this.eye);
  }

  look(eye) {
    if (this.replay && eye <= this.replay.players) this.open(this.replay, this.step, eye);
  }

  /* Go to the next mark, or the one before. */
  toMark(way) {
    if (!this.replay) return;
    const steps = this.replay.marks(this.eye).map(({ step }) => step);
    const there = steps.filter((step) => (step - this.step) * way > 0);
    if (there.length) this.go(way > 0 ? Math.min(...there) : Math.max(...there));
  }

  turnPlay() {
    if (this.timer !== null) {
      this.stop();
    } else if (this.replay) {
      if (this.step === this.replay.last) this.go(0);
      this.parts.status.setAttribute("aria-live", "off"); // or it would be read for minutes
      this.wait();
    }
  }

  wait() {
    const isEnd = this.step === this.replay.last;
    this.timer = setTimeout(() => this.tick(), isEnd ? END_MS : 1000 / this.parts.speed.value);
    this.parts.play.setAttribute("aria-pressed", "true");
  }

  tick() {
    const isEnd = this.step === this.replay.last;
    if (!isEnd) this.go(this.step + 1);
    const goesOn = isEnd ? this.toGame(1) : isShow() || this.step < this.replay.last;
    if (goesOn) this.wait();
    else this.stop();
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = null;
    this.parts.status.setAttribute("aria-live", "polite");
    this.parts.play.setAttribute("aria-pressed", "false");
  }

  say(text) {
    this.parts.status.textContent = text;
  }

  /* Fill in what belongs to a game, at all its steps. */
  introduce() {
    const { replay, parts } = this;
    parts.title.replaceChildren(...this.heading());
    document.title = parts.title.textContent;
    parts.why.textContent = [...replay.data.options, ...replay.data.good].join("; ");
    parts.rules.href = `rules-${replay.data.game}.html`;
    drawCards(parts.cards, { down: parts["of-down"], by: parts["of-by"] }, replay);
    parts.count.replaceChildren(...countsOf(replay).map(([name, words]) => new Option(words, name)));
    parts.charted.hidden = parts.count.length === 0;
    parts.viewer.hidden = false;
    parts.range.max = parts.jump.max = replay.last;
    const { actions } = replay.data;
    const rest = actions > replay.last ? `; the game has ${actions}, arena replay shows them` : "";
    parts.steps.textContent = `of ${replay.last}${rest}`;
    const seats = replay.data.bots.map((bot, seat) => new Option(`as ${`${seat} ${bot}`.trim()} sees it`, seat + 1));
    parts.eyes.replaceChildren(new Option("all hands open", 0), ...seats);
    document.documentElement.style.fontSize = "";
    parts.printed.hidden = replay.data.prints.length === 0;
    parts.test.hidden = true;
  }

  /* Return who plays what, each bot a link to its page. */
  heading() {
    const { replay } = this;
    const sides = replay.sides();
    const between = sides.length === 2 ? " against " : ", ";
    return sides.flatMap((seats, at) => replay.namesOf(seats).flatMap(([bot, page], nth) => {
      const name = element(page ? "a" : "span", "", bot);
      if (page) name.href = page;
      return [nth ? " and " : at ? between : `${replay.data.title}: `, name];
    }));
  }

  listSteps() {
    const { parts, replay, eye } = this;
    drawLog(parts.log, replay, eye, (step) => this.address(step));
    drawMarks(parts.marks, parts.legend, replay, eye, (step) => this.go(step));
    this.chart();
  }

  chart() {
    const { parts, replay, eye } = this;
    if (!parts.charted.hidden) this.lines = drawChart(parts.chart, replay, parts.count.value, eye);
  }

  /* Make the show as small as its window asks for; within a game it never grows again. */
  fit() {
    const page = document.documentElement;
    if (!isShow() || window.innerWidth < LEAST_SHOW) return;
    for (let tries = 0; tries < 5 && page.scrollHeight > window.innerHeight; tries += 1) {
      const size = parseFloat(getComputedStyle(page).fontSize);
      page.style.fontSize = `${(size * window.innerHeight * 0.98) / page.scrollHeight}px`;
    }
  }

  /* Draw the step where we are: alike, whichever way we came to it. */
  show() {
    const { replay, parts, step, eye } = this;
    window.history.replaceState(null, "", this.address(step));
    drawTable(parts.table, replay, step, eye);
    const words = step ? `Action ${step - 1}: ${replay.words(step, eye)}` : "Before the first action.";
    this.say(`${words} ${step === replay.last ? replay.data.ended : ""}`);
    if (!parts.charted.hidden) showChart(parts.chart, parts.names, replay, this.lines, step);
    parts.range.value = step;
    parts.range.setAttribute("aria-valuetext", `step ${step} of ${replay.last}. ${words}`);
    parts.jump.value = step;
    parts.eyes.value = eye;
    for (const part of ["first", "back"]) turnOff(parts[part], step === 0);
    for (const part of ["next", "end"]) turnOff(parts[part], step === replay.last);
    drawAsked(parts.asked, replay, step, eye, (index, button) => this.copy(index, button));
    drawPrints(parts.prints, replay, step, eye);
    pointAt(parts.log, step);
    this.fit();
  }

  /* Copy a question's test, and show it: from a file a browser may allow no other way. */
  copy(index, button) {
    const text = testText(this.replay, index);
    this.parts["test-text"].textContent = text;
    this.parts.test.hidden = false;
    copyText(text).then(
      () => button.replaceChildren("Copied"),
      () => button.replaceChildren("Copy it from below"),
    );
  }

  /* Obey buttons and keys. */
  bind() {
    const { parts } = this;
    const ways = {
      first: () => this.go(0),
      back: () => this.go(this.step - 1),
      play: () => this.turnPlay(),
      next: () => this.go(this.step + 1),
      end: () => this.go(Infinity),
      "last-mark": () => this.toMark(-1),
      "next-mark": () => this.toMark(1),
      show: () => this.turnShow(),
      leave: () => this.leaveShow(),
      help: () => parts.keys.showModal(),
      close: () => parts.keys.close(),
    };
    for (const [part, way] of Object.entries(ways)) parts[part].addEventListener("click", way);
    parts.range.addEventListener("input", () => this.go(Number(parts.range.value)));
    parts.jump.addEventListener("change", () => this.go(Number(parts.jump.value)));
    parts.eyes.addEventListener("change", () => this.look(Number(parts.eyes.value)));
    parts.count.addEventListener("change", () => { this.chart(); this.show(); });
    for (const event of ["pointerdown", "pointermove"]) {
      parts.chart.addEventListener(event, (pointer) => {
        const { left, width } = parts.chart.getBoundingClientRect();
        if (pointer.buttons) this.go(Math.round(((pointer.clientX - left) / width) * this.replay.last));
      });
    }
    window.addEventListener("hashchange", () => this.follow());
    window.addEventListener("resize", () => {
      document.documentElement.style.fontSize = "";
      this.fit();
    });
    document.addEventListener("keydown", (event) => this.press(event));
    document.addEventListener("fullscreenchange", () => {
      if (!document.fullscreenElement) this.leaveShow();
    });
  }

  press(event) {
    const isTyped = event.target.closest("input, select, dialog");
    const isButton = event.target.closest("button, summary") && [" ", "Enter"].includes(event.key);
    const isOff = event.key.length === 1 && !this.parts.letters.checked;
    if (event.ctrlKey || event.metaKey || event.altKey || isTyped || isButton || isOff) return;
    const isLog = event.target.closest(".log");
    const keys = {
      ...(isLog && { ArrowDown: () => this.go(this.step + 1), ArrowUp: () => this.go(this.step - 1) }),
      ArrowRight: () => this.go(this.step + 1),
      ArrowLeft: () => this.go(this.step - 1),
      Home: () => this.go(0),
      End: () => this.go(Infinity),
      " ": () => this.turnPlay(),
      n: () => this.toMark(1),
      p: () => this.toMark(-1),
      a: () => this.look(0),
      g: () => this.parts.jump.select(),
      f: () => this.turnShow(),
      "+": () => this.hasten(1),
      "-": () => this.hasten(-1),
      "?": () => this.parts.keys.showModal(),
      Escape: () => this.leaveShow(),
    };
    const way = /^\d$/.test(event.key) ? () => this.look(Number(event.key) + 1) : keys[event.key];
    if (!way) return;
    event.preventDefault();
    way();
  }

  hasten(by) {
    const { speed } = this.parts;
    speed.selectedIndex = Math.max(0, Math.min(speed.selectedIndex + by, speed.length - 1));
  }

  turnShow() {
    if (isShow()) {
      this.leaveShow();
      return;
    }
    const page = document.documentElement;
    page.classList.add("show");
    this.fit();
    if (page.requestFullscreen) page.requestFullscreen().catch(() => {}); // the window will do
  }

  leaveShow() {
    document.documentElement.classList.remove("show");
    document.documentElement.style.fontSize = "";
    if (document.fullscreenElement) document.exitFullscreen();
  }
}
