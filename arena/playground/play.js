/* A visitor's game: the viewer at its last step, with what may be decided there. */
"use strict";

const HERE = "#step-"; // of the game that is played
const TAKEN = /^#([\w-]{1,64})\/(\d{1,6})\/as-(\d{1,2})$/; // of a recorded game
const STEP = /^#step-(\d{1,6})$/;
const WORD = /^[\w -]{0,20}$/; // what may go into an element's classes
const LONGEST = 64; // characters of a decision, or of a card's words
const TOO_LATE = "time"; // the kind of fault
const CHAMPION = "champion";

/* The most that may be drawn of a game; real ones have a tenth. */
const MOST = {
  values: 200_000, characters: 2000, number: 1e6, steps: 5001, zones: 200, marks: 1000, choices: 300,
  moved: 40_000, movedInZone: 5000, // pieces, in all steps
};

/* Return whether there are few values in this, and none of them is large. */
function isSmall(whole) {
  const rest = [whole];
  for (let count = 0; rest.length; count += 1) {
    const value = rest.pop();
    if (count > MOST.values || value?.length > MOST.values) return false;
    if (typeof value === "string" && value.length > MOST.characters) return false;
    if (typeof value === "number" && Math.abs(value) > MOST.number) return false;
    if (value && typeof value === "object") for (const part of Object.values(value)) rest.push(part);
  }
  return true;
}

/* Return whether no zone is to hold more than can be drawn. */
function fits({ steps, zones, marks }) {
  const moved = zones.map(() => 0);
  for (const [, zone, at, , ...parts] of steps.flat()) {
    if (!Number.isInteger(moved[zone]) || !(at >= 0)) return false;
    moved[zone] += parts.length;
  }
  return steps.length <= MOST.steps && zones.length <= MOST.zones && marks.length <= MOST.marks
    && Math.max(0, ...moved) <= MOST.movedInZone && moved.reduce((sum, some) => sum + some, 0) <= MOST.moved;
}

/* Return a game so far as the page may use it: throws where it cannot be one. */
function checked(shown, { game, seats }) {
  const { replay, record, decisions, choices, faces } = shown;
  const data = JSON.parse(replay);
  if (![data, decisions, choices, faces].every(isSmall) || !fits(data)) throw new Error("too large");
  const texts = (list) => list.every((text) => typeof text === "string" && text.length <= LONGEST);
  const words = [...data.zones.map((zone) => zone.slice(3)), ...data.faces.map((face) => [face[2]])];
  words.push(data.sides, data.marks.map(([, kind]) => kind));
  const isGame = data.bots.length === seats.length && data.sides.length === seats.length
    && choices.length <= MOST.choices && [data.legend, data.options, data.good].every((some) => some.length < 100)
    && data.steps.length === data.turns.length
    && words.flat().every((word) => WORD.test(word)) && choices.every(texts) && typeof record === "string"
    && decisions.every(([seat, word]) => Number.isInteger(seat) && (word === null || texts([word])))
    && Object.values(faces).every((face) => texts(face) && WORD.test(face[2]));
  if (!isGame) throw new Error("no game");
  Object.assign(data, { game, pages: seats.map(() => "") }); // no address comes from there
  if (!data.result) data.ended = "Your turn.";
  return { replay: new Replay(data), record, decisions, choices, faces: new Map(Object.entries(faces)) };
}

const KEPT = `arena-play ${window.location.pathname}`; // other leagues may share the origin

/* Return the game of this tab, which a reload does not end: {start, decisions, note}, or {}. */
function keptGame() {
  try {
    return JSON.parse(window.sessionStorage.getItem(KEPT)) || {};
  } catch {
    return {}; // a browser may allow no storage
  }
}

function keepGame(game) {
  try {
    window.sessionStorage.setItem(KEPT, JSON.stringify(game));
  } catch { /* then a reload ends it */ }
}

class Visitor extends Player {
  constructor(about) {
    super();
    this.about = about;
    this.engine = new Engine(about);
    this.start = null; // of the game that is played
    this.note = "";
    this.isTyping = false;
    this.needsWorker = false; // for a bot of the game before may have changed the one there is
    this.shown = null; // the game so far
    this.isWaiting = false;
    this.seat = 0;
    this.parts.game.replaceChildren(...about.games.map(({ title, game }) => new Option(title, game)));
    this.offer();
    const isLocal = window.location.protocol === "file:";
    this.parts.local.hidden = !isLocal;
    this.parts.fold.hidden = isLocal;
    if (!isLocal) this.load();
  }

  async load() {
    const { bytes } = this.about;
    const tell = (come) => this.say(come < bytes
      ? `Loading Python and the bots: ${Math.round((100 * come) / bytes)} %`
      : "Starting Python and the bots ...");
    tell(0);
    try {
      await this.engine.open(tell);
    } catch (error) {
      this.say(`This browser could not start the bots (${error.message}). Reload the page to try again.`);
      return;
    }
    this.say("Ready.");
    this.parts.begin.disabled = false;
    const { start, decisions, note } = keptGame();
    if (start && !TAKEN.test(window.location.hash)) this.begin(start, note, decisions);
    else this.follow();
  }

  follow() {
    const { hash } = window.location;
    const [, step] = STEP.exec(hash) || [];
    const [, id, at, seat] = TAKEN.exec(hash) || [];
    if (step !== undefined) this.go(Number(step));
    else if (id !== undefined) this.take(id, Number(at), Number(seat));
    else if (hash.includes("/")) this.say("There is no game at this address.");
  }

  address(step) {
    return `${HERE}${step}`;
  }

  toGame() {
    return false;
  }

  /* List the numbers of players of the game chosen, then the opponents. */
  offer() {
    const { parts } = this;
    const { counts, game } = this.about.games[parts.game.selectedIndex];
    parts.how.href = `rules-${game}.html`;
    parts.players.replaceChildren(...counts.map((count) => new Option(count, count)));
    this.offerSeats();
  }

  offerSeats() {
    const { bots } = this.about;
    const selects = Array.from({ length: Number(this.parts.players.value) - 1 }, (_, at) => {
      const select = element("select", "");
      select.setAttribute("aria-label", `Bot in seat ${at + 1}`);
      select.append(...bots.map((bot) => new Option(bot, bot)));
      select.selectedIndex = at % bots.length;
      return select;
    });
    this.parts.opponents.replaceChildren(...selects);
  }

  /* Deal a game as the form says. */
  deal() {
    const { game, options } = this.about.games[this.parts.game.selectedIndex];
    const others = [...this.parts.opponents.children].map((select) => select.value);
    this.begin({ game, options, seats: ["", ...others] });
  }

  /* Begin a game, or go on after these decisions; `note` stands above it. */
  begin(start, note = "", decisions = []) {
    if (this.isWaiting || this.parts.begin.disabled) return;
    const { strangers } = this.about;
    this.needsWorker ||= Boolean(this.start) && this.start.seats.some((bot) => strangers.includes(bot));
    const seed = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16)).join(" ");
    this.start = { seed, ...start };
    this.note = note;
    this.seat = this.start.seats.indexOf("");
    this.shown = null;
    this.parts.fold.open = false;
    this.turn({ start: this.start, decisions });
  }

  introduce() {
    super.introduce();
    const { why } = this.parts;
    why.textContent = [this.note, why.textContent].filter(Boolean).join("; ");
  }

  /* Take over a seat of a recorded game at a step. */
  async take(id, at, seat) {
    const answer = await fetch(`games/${id}.json`);
    if (!answer.ok) {
      this.say(`There is no game ${id} here.`);
      return;
    }
    const record = await answer.json();
    const { game, options, meta, players } = record;
    if (seat >= players || at >= record.actions.length) {
      this.say(`That game has ${players} seats and ${record.actions.length} actions, counted from 0.`);
      return;
    }
    const { bots } = this.about;
    const stand = bots.includes(CHAMPION) ? CHAMPION : bots[0];
    const others = meta.bots.map((bot) => (bots.includes(bot) ? bot : stand));
    const seats = others.map((bot, its) => (its === seat ? "" : bot));
    const absent = meta.bots.filter((bot, its) => its !== seat && bot !== seats[its]);
    const instead = absent.length ? ` ${absent.join(", ")} cannot play here: ${stand} sits in.` : "";
    const note = `Game ${id}, from step ${at} on, with hidden cards dealt again.${instead}`;
    this.begin({ game, options, seats, record, at }, note);
  }

  /* Have the driver play on; a bot that is silent forfeits, and a new worker takes the game up. */
  async turn(message) {
    if (this.isWaiting) return;
    this.isWaiting = true;
    this.draw();
    try {
      if (this.needsWorker) await this.engine.restart();
      this.needsWorker = false;
      this.accept(await this.engine.ask(message));
    } catch {
      await this.recover(message);
    }
    this.isWaiting = false;
    this.draw();
  }

  /* Go on without the bot that was asked last, if it can be. */
  async recover(message) {
    const { seats } = this.start;
    const { seat } = this.engine;
    const before = message.decisions || (this.shown ? this.shown.decisions : []);
    const own = message.answer === undefined ? [] : [[this.seat, message.answer, ""]];
    const isBot = seat !== null && seat !== this.seat && seats[seat] !== undefined;
    const isOut = before.some(([its, word]) => its === seat && word === null);
    this.say(`${isBot ? seats[seat] : "A bot"} does not answer: a new interpreter starts ...`);
    try {
      await this.engine.restart();
      if (!isBot || isOut) throw new Error("no bot to blame");
      const decisions = [...before, ...own, [seat, null, TOO_LATE]];
      this.accept(await this.engine.ask({ start: this.start, decisions }));
    } catch {
      if (isBot && !isOut && this.engine.seat !== null) {
        await this.recover({ decisions: [...before, ...own, [seat, null, TOO_LATE]] });
        return;
      }
      this.shown = null;
      this.say("The bots could not go on with this game. Deal another one, or choose other bots.");
    }
  }

  accept(answer) {
    const before = this.shown ? this.shown.replay.last : this.start.at || 0;
    this.shown = checked(answer, this.start);
    const { replay } = this.shown;
    keepGame({ start: this.start, decisions: this.shown.decisions, note: this.note });
    this.replay = null; // it is another one, though of the same game
    this.open(replay, replay.last, this.isOver() ? 0 : this.seat + 1);
    this.parts.eyes.parentElement.hidden = !this.isOver();
    this.tell(Math.min(before, replay.last));
  }

  isOver() {
    return Boolean(this.shown && this.shown.replay.data.result);
  }

  /* Say all that happened after a step, and what is to be done. */
  tell(from) {
    const { replay } = this.shown;
    const heard = [];
    for (let step = from + 1; step <= replay.last; step += 1) heard.push(replay.words(step, this.seat + 1));
    const faults = replay.marks(0).filter(({ kind }) => kind === "fault").map(({ words }) => `${words}, here.`);
    const words = [...heard, ...faults, replay.data.ended].join(" ");
    this.say(words.replace(/(^|\. )you /g, "$1You "));
  }

  show() {
    super.show();
    if (this.isNow()) this.parts.asked.replaceChildren(element("p", "soft", "It is your turn."));
    this.draw();
  }

  /* Return whether what is shown is where the game has come to, and it goes on. */
  isNow() {
    return Boolean(this.shown) && !this.isOver() && this.step === this.shown.replay.last;
  }

  /* A seat's eyes alone, as long as the game is played. */
  look(eye) {
    if (this.isOver() || eye === this.seat + 1) super.look(eye);
  }

  /* Draw what may be done now. */
  draw(chosen = []) {
    const { parts } = this;
    const isAsked = !this.isWaiting && this.isNow();
    const ways = isAsked ? this.shown.choices.filter((way) => chosen.every((part, at) => way[at + 1] === part)) : [];
    const next = [...new Set(ways.map((way) => way[chosen.length + 1]))];
    const buttons = next.map((part) => this.choiceOf(part, () => {
      const whole = ways.filter((way) => way[chosen.length + 1] === part);
      if (whole.length === 1) this.answer(whole[0][0]);
      else this.draw([...chosen, part]);
    }));
    if (chosen.length) {
      buttons.unshift(element("span", "", `${chosen.map((part) => this.wordsOf(part)).join(" ")}:`));
      buttons.push(this.choiceOf("cancel", () => this.draw()));
    }
    if (this.isWaiting) buttons.push(element("p", "soft", "The bots think ..."));
    else if (!isAsked && !this.isOver()) buttons.push(this.choiceOf("Back to the game", () => this.go(Infinity)));
    parts.choices.replaceChildren(...buttons);
    const [first] = parts.choices.querySelectorAll("button");
    if (this.isTyping && first) first.focus({ preventScroll: true }); // the keyboard goes on from there
    parts.viewer.hidden = !this.shown;
    parts.choosing.hidden = !this.start || this.isOver();
    parts.after.hidden = !this.start;
    const own = this.shown && this.shown.decisions.some(([seat]) => seat === this.seat);
    turnOff(parts.undo, !own || this.isWaiting);
    turnOff(parts.hint, !isAsked);
    turnOff(parts.save, !this.isOver()); // before, it would have all hands in it
    parts.hinted.textContent = "";
  }

  wordsOf(part) {
    const face = this.shown.faces.get(part);
    return face ? face[1] : part;
  }

  choiceOf(part, choose) {
    const button = element("button", "choice");
    button.type = "button";
    const face = this.shown && this.shown.faces.get(part);
    if (face) {
      const [value, words, colour, sign] = face;
      button.append(cardOf({ value, words, colour, sign, by: null }), element("span", "hear", words));
    } else {
      button.append(part);
    }
    button.addEventListener("click", (event) => {
      this.isTyping = event.detail === 0; // a key's, or a script's
      if (event.detail < 2) choose(); // the second of a double click was meant for what was there before
    });
    return button;
  }

  answer(decision) {
    this.turn({ answer: decision });
  }

  /* Go back to the visitor's last decision. */
  undo() {
    const { decisions } = this.shown;
    const at = decisions.findLastIndex(([seat]) => seat === this.seat);
    this.turn({ start: this.start, decisions: decisions.slice(0, at) });
  }

  async hint() {
    this.isWaiting = true;
    const answer = await this.engine.ask({ hint: true }).catch(() => null);
    this.isWaiting = false;
    const way = this.shown.choices.find(([decision]) => answer && decision === answer.hint);
    if (!answer) {
      this.needsWorker = true;
      await this.turn({ start: this.start, decisions: this.shown.decisions });
    }
    const words = way ? way.slice(1).map((part) => this.wordsOf(part)).join(" ") : "";
    this.parts.hinted.textContent = way ? `${CHAMPION} would choose ${words}.` : "There is no hint here.";
  }

  save() {
    const link = element("a", "");
    link.href = URL.createObjectURL(new Blob([`${this.shown.record}\n`], { type: "application/json" }));
    link.download = `${this.start.game}.jsonl`;
    link.click();
    URL.revokeObjectURL(link.href);
  }

  bind() {
    super.bind();
    const { parts } = this;
    const whenOn = (part, way) => parts[part].addEventListener("click", () => {
      if (parts[part].getAttribute("aria-disabled") !== "true") way();
    });
    parts.setup.addEventListener("submit", (event) => {
      event.preventDefault();
      this.deal();
    });
    parts.game.addEventListener("change", () => this.offer());
    parts.players.addEventListener("change", () => this.offerSeats());
    whenOn("undo", () => this.undo());
    whenOn("hint", () => this.hint());
    whenOn("save", () => this.save());
    whenOn("again", () => this.begin(this.start, this.note));
    parts.link.hidden = true;
  }

  press(event) {
    const buttons = [...this.parts.choices.querySelectorAll("button")];
    const choice = buttons.find(({ textContent }) => textContent === event.key) || buttons[Number(event.key) - 1];
    const isFree = this.parts.letters.checked && !event.target.closest("input, select, dialog");
    if (/^\d$/.test(event.key) && choice && isFree && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      choice.click();
    } else {
      super.press(event);
    }
  }
}

const player = new Visitor(JSON.parse(document.getElementById("about").textContent));
