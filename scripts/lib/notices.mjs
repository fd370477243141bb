import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** Licences that ask for no more than a notice; MPL-2.0 also asks for the source, which an unmodified package has at its registry. */
const permissive = new Set(
  "0BSD Apache-2.0 BlueOak-1.0.0 BSD-2-Clause BSD-3-Clause CC0-1.0 ISC MIT MPL-2.0 Unlicense".split(" "),
);

/** `node_modules/NAME` at the start of a file's path, however deep the packages lie in one another. */
const packageFolder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;

/**
 * The folders of the packages whose code is in a build.
 *
 * @param {import("esbuild").Metafile} metafile
 * @returns {readonly string[]}
 */
export function bundledPackages({ outputs }) {
  const files = Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? [file] : [])),
  );
  return [...new Set(files.flatMap((file) => packageFolder.exec(file)?.[0] ?? []))];
}

/**
 * The notices of packages: name, version and licence of each, where its source is, and every text that it asks to keep.
 *
 * @param {readonly string[]} folders
 * @throws {Error} if a package has no licence text, or a licence that is not permissive.
 */
export function noticesOf(folders) {
  const notices = new Map(folders.map((folder) => [readManifest(folder).id, folder]));
  const texts = [...notices].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, folder]) => noticeOf(folder));
  return [head, ...texts].join(`\n${"=".repeat(80)}\n\n`);
}

const head = `RPC Notebook contains code of these packages. Their code is unmodified, apart from minification.
The source of each is at its homepage, and in its package of that version in the npm registry.
`;

/** @param {string} folder */
function noticeOf(folder) {
  const { id, license, homepage } = readManifest(folder);
  if (!permissive.has(license)) throw new Error(`${id} has the licence ${license}, which may not ship.`);
  const text = missingTexts.get(id);
  if (text !== undefined) return `${id}\n${license}\n${homepage}\n\n${text}\n`;
  const names = readdirSync(folder).filter((name) => /^(licen[cs]e|notice|copying|third-?party)/i.test(name));
  if (!names.some((name) => /^(licen[cs]e|copying)/i.test(name))) throw new Error(`${id} has no licence text.`);
  const texts = names.sort().map((name) => readFileSync(path.join(folder, name), "utf8").trim());
  return `${id}\n${license}\n${homepage}\n\n${texts.join("\n\n")}\n`;
}

/**
 * Texts of packages that come without theirs, by name and version, from the licence in the repository of each.
 *
 * @see https://github.com/cdump/evmole/blob/master/LICENSE
 */
const missingTexts = new Map([
  [
    "evmole 0.8.4",
    `Copyright (c) 2023 Maxim Andreev

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation
files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy,
modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the
Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE,
ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.

Its WebAssembly also contains parts of Rust packages, all of which can be used under the MIT licence: alloy-dyn-abi,
alloy-primitives, const-hex, dlmalloc, hashbrown, indexmap, itoa, js-sys, ruint, serde, serde-wasm-bindgen, wasm-bindgen
and the standard library.`,
  ],
]);

/** @param {string} folder */
function readManifest(folder) {
  const { name, version, license, homepage, repository } = JSON.parse(
    readFileSync(path.join(folder, "package.json"), "utf8"),
  );
  return {
    id: `${name} ${version}`,
    license: String(license),
    homepage: homepage ?? repository?.url ?? repository ?? "",
  };
}
