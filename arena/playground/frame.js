/* The walls: this frame has an origin of its own and a policy without any address, which its workers
   inherit. It starts one worker at a time, with what the page hands in. */
"use strict";

let kept = null; // what all workers need: {text, wasm, files}
let worker = null;

self.addEventListener("message", async ({ source, data, ports: [port] }) => {
  if (source !== parent || self.origin !== "null") return;
  if (!kept) {
    const { text, files } = data;
    const { "pyodide.asm.wasm": bytes, ...others } = files;
    kept = WebAssembly.compile(bytes).then((wasm) => ({ text, wasm, files: others }));
  }
  const { text, wasm, files } = await kept;
  if (worker) worker.terminate();
  worker = new Worker(URL.createObjectURL(new Blob([text])));
  worker.postMessage({ wasm, files }, [port]);
});
parent.postMessage("here", "*");
