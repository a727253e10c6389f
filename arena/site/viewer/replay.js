/* A replay is a game as games/ID.js hands it over: what lies on the table at each step, kept as what
   changed, by the eyes that saw it. Eyes number 0 see all hands, eyes number n seat n - 1. What is
   said here comes from the rules, in Python (arena/site/replay_encoder.py); this only puts it together. */
"use strict";

const ZONE_GONE = -1; // in place of how many are taken out: the zone is not there any more

class Replay {
  constructor(data) {
    this.data = data;
    this.id = data.id;
    this.players = data.bots.length;
    this.last = data.steps.length - 1;
    this.layouts = new Map(); // by eyes: what lies in each zone, by step
  }

  /* Return what eyes see of the table at a step: zones with their pieces, in order. */
  zones(step, eye) {
    const lying = this.layout(eye)[step];
    const news = this.news(step, eye);
    const zones = [];
    this.data.zones.forEach(([name, seat, isCards, look, colour], number) => {
      if (lying[number] === undefined) return;
      const isNew = news.get(number) || (() => false);
      const pieces = lying[number].map((piece, at) => this.piece(piece, isNew(at)));
      zones.push({ name, seat, isCards, look, colour, pieces });
    });
    return zones;
  }

  piece(number, isNew) {
    if (number < 0) return { isBack: true };
    const [face, by] = this.data.pieces[number];
    const [value, words, colour, sign, isDown, isBack] = this.data.faces[face];
    return { value, words, colour, sign, isDown, isBack, by, isNew };
  }

  layout(eye) {
    if (!this.layouts.has(eye)) {
      let lying = [];
      this.layouts.set(eye, this.data.steps.map((changes) => {
        lying = lying.slice();
        for (const [eyes, zone, at, removed, ...parts] of changes) {
          if (!sees(eyes, eye)) continue;
          const pieces = (lying[zone] || []).slice();
          if (removed === ZONE_GONE) {
            lying[zone] = undefined;
            continue;
          }
          pieces.splice(at, removed, ...parts);
          lying[zone] = pieces;
        }
        return lying;
      }));
    }
    return this.layouts.get(eye);
  }

  /* Return by zone which places in it are new at a step. */
  news(step, eye) {
    const news = new Map();
    if (step === 0) return news;
    for (const [eyes, zone, at, , ...parts] of this.data.steps[step]) {
      if (sees(eyes, eye)) news.set(zone, (place) => place >= at && place < at + parts.length);
    }
    return news;
  }

  /* Return what eyes heard of the action before a step: [{seat, words}], seat null for the rules'. */
  heard(step, eye) {
    return this.data.heard[step]
      .filter(([eyes]) => sees(eyes, eye))
      .map(([, seat, words]) => ({ seat, words: this.data.words[words] }));
  }

  /* Return what a seat did last in the round, and whether that was the action before this step. */
  lastOf(seat, step, eye) {
    const ends = new Set(this.data.marks.filter(([, kind]) => kind === "round").map(([at]) => at));
    for (let at = step; at > 0 && (at === step || !ends.has(at)); at -= 1) {
      const did = this.heard(at, eye).filter((heard) => heard.seat === seat);
      if (did.length) return [did.map(({ words }) => words).join("; "), at === step];
    }
    return ["", false];
  }

  /* Return the same in sentences. */
  words(step, eye) {
    const said = this.data.said[step].find(([eyes]) => sees(eyes, eye));
    return said ? this.data.words[said[1]] : "Nothing that this seat can see.";
  }

  /* Return what was asked at a step: [{index, seat, legal, answer, hasTest, cost}]; a seat knows of
     its own. `cost` is the mark of a decision that cost its seat. */
  asked(step, eye) {
    const words = this.data.decisions;
    const asked = [...this.data.asked.entries()];
    const costs = this.costs(eye);
    return asked
      .filter(([, [at, seat]]) => at === step && (eye === 0 || eye === seat + 1))
      .map(([index, [, seat, legal, answer, changes]]) => ({
        index, seat, hasTest: changes !== undefined,
        legal: legal.map((word) => words[word]),
        answer: answer === null ? null : words[answer],
        cost: costs.find((cost) => cost.index === index),
      }));
  }

  /* Return what bots printed at a step: [{bot, line}]; with a seat's eyes, what its bot did. */
  prints(step, eye) {
    return this.data.prints
      .filter(([at, bot]) => at === step && (eye === 0 || bot === this.data.bots[eye - 1]))
      .map(([, bot, line]) => ({ bot, line }));
  }

  /* Return the marks of the timeline: [{step, action, kind, words}]. A fault and a costly decision have
     the step before the action; whatever else is marked has happened at its step. */
  marks(eye) {
    const marks = this.data.marks.map(([step, kind, seat, words]) => {
      if (kind === "round") return { step, kind, words: `${this.data.round}: ${this.words(step, 0)}` };
      if (kind !== "fault") return { step, kind, words };
      const why = words ? `: ${words}` : "";
      return { step, kind, words: `${this.name(seat)} forfeits${why}` };
    });
    const actionOf = ({ kind, step }) => (["fault", "cost"].includes(kind) ? step : step - 1);
    return [...marks, ...this.costs(eye)].map((mark) => ({ ...mark, action: actionOf(mark) }));
  }

  /* Return the marks of costly decisions, which a seat knows of its own; in order. */
  costs(eye) {
    return this.data.costs.flatMap(([index, better, words]) => {
      const [step, seat] = this.data.asked[index];
      const isSeen = eye === 0 || eye === seat + 1;
      return isSeen ? [{ index, step, seat, kind: "cost", better, words: `${this.name(seat)}${/s$/.test(this.name(seat)) ? "'" : "'s"} ${words}` }] : [];
    });
  }

  /* Return whether a seat has forfeited before a step. */
  isOut(seat, step) {
    return this.data.marks.some(([at, kind, who]) => kind === "fault" && who === seat && at < step);
  }

  /* Return who sits there: the bot, with the seat's number where another has the same name. */
  name(seat) {
    const bot = this.data.bots[seat];
    if (!bot) return `seat ${seat}`;
    return this.data.bots.filter((other) => other === bot).length > 1 ? `${bot} (${seat})` : bot;
  }

  /* Return the seats of each side. */
  sides() {
    const { sides } = this.data;
    return [...new Set(sides)].map((side) => [...sides.keys()].filter((seat) => sides[seat] === side));
  }

  /* Return the bots of a side as [name, page]; one that has all its seats once. */
  namesOf(seats) {
    const { bots, pages } = this.data;
    const isOne = seats.length > 1 && bots[seats[0]] && seats.every((seat) => bots[seat] === bots[seats[0]]);
    if (isOne) return [[bots[seats[0]], pages[seats[0]]]];
    return seats.map((seat) => [this.name(seat), pages[seat]]);
  }

  /* Return whether seats play in teams. */
  hasTeams() {
    return this.sides().length < this.players;
  }

  /* Return the chance of a side by step, as its last decision left it; null before, and of others' eyes. */
  chances(seats, eye) {
    const decided = new Map(this.data.chances
      .filter(([, seat]) => seats.includes(seat) && (eye === 0 || eye === seat + 1))
      .map(([step, , percent]) => [step, percent]));
    let last = null;
    return this.data.steps.map((_, step) => (last = decided.get(step) ?? last));
  }

  /* Return a number of a seat's by step: that of the zone of this name, null where eyes do not see it. */
  series(name, seat, eye) {
    const zone = this.data.zones.findIndex(([own, whose, isCards]) => own === name && whose === seat && !isCards);
    return this.layout(eye).map((lying) => {
      const { value, isBack } = this.piece((lying[zone] || [])[0] ?? -1, false);
      return isBack ? null : Number(value);
    });
  }
}

function sees(eyes, eye) {
  return Math.floor(eyes / 2 ** eye) % 2 === 1;
}
