import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { installedPackage } from "./installed.ts";

describe("the package", () => {
  let extension: string;

  before(async () => {
    extension = await installedPackage();
  });

  it("contains what users need, and nothing else", () => {
    const files = readdirSync(extension, { recursive: true, encoding: "utf8" })
      .filter((name) => statSync(path.join(extension, name)).isFile())
      .map((name) => name.replace(/^dist\/server\/chunks\/.*\.mjs$/, "dist/server/chunks/*.mjs"))
      .map((name) => name.replace(/^docs\/\w+\.md$/, "docs/*.md"));
    assert.deepEqual([...new Set(files)].sort(), [
      ".vsixmanifest",
      "LICENSE.txt",
      "changelog.md",
      "client/media/ci.svg",
      "client/media/decoded.svg",
      "client/media/hover.svg",
      "client/media/icon.png",
      "client/media/write.svg",
      "dist/THIRD-PARTY-NOTICES.txt",
      "dist/cli.mjs",
      "dist/client/extension.cjs",
      "dist/client/extension.web.js",
      "dist/page.js",
      "dist/quickstart.json",
      "dist/renderer.js",
      "dist/server/abi/signatures.txt",
      "dist/server/chunks/*.mjs",
      "dist/server/code.mjs",
      "dist/server/evmole_bg.wasm",
      "dist/server/main.mjs",
      "dist/server/trace.js",
      "dist/server/trace.mjs",
      "dist/server/worker.js",
      "docs/*.md",
      "package.json",
      "package.nls.json",
      "readme.md",
      "rpc-endpoints.schema.json",
      "rpc-notebook.schema.json",
      "rpc-recording.schema.json",
      "syntaxes/language-configuration.json",
      "syntaxes/rpc-notebook.tmLanguage.json",
      "syntaxes/rpc-request.tmLanguage.json",
    ]);
  });

  it("has the notice of each package whose code it contains, by name and version, and of no other", () => {
    const notices = readFileSync(path.join(extension, "dist/THIRD-PARTY-NOTICES.txt"), "utf8");
    const noticed = notices.split(`\n${"=".repeat(80)}\n\n`).slice(1);
    const bundled = packagesIn(JSON.parse(readFileSync("dist/metafiles.json", "utf8")));
    assert.ok(bundled.includes("viem 2.57.1") && bundled.includes("fflate 0.8.3"), "the packages are found");
    assert.deepEqual(noticed.map((notice) => notice.split("\n", 1)[0]).sort(), bundled);
    for (const notice of noticed) assert.match(notice, /copyright/i, notice.slice(0, 40));
  });

  it("contains every file that its manifest names", () => {
    const manifest = readFileSync(path.join(extension, "package.json"), "utf8");
    const named = [...manifest.matchAll(/"(\.\/[^"*]+)"/g)].map(([, name]) => name ?? "");
    assert.ok(named.length >= 6, "there is more than one file to look for");
    for (const name of named) assert.ok(statSync(path.join(extension, name)).isFile(), name);
  });

  it("has the pictures of its page inside of the page", () => {
    const page = readFileSync(path.join(extension, "readme.md"), "utf8");
    const pictures = [...page.matchAll(/!\[[^\]]+\]\((.{22})/g)].map(([, start]) => start);
    assert.equal(pictures.length, 6);
    for (const start of pictures) assert.equal(start, "data:image/png;base64,");
  });

  it("starts in a browser, too", () => {
    const { main, browser } = JSON.parse(readFileSync(path.join(extension, "package.json"), "utf8"));
    assert.match(main, /\.cjs$/, "VS Code goes by the ending of `main`, and in a browser it takes no module");
    assert.match(browser, /\.js$/);
  });

  it("has each text that its manifest refers to", () => {
    const manifest = readFileSync(path.join(extension, "package.json"), "utf8");
    const texts = JSON.parse(readFileSync(path.join(extension, "package.nls.json"), "utf8"));
    const used = [...manifest.matchAll(/"%([\w.]+)%"/g)].map(([, key]) => key ?? "");
    assert.deepEqual([...new Set(used)].sort(), Object.keys(texts).sort());
  });
});

type Inputs = Readonly<Record<string, { readonly bytesInOutput: number }>>;
type Metafile = { readonly outputs: Readonly<Record<string, { readonly inputs: Inputs }>> };

/** Names and versions of the packages that files of a build are from: what their nearest manifest with a version says. */
function packagesIn(metafiles: readonly Metafile[]): readonly string[] {
  const inputs = metafiles.flatMap(({ outputs }) =>
    Object.values(outputs).flatMap((one) => Object.entries(one.inputs)),
  );
  const found = inputs
    .filter(([file, { bytesInOutput }]) => bytesInOutput > 0 && file.includes("node_modules/"))
    .map(([file]) => {
      for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
        const manifest = path.join(folder, "package.json");
        const { name, version } = existsSync(manifest) ? JSON.parse(readFileSync(manifest, "utf8")) : {};
        if (version !== undefined) return `${name} ${version}`;
      }
    });
  return [...new Set(found)].sort();
}
