import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { statSync } from "node:fs";

/** What is written by hand, line by line. Other files are data, and data is easily copied from others. */
const written = /\.(?:ts|mjs|md|sol|lua|el)$/;

/** Larger files that are not, with what each is and where it comes from. */
const data: Readonly<Record<string, string>> = {
  "client/media/icon.png": "drawn for this project; icon.svg is its source",
  "devchain/artifacts/*.json": "compiled from devchain/contracts",
  "docs/pictures/*.png": "taken by scripts/pictures.ts of the package in VS Code",
  "examples/quickstart.recorded.rpc.json": "answers of the embedded chain, by scripts/recordQuickstart.ts",
  "examples/quickstart.rpc.json": "written here",
  "package-lock.json": "names, versions and hashes of packages, by npm",
  "package.json": "written here",
  "package.nls.json": "written here",
  "rpc-endpoints.schema.json": "by scripts/schema.ts, from the catalogue",
  "rpc-notebook.schema.json": "by scripts/schema.ts, from the catalogue",
  "rpc-recording.schema.json": "by scripts/schema.ts",
  "server/src/abi/signatures.txt":
    "names and types by scripts/signatures.ts, from packages with the MIT licence, which docs/signatures.md names",
  "syntaxes/rpc-request.tmLanguage.json": "written here",
  "test/corpus/requests.jsonl": "written here",
  "test/corpus/vectors.jsonl": "written here, encoded with viem",
  "test/e2e/host/package-lock.json": "names, versions and hashes of packages, by npm",
  "test/safety/privateKeyTexts.json": "written here",
  "test/server/analysis/messages.golden.txt": "our messages, by their test",
  "test/suites/tokens/package-lock.json": "names, versions and hashes of packages, by npm",
};

describe("the repository", () => {
  it("has no larger file of data but those whose origin is written here: none is copied", () => {
    const files = execFileSync("git", ["ls-files"], { encoding: "utf8" }).trim().split("\n");
    const larger = files.filter(
      (name) => !written.test(name) && (statSync(name, { throwIfNoEntry: false })?.size ?? 0) > 5_000,
    );
    const grouped = larger.map((name) => name.replace(/^(devchain\/artifacts|docs\/pictures)\/[^/]*(?=\.)/, "$1/*"));
    assert.deepEqual([...new Set(grouped)].sort(), Object.keys(data).sort());
  });
});
