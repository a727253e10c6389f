/* Runs Python, and with it the rules and the bots. Bots are strangers' code, and reach all that is here:
   the page takes nothing that comes from here on trust. */
"use strict";

self.onmessage = async ({ data: { wasm, files }, ports: [port] }) => {
  self.onmessage = null;
  const load = (bytes) => import(URL.createObjectURL(new Blob([bytes], { type: "text/javascript" })));
  // All that Pyodide asks for is here already.
  self.fetch = async () => new Response(files["python_stdlib.zip"]);
  WebAssembly.instantiateStreaming = async (_, imports) => ({
    module: wasm, instance: await WebAssembly.instantiate(wasm, imports),
  });
  const { loadPyodide } = await load(files["pyodide.mjs"]);
  const { default: createPyodideModule } = await load(files["pyodide.asm.mjs"]);
  const pyodide = await loadPyodide({
    createPyodideModule,
    indexURL: "https://pyodide.invalid/",
    lockFileContents: { info: { abi_version: "2026_0" }, packages: {} },
    env: { HOME: "/home/pyodide" },
  });
  const nowhere = { write: (bytes) => bytes.length }; // where bots print
  pyodide.setStdout(nowhere);
  pyodide.setStderr(nowhere);
  delete self.Worker; // a worker's own workers would outlive it
  delete self.SharedWorker;
  pyodide.unpackArchive(files["arena.zip"], "zip", { extractDir: "/arena" });
  pyodide.runPython("import sys; sys.path.insert(0, '/arena')");
  const driver = pyodide.pyimport("driver");
  const tell = (seat) => port.postMessage(JSON.stringify({ thinks: seat ?? null }));
  port.onmessage = ({ data }) => port.postMessage(driver.handle(data, tell));
  port.postMessage(JSON.stringify({ ready: true }));
};
