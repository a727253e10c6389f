/* The bots' interpreter, as the page has it: fetched, walled in by a frame, ended when it does not
   answer. What comes from there is a stranger's: bounded in size and number, and text alone. */
"use strict";

const LOAD_MS = 90_000; // of the interpreter: of a slow phone, too
const MOST_MESSAGES = 5000; // for one question
const MOST_CHARACTERS = 2_000_000; // of its messages together
const MOST_DECISIONS = 12; // whose time one question may take

/* Return what a text of JSON says, or null. */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

class Engine {
  constructor({ files, decide_ms }) {
    this.files = files; // addresses by name
    this.decideMs = decide_ms;
    this.frame = null;
    this.seat = null; // whose bot was asked last
  }

  /* Fetch all that is needed, and start. Rejects with a TypeError where a file cannot be fetched. */
  async open(tell) {
    let come = 0;
    const named = await Promise.all(Object.entries(this.files).map(async ([name, address]) => {
      const answer = await fetch(address);
      if (!answer.ok) throw new TypeError(address);
      const bytes = await answer.arrayBuffer();
      tell((come += bytes.byteLength));
      return [name, bytes];
    }));
    const { "frame.html": _, "worker.js": worker, ...files } = Object.fromEntries(named);
    this.frame = document.createElement("iframe");
    this.frame.sandbox = "allow-scripts";
    this.frame.hidden = true;
    this.frame.title = "The bots";
    const loaded = new Promise((resolve) => this.frame.addEventListener("load", resolve));
    this.frame.src = this.files["frame.html"];
    document.body.append(this.frame);
    await loaded;
    await this.restart({ text: new TextDecoder().decode(worker), files });
  }

  /* Start a new worker in place of the one there is. */
  async restart(more = {}) {
    if (this.port) this.port.close();
    const { port1, port2 } = new MessageChannel();
    this.port = port1;
    this.frame.contentWindow.postMessage(more, "*", [port2]);
    await this.wait(LOAD_MS);
  }

  /* Ask the driver; resolves with its answer, an object of JSON. Rejects if none comes. */
  ask(message) {
    this.port.postMessage(JSON.stringify(message));
    return this.wait(this.decideMs);
  }

  wait(ms) {
    const { port } = this;
    this.seat = null;
    return new Promise((resolve, reject) => {
      let [count, characters, timer] = [0, 0, 0];
      const end = performance.now() + MOST_DECISIONS * ms;
      const fail = () => {
        clearTimeout(timer);
        port.close();
        reject(new Error("no answer"));
      };
      const arm = () => {
        clearTimeout(timer);
        timer = setTimeout(fail, Math.min(ms, end - performance.now()));
      };
      port.onmessage = ({ data }) => {
        count += 1;
        characters += typeof data === "string" ? data.length : Infinity;
        const isMuch = characters > MOST_CHARACTERS || count > MOST_MESSAGES;
        const answer = isMuch ? null : parsed(data);
        if (answer === null || typeof answer !== "object") {
          fail();
        } else if ("thinks" in answer) {
          if (Number.isInteger(answer.thinks)) this.seat = answer.thinks;
          arm();
        } else {
          clearTimeout(timer);
          port.onmessage = null;
          resolve(answer);
        }
      };
      arm();
    });
  }
}
