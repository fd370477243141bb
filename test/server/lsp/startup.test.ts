import assert from "node:assert/strict";
import { build } from "esbuild";

/** Files that a module loads before it runs, with those that they load. */
async function loadedBy(entry: string): Promise<readonly string[]> {
  const { metafile } = await build({
    ...{ entryPoints: [entry], bundle: true, splitting: true, format: "esm", platform: "node", outdir: "unused" },
    ...{ packages: "external", write: false, metafile: true },
  });
  const outputs = new Map(Object.entries(metafile.outputs));
  const [first = ""] = [...outputs].flatMap(([name, { entryPoint }]) => (entryPoint === entry ? [name] : []));
  const found = new Set([first]);
  for (const name of found)
    for (const { path, kind } of outputs.get(name)?.imports ?? []) if (kind === "import-statement") found.add(path);
  return [...found].flatMap((name) => Object.keys(outputs.get(name)?.inputs ?? { [name]: {} }));
}

describe("what the server loads before it answers `initialize`", () => {
  it("is nothing of a session, and no package that is not for the connection", async () => {
    const loaded = await loadedBy("server/src/node/main.ts");
    const packages = loaded.filter((name) => !name.startsWith("server/") && !name.startsWith("node:"));
    assert.deepEqual([...new Set(packages)].sort(), ["vscode-languageserver", "vscode-languageserver/node"]);
    const folders = loaded.flatMap(
      (name) => /^server\/src\/(run|live|service|inspect|report|analysis)\//.exec(name) ?? [],
    );
    assert.deepEqual(folders, []);
  });
});
