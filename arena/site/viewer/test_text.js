/* Copy this view as a test: the text that `arena replay GAME --at STEP --as-test` prints. The
   arguments come as Python has written them (arena/site/replay_encoder.py), as changes of the question before;
   only lines are laid out here, as arena/records/questions.py does. */
"use strict";

const TEST_WIDTH = 88;
const TEST_HEAD = [
  "from arena.testing import decide, view_of", "",
  "# confined=True: in the sandbox, as the bot may be a stranger's. For a bot of your own,",
  "# confined=False runs it in this process with your permissions, where a debugger reaches it.",
];

/* Return the test of a question, by its index in the replay. */
function testText(replay, index) {
  const [step, seat, , answer] = replay.data.asked[index];
  const bot = replay.data.bots[seat] || "my_bot";
  const place = `${bot} game ${replay.id.slice(0, 8)} action ${step}`;
  const name = place.toLowerCase().replace(/[^0-9a-z_]+/g, "_").replace(/^_+|_+$/g, "");
  const held = answer === null ? "in view.legal" : `== ${python(replay.data.decisions[answer])}`;
  const lines = [
    ...TEST_HEAD, "", "",
    `def test_${name}() -> None:`, "    view = view_of(", `        ${python(replay.data.game)},`,
  ];
  for (const [field, told] of argumentsOf(replay, index)) lines.push(...argumentLines(field, told));
  lines.push("    )", `    assert decide(${python(bot)}, view, confined=True) ${held}`);
  return `${lines.join("\n")}\n`;
}

/* Return the arguments as [name, text], in the order of the view's fields. */
function argumentsOf(replay, index) {
  const seat = replay.data.asked[index][1];
  const texts = new Map();
  for (const [, who, , , changes = []] of replay.data.asked.slice(0, index + 1)) {
    if (who !== seat) continue;
    for (const [field, at, removed, text] of changes.map((edit) => replay.data.edits[edit])) {
      const before = texts.get(field) || "";
      texts.set(field, before.slice(0, at) + text + before.slice(at + removed));
    }
  }
  return replay.data.fields
    .map((name, field) => [name, texts.get(field) || ""])
    .filter(([, text]) => text);
}

function argumentLines(name, text) {
  const head = `        ${name}=`;
  if (head.length + text.length < TEST_WIDTH) return [`${head}${text},`];
  const lines = wrapped(text.slice(1, -1), TEST_WIDTH - 12);
  return [`${head}${text[0]}`, ...lines.map((line) => `            ${line}`),
    `        ${text[text.length - 1]},`];
}

/* Return lines of words, as long as they may be. */
function wrapped(text, width) {
  const lines = [];
  for (const word of text.split(" ")) {
    const last = lines.length - 1;
    if (last >= 0 && lines[last].length + 1 + word.length <= width) lines[last] += ` ${word}`;
    else lines.push(word);
  }
  return lines;
}

/* Return a text as Python reads it, in ASCII. */
function python(text) {
  return JSON.stringify(text).replace(/[\u007f-\uffff]/g, (char) =>
    `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
