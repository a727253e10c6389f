/* The table as it is drawn: what lies in the middle, and the seats around it, clockwise from the one
   that looks. This knows zones and cards, and no game. */
"use strict";

const MANY_CARDS = 8; // of more, each lies upon the next
const MOST_TOKENS = 12; // more are a number alone
const LONG_VALUE = 2; // signs on a card that are written large

/* Return an element with classes, children and texts; nothing is ever read as markup. */
function element(tag, classes, ...children) {
  const made = document.createElement(tag);
  if (classes) made.className = classes;
  made.append(...children);
  return made;
}

/* Draw a step of a replay in place of what is there, as eyes see it. */
function drawTable(place, replay, step, eye) {
  const zones = replay.zones(step, eye);
  const { middle, spots } = spotsOf(replay.players);
  const table = element("div", "table", middleOf(zones.filter(({ seat }) => seat === null)));
  table.style.setProperty("--middle", middle);
  for (let seat = 0; seat < replay.players; seat += 1) {
    const own = zones.filter((zone) => zone.seat === seat);
    const drawn = seatOf(replay, step, eye, seat, own);
    const nearest = Math.max(eye - 1, 0); // at the bottom
    drawn.style.setProperty("--spot", spots[(seat - nearest + replay.players) % replay.players]);
    table.append(drawn);
  }
  place.replaceChildren(table);
}

/* Return areas of a grid of twelve columns: the middle's, and the seats' clockwise from the bottom. */
function spotsOf(players) {
  const aside = [0, 0, 0, 0, 1, 1, 2, 2, 2][players] ?? Math.floor((players - 3) / 2);
  const rows = Math.max(aside, 1);
  const above = players - 1 - 2 * aside;
  const width = above === 1 ? 6 : above === 2 ? 5 : 12 / above;
  const margin = (12 - above * width) / 2;
  const left = Array.from({ length: aside }, (_, at) => `${rows + 1 - at} / 1 / auto / 4`);
  const top = Array.from({ length: above }, (_, at) => {
    const from = 1 + margin + at * width;
    return `1 / ${from} / auto / ${from + width}`;
  });
  const right = Array.from({ length: aside }, (_, at) => `${at + 2} / 10 / auto / 13`);
  return {
    middle: `2 / ${aside ? 4 : 1} / span ${rows} / ${aside ? 10 : 13}`,
    spots: [`${rows + 2} / 4 / auto / 10`, ...left, ...top, ...right],
  };
}

function middleOf(zones) {
  const middle = element("section", "middle");
  middle.setAttribute("aria-label", "middle of the table");
  const groups = { lying: [], counts: [], past: [] };
  for (const zone of zones) {
    const isCount = !zone.isCards || zone.look === "stack";
    groups[isCount ? "counts" : zone.look === "pile" ? "past" : "lying"].push(zoneOf(zone));
  }
  for (const [classes, some] of Object.entries(groups)) {
    if (some.length) middle.append(element("div", classes, ...some));
  }
  return middle;
}

function seatOf(replay, step, eye, seat, zones) {
  const over = step === replay.last && replay.data.result;
  const wins = over && over.ranks[seat] === 1;
  const turn = !over && replay.data.turns[step] === seat;
  const drawn = element("section", `seat${turn ? " turn" : ""}${wins ? " winner" : ""}`);
  const bot = replay.data.bots[seat] || `seat ${seat}`; // beside its number, also where names are alike
  const name = element("h2", "", badgeOf(replay, seat), element("span", "bot", bot));
  const head = element("div", "head", name);
  const score = zones.find(({ look }) => look === "score");
  if (replay.isOut(seat, step)) {
    drawn.classList.add("out");
    head.append(element("span", "forfeited", "forfeited"));
  }
  if (turn) head.append(element("span", "to-play", "to play"));
  if (over) head.append(element("span", "rank", wins ? "★ winner" : `place ${over.ranks[seat]}`));
  if (score) head.append(zoneOf(score));
  const own = zones.filter((zone) => zone !== score && !zone.isCards).map(zoneOf);
  if (own.length) drawn.append(head, element("div", "own", ...own));
  else drawn.append(head);
  drawn.append(...zones.filter((zone) => zone.isCards).map(zoneOf));
  const [words, isNow] = replay.lastOf(seat, step, eye);
  drawn.append(element("p", `did${isNow ? " now" : ""}`, words));
  return drawn;
}

/* Return a seat's number as a badge, in the colour of its side's line; each team has a shape too. */
function badgeOf(replay, seat) {
  const side = replay.data.sides[seat];
  return element("span", `badge line-${side}${replay.hasTeams() && side ? " square" : ""}`, String(seat));
}

/* Return a zone as it is drawn, and its words for who hears the page. */
function zoneOf(zone) {
  const drawn = element("div", `zone ${zone.isCards ? "of-cards" : "of-number"} look-${zone.look || "plain"}`);
  drawn.append(element("span", "hear", `${zone.name}: ${wordsOf(zone)}. `));
  const seen = element("div", "seen");
  seen.setAttribute("aria-hidden", "true");
  const name = element("span", "zone-name", zone.name);
  if (zone.isCards && zone.pieces.length > MANY_CARDS) name.append(` (${zone.pieces.length})`);
  seen.append(name, zone.isCards ? cardsOf(zone) : numberOf(zone));
  drawn.append(seen);
  return drawn;
}

function cardsOf(zone) {
  const many = zone.look === "pile" || zone.pieces.length > MANY_CARDS;
  const cards = element("div", `cards${many ? " many" : ""}`);
  cards.append(...zone.pieces.map(cardOf));
  if (!zone.pieces.length) cards.append(element("span", "none", "no cards"));
  return cards;
}

function cardOf(piece) {
  const card = element("span", "playcard");
  card.title = piece.words;
  if (piece.isNew) card.classList.add("new");
  if (piece.isBack && !piece.value) {
    card.classList.add("back");
  } else {
    if (piece.colour) card.classList.add(`in-${piece.colour}`);
    if (piece.isDown || piece.isBack) card.classList.add("down");
    const value = element("span", "value", piece.value);
    if (piece.value.length > LONG_VALUE) value.classList.add("long");
    card.append(value);
    if (piece.sign) card.append(element("span", "sign", piece.sign));
  }
  if (piece.by !== null) card.append(element("span", "by", String(piece.by)));
  return card;
}

function numberOf(zone) {
  const [piece] = zone.pieces;
  const text = piece.isBack ? "?" : piece.value;
  const number = element("span", `number${piece.isNew ? " new" : ""}`, text);
  if (zone.look === "stack") return element("span", "playcard back stack", number);
  if (zone.look !== "tokens" || piece.isBack) return number;
  const tokens = element("span", `tokens in-${zone.colour || "violet"}`, number);
  const count = Number(text);
  for (let at = 0; at < count && count <= MOST_TOKENS; at += 1) tokens.append(element("i", ""));
  return tokens;
}

/* Return what lies in a zone in words; backs are counted. */
function wordsOf(zone) {
  if (!zone.isCards) return zone.pieces[0].isBack ? "hidden" : zone.pieces[0].words;
  const seen = zone.pieces.filter((piece) => !piece.isBack || piece.value);
  const backs = zone.pieces.length - seen.length;
  const words = seen.map((piece) => piece.words);
  if (backs) words.push(`${backs} hidden`);
  return words.join(", ") || "none";
}
