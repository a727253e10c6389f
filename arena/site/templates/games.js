/* The filter of the list of games: it shows what the address asks for, `#bot=mia&game=pool-2&show=lost`,
   and writes there what is chosen above the list. It shows the first of many, and all on request.
   Without it all games are listed. */
"use strict";

(() => {
  const FIRST = 50; // games that are shown until one asks for all
  const table = document.getElementById("games");
  const more = document.getElementById("more");
  const form = document.getElementById("filter");
  const fields = [...form.querySelectorAll("select")];
  const rows = [...table.querySelectorAll("tbody tr")]; // in their first order
  let isWhole = false;
  const words = (row, name) => row.dataset[name].split(" ");

  function fits(row, bot, game, show) {
    const won = words(row, "won");
    const ofBot = { won, lost: words(row, "lost") }[show] || [...won, ...words(row, "lost")];
    const isShown = show === "" || show in { won, lost: 0 } || words(row, "show").includes(show);
    return isShown && (bot === "" || ofBot.includes(bot)) && (game === "" || words(row, "game").includes(game));
  }

  function apply() {
    const { bot, show } = form.elements;
    for (const option of show.options) {
      if (["won", "lost"].includes(option.value)) option.disabled = bot.value === "";
    }
    if (show.selectedOptions.length === 0 || show.selectedOptions[0].disabled) show.value = "";
    const values = fields.map((field) => field.value);
    const fitting = [...table.querySelectorAll("tbody tr")].filter((row) => fits(row, ...values));
    const shown = new Set(isWhole ? fitting : fitting.slice(0, FIRST));
    for (const row of rows) row.hidden = !shown.has(row);
    more.hidden = shown.size === fitting.length;
    more.textContent = `Show all ${fitting.length}`;
    table.hidden = shown.size === 0;
    const first = more.hidden ? "" : `; the first ${shown.size} are shown`;
    const count = `${fitting.length} of ${rows.length} games here${first}`;
    document.getElementById("count").textContent = shown.size ? count : "No game matches.";
    const asked = new URLSearchParams(fields.filter(({ value }) => value).map(({ name, value }) => [name, value]));
    window.history.replaceState(null, "", `${window.location.pathname}${`${asked}` && `#${asked}`}`);
    for (const link of document.querySelectorAll(".pages a")) link.hash = asked;
    try { // the viewer goes on through these
      const ids = fitting.map((row) => row.querySelector("a").hash.slice(1).split("/")[0]);
      window.sessionStorage.setItem("arena-games", `${asked}` ? ids.join(" ") : "");
    } catch {} // a browser may allow no storage
  }

  /* Choose what the address asks for, as far as there is such a choice. */
  function obey() {
    const asked = new URLSearchParams(window.location.hash.slice(1));
    for (const field of fields) {
      const value = asked.get(field.name) || "";
      field.value = [...field.options].some((option) => option.value === value) ? value : "";
    }
    apply();
  }

  /* Show all games again, in their first order. */
  function reset() {
    table.querySelector("tbody").append(...rows);
    for (const head of table.querySelectorAll("[aria-sort]")) head.removeAttribute("aria-sort");
    apply();
  }

  form.hidden = false;
  form.addEventListener("change", apply);
  form.addEventListener("reset", () => setTimeout(reset));
  table.addEventListener("sort-end", apply);
  more.addEventListener("click", () => {
    isWhole = true;
    apply();
  });
  window.addEventListener("hashchange", obey);
  obey();
})();
