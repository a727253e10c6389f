/* The filter of the list of games: it shows what the address asks for, `#bot=mia&game=pool-2&show=lost`,
   and writes there what is chosen above the list. Without it all games are listed. */
"use strict";

(() => {
  const form = document.getElementById("filter");
  const fields = [...form.querySelectorAll("select")];
  const rows = [...document.querySelectorAll("#games tbody tr")];
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
    for (const row of rows) row.hidden = !fits(row, ...values);
    const shown = rows.filter((row) => !row.hidden).length;
    document.getElementById("count").textContent = `${shown} of ${rows.length} games here`;
    const asked = new URLSearchParams(fields.filter(({ value }) => value).map(({ name, value }) => [name, value]));
    window.history.replaceState(null, "", `${window.location.pathname}${`${asked}` && `#${asked}`}`);
    for (const link of document.querySelectorAll(".pages a")) link.hash = asked;
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

  form.hidden = false;
  form.addEventListener("change", apply);
  form.addEventListener("reset", () => setTimeout(apply));
  window.addEventListener("hashchange", obey);
  obey();
})();
