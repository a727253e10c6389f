const at = location.hash.slice(1); // the step: #81, #81/as-2
const { hash } = document.links.watch;
if (at) document.links.watch.hash = `${hash.split("/")[0]}/${at}`;
location.replace(document.links.watch.href);
