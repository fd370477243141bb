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
  const names = readdirSync(folder).filter((name) => /^(licen[cs]e|notice|copying|third-?party)/i.test(name));
  if (!names.some((name) => /^(licen[cs]e|copying)/i.test(name))) throw new Error(`${id} has no licence text.`);
  const texts = names.sort().map((name) => readFileSync(path.join(folder, name), "utf8").trim());
  return `${id}\n${license}\n${homepage}\n\n${texts.join("\n\n")}\n`;
}

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
