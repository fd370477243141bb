import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { bundledPackages, noticesOf } from "../../scripts/lib/notices.mjs";
import { temporaryFolder } from "../support/temporaryFolder.ts";

describe("notices of bundled packages", () => {
  const folder = temporaryFolder();

  it("are of the packages whose code is in a bundle, also of one inside another", () => {
    const inputs = {
      "node_modules/@a/b/x.js": { bytesInOutput: 1 },
      "../c/node_modules/d/node_modules/e/lib/y.js": { bytesInOutput: 2 },
      "node_modules/unused/z.js": { bytesInOutput: 0 },
      "server/src/own.ts": { bytesInOutput: 3 },
    };
    const output = { bytes: 6, inputs, imports: [], exports: [] };
    assert.deepEqual(bundledPackages({ inputs: {}, outputs: { "dist/x.js": output } }), [
      "node_modules/@a/b",
      "../c/node_modules/d/node_modules/e",
    ]);
  });

  it("have each package by name and version, with its texts", () => {
    const notices = noticesOf([made("b", "MIT", ["LICENSE"]), made("a", "MPL-2.0", ["License.txt", "NOTICE"])]);
    assert.match(
      notices,
      /\na 1\.0\.0\nMPL-2\.0\n.*\n\nText of License\.txt\n\nText of NOTICE\n[\s\S]*\nb 1\.0\.0\nMIT\n/,
    );
  });

  it("are refused for a package without a licence text, and for a licence that asks for more", () => {
    assert.throws(() => noticesOf([made("bare", "MIT", ["NOTICE"])]), /bare 1\.0\.0 has no licence text/);
    for (const licence of ["GPL-3.0-only", "AGPL-3.0", "SEE LICENSE IN x", undefined])
      assert.throws(() => noticesOf([made("strict", licence, ["LICENSE"])]), /strict 1\.0\.0 has the licence/);
  });

  function made(name: string, license: string | undefined, texts: readonly string[]): string {
    const place = path.join(folder, name);
    mkdirSync(place, { recursive: true });
    writeFileSync(path.join(place, "package.json"), JSON.stringify({ name, version: "1.0.0", license }));
    for (const text of texts) writeFileSync(path.join(place, text), `Text of ${text}\n`);
    return place;
  }
});
