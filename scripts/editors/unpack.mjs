// Unpacks newer editors from Debian's unstable suite into a folder of their own. Nothing is installed into the system.
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { root } from "../lib/install.mjs";
import { onPath, run } from "../lib/processes.mjs";

const folder = path.join(root, ".cache/editors");
const packages = ["neovim", "emacs-nox", "hx", "tmux", "ncurses-base"];

/** How a shell starts each program: its file, arguments and variables. `$R` is the folder with the program. */
const programs = {
  nvim: { start: '"$R/usr/bin/nvim"', variables: ['VIMRUNTIME="$R/usr/share/nvim/runtime"'] },
  emacs: {
    start: '"$R/usr/bin/emacs-nox" --dump-file="$(echo "$R"/usr/libexec/emacs/*/*/*.pdmp)"',
    variables: [
      'EMACSLOADPATH="$(echo "$R"/usr/share/emacs/*/lisp)"',
      'EMACSDATA="$(echo "$R"/usr/share/emacs/*/etc)"',
      'EMACSDOC="$EMACSDATA"',
      'EMACSPATH="$(echo "$R"/usr/libexec/emacs/*/*/)"',
    ],
  },
  hx: { start: '"$R/usr/lib/hx/hx"', variables: ['HELIX_RUNTIME="$R/usr/lib/hx/runtime"'] },
  tmux: { start: '"$R/usr/bin/tmux"', variables: [] },
};

/**
 * Downloads and unpacks the missing programs.
 *
 * @returns {Promise<{ bin: string } | { why: string }>} The folder of the programs, or why there is none.
 */
export async function unpackEditors() {
  const bin = path.join(folder, "bin");
  if (existsSync(bin)) return { bin };
  if (!onPath("apt-get") || !onPath("dpkg")) return { why: "This machine has no apt-get and dpkg." };
  rmSync(folder, { recursive: true, force: true });
  const failed = (await download()) ?? (await unpack());
  if (failed) return { why: failed };
  writePrograms(bin);
  return { bin };
}

/** Runs apt-get with a state of its own, and the mirror that this machine uses. @returns {Promise<string | undefined>} */
async function download() {
  const apt = path.join(folder, "apt");
  for (const each of ["lists/partial", "archives/partial", "parts"])
    mkdirSync(path.join(apt, each), { recursive: true });
  const mirror = process.env.DEBIAN_MIRROR ?? (await mirrorOfThisMachine());
  if (!mirror) return "No mirror of Debian is known. Set DEBIAN_MIRROR to the address of one.";
  writeFileSync(path.join(apt, "sources.list"), `deb ${mirror} unstable main\n`);
  writeFileSync(path.join(apt, "status"), ""); // nothing counts as installed, so that every library is downloaded
  const settings = {
    "Dir::Etc::sourcelist": "sources.list",
    "Dir::Etc::sourceparts": "parts",
    "Dir::Etc::preferencesparts": "parts",
    "Dir::State": ".",
    "Dir::State::lists": "lists",
    "Dir::State::status": "status",
    "Dir::Cache": ".",
    "Dir::Cache::archives": "archives",
  };
  const lines = Object.entries(settings).map(([name, place]) => `${name} "${path.join(apt, place)}";`);
  writeFileSync(path.join(apt, "apt.conf"), `${lines.join("\n")}\nDebug::NoLocking "true";\n`);
  const env = { APT_CONFIG: path.join(apt, "apt.conf") };
  for (const args of [["update"], ["install", "--yes", "--download-only", "--no-install-recommends", ...packages]]) {
    const { ok, output } = await run("apt-get", args, { env });
    if (!ok) return `apt-get ${args[0]} failed:\n${output}`;
  }
  return undefined;
}

/** @returns {Promise<string | undefined>} */
async function mirrorOfThisMachine() {
  const format = ["indextargets", "--format", "$(ORIGIN) $(REPO_URI)", "Created-By: Packages"];
  const { output } = await run("apt-get", format);
  return /^Debian (\S+)$/m.exec(output)?.[1];
}

/** @returns {Promise<string | undefined>} */
async function unpack() {
  const archives = path.join(folder, "apt/archives");
  for (const name of readdirSync(archives).filter((each) => each.endsWith(".deb"))) {
    const { ok, output } = await run("dpkg", ["-x", path.join(archives, name), path.join(folder, "root")]);
    if (!ok) return `dpkg -x ${name} failed:\n${output}`;
  }
  rmSync(archives, { recursive: true });
  return undefined;
}

/** Each program is started by its own loader, because its libraries are newer than the system's. */
function writePrograms(/** @type {string} */ bin) {
  mkdirSync(bin);
  for (const [name, { start, variables }] of Object.entries(programs)) {
    const lines = [
      "#!/bin/sh",
      `R="${path.join(folder, "root")}"`,
      'L="$(echo "$R"/usr/lib/*/ld-linux*.so.*)"',
      'D="$(dirname "$L")"',
      'export TERMINFO="$R/usr/share/terminfo" LC_ALL=C.UTF-8',
      'export LUA_PATH="$R/usr/share/lua/5.1/?.lua;;" LUA_CPATH="$D/lua/5.1/?.so;;"',
      ...variables.map((each) => `export ${each}`),
      `exec "$L" --library-path "$D" ${start} "$@"`,
    ];
    writeFileSync(path.join(bin, name), `${lines.join("\n")}\n`);
    chmodSync(path.join(bin, name), 0o755);
  }
}
