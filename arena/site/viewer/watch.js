/* The viewer of recorded games: those of its page's list, or the only one that the page holds. The
   address says where we are: #GAME/STEP/as-SEAT. */
"use strict";

const SHOW = "?show"; // in the address where a show comes from the page before
const ADDRESS = /^#([\w-]{1,64})(?:\/(\d{1,6}))?(?:\/as-(\d{1,2}))?$/;

const replays = new Map(); // by id

/* What a script of games/ calls. */
function arenaGame(id, data) {
  replays.set(id, new Replay(data));
}

/* Return the ids of the games that the list of games showed last, in its order (games.js). */
function keptFilter() {
  try {
    return (window.sessionStorage.getItem("arena-games") || "").split(" ");
  } catch {
    return []; // a browser may allow no storage
  }
}

class Watcher extends Player {
  constructor() {
    super();
    this.links = [...document.querySelectorAll("#games a")];
    this.list = this.links.map((link) => link.hash.slice(1));
    this.isGoingOn = window.location.search === SHOW;
    if (this.isGoingOn) {
      document.documentElement.classList.add("show");
      window.history.replaceState(null, "", window.location.pathname + window.location.hash);
    }
    this.follow();
  }

  /* Obey the address; without a game in it, take the first of the list. */
  follow() {
    const { hash } = window.location;
    if (hash && document.getElementById(hash.slice(1))) return; // a link within the page
    const [, id = this.list[0], step = "0", seat] = ADDRESS.exec(hash) || [];
    if (id === undefined) {
      this.say("There is no game to watch here.");
    } else if (replays.has(id)) {
      this.open(replays.get(id), Number(step), seat === undefined ? 0 : Number(seat) + 1);
    } else {
      this.fetch(id);
    }
  }

  fetch(id) {
    const missing = `There is no game ${id} here; choose one of the list below.`;
    const script = document.createElement("script");
    script.src = `games/${id}.js`;
    script.onload = () => {
      if (replays.has(id)) this.follow();
      else this.say(missing);
    };
    script.onerror = () => this.say(missing);
    this.say(`Loading game ${id} ...`);
    document.head.append(script);
  }

  open(replay, step, eye) {
    super.open(replay, step, eye);
    if (this.isGoingOn) {
      this.isGoingOn = false;
      this.turnPlay();
    }
  }

  /* Return the address of the next game of the list, or of the one before: where the page's list
     ends, on another page; "" where there is none. */
  neighbour(way) {
    const at = this.list.indexOf(this.replay ? this.replay.id : "");
    if (at < 0) return "";
    if (this.list[at + way] !== undefined) return `#${this.list[at + way]}`;
    if (this.list.length < this.links.length) return "";
    const page = this.parts[way > 0 ? "next-page" : "page-before"];
    return page ? page.getAttribute("href") : "";
  }

  /* Open that game; return whether there is one. */
  toGame(way) {
    const address = this.neighbour(way);
    if (address) window.location.href = isShow() ? address.replace("html#", `html${SHOW}#`) : address;
    return address !== "";
  }

  address(step) {
    const seat = this.eye === 0 ? "" : `/as-${this.eye - 1}`;
    return `#${this.replay.id}/${step}${seat}`;
  }

  show() {
    super.show();
    const { take } = this.parts;
    if (take) {
      const turn = this.replay.data.turns[Math.min(this.step, this.replay.last - 1)] ?? 0;
      take.href = `play.html#${this.replay.id}/${this.step}/as-${this.eye ? this.eye - 1 : turn}`;
    }
  }

  introduce() {
    super.introduce();
    const { replay, parts } = this;
    this.filter();
    const here = this.links.find((link) => link.hash === `#${replay.id}`);
    const why = here ? here.parentElement.querySelector(".why").textContent : "";
    parts.why.textContent = [why, parts.why.textContent].filter(Boolean).join("; ");
    turnOff(parts["last-game"], !this.neighbour(-1));
    turnOff(parts["next-game"], !this.neighbour(1));
    for (const link of this.links) link.toggleAttribute("aria-current", link === here);
    if (here) here.closest("ol").scrollTop = here.offsetTop - here.closest("ol").offsetTop;
  }

  /* List what the list of games showed when one went on from it, if this game is among that. */
  filter() {
    const all = this.links.map((link) => link.hash.slice(1));
    const shown = keptFilter().filter((id) => all.includes(id));
    this.list = shown.includes(this.replay.id) ? shown : all;
    for (const [at, link] of this.links.entries()) link.parentElement.hidden = !this.list.includes(all[at]);
    this.parts.filtered.hidden = this.list.length === all.length;
  }

  /* Copy the address of the game's small page, with the step; or show and select it. */
  copyLink() {
    const page = this.address(this.step).slice(1).replace("/", ".html#");
    const { href } = new URL(`games/${page}`, window.location.href);
    copyText(href).then(() => this.say(`Copied: ${href}`), () => {
      this.say(href);
      window.getSelection().selectAllChildren(this.parts.status);
    });
  }

  bind() {
    super.bind();
    const { parts } = this;
    parts["last-game"].addEventListener("click", () => this.toGame(-1));
    parts["next-game"].addEventListener("click", () => this.toGame(1));
    parts.link.addEventListener("click", () => this.copyLink());
  }
}

const whole = document.getElementById("game"); // where the page holds its only game
if (whole) arenaGame(whole.dataset.id, JSON.parse(whole.textContent));
const player = new Watcher();
