import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { commands, shells } from "../../../server/src/cli/commands.ts";
import { completions } from "../../../server/src/cli/completions.ts";

/** Returns what bash offers for each line so far. */
function offered(lines: readonly string[]): readonly (readonly string[])[] {
  const asked = lines.map((line) => {
    const words = line.split(" ");
    return `COMPREPLY=(); COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length - 1}
_rpc_notebook; echo "\${COMPREPLY[*]}"`;
  });
  const script = [completions("bash"), ...asked].join("\n");
  const out = execFileSync("bash", ["-c", script], { encoding: "utf8" });
  return out
    .split("\n")
    .slice(0, -1)
    .map((line) => line.split(" ").filter(Boolean));
}

describe("completions", () => {
  it("of bash fit the line", () => {
    const table: Readonly<Record<string, readonly string[]>> = {
      "rpc-notebook r": ["run"],
      "rpc-notebook run --sn": ["--snapshot"],
      "rpc-notebook run --snapshot ": ["check", "update"],
      "rpc-notebook run a.rpc.json --report j": ["json", "junit"],
      "rpc-notebook check --report ": ["text", "json"],
      "rpc-notebook export --to v": ["viem"],
      "rpc-notebook completions ": shells,
      "rpc-notebook run package.js": ["package.json"],
      "rpc-notebook import package.json -o package.js": ["package.json"],
      "rpc-notebook run package.json -e package.js": [],
      "rpc-notebook run package.json --cell package.js": [],
      "rpc-notebook ": [...Object.keys(commands), "--help", "--version"],
    };
    const lines = Object.keys(table);
    assert.deepEqual(Object.fromEntries(offered(lines).map((words, at) => [lines[at], words])), table);
  });

  for (const shell of shells) {
    it(`of ${shell} name every command and every option of it`, () => {
      const script = completions(shell);
      for (const name of Object.keys(commands)) assert.match(script, new RegExp(`\\b${name}\\b`));
      for (const flag of ["snapshot", "junit", "allow-host", "jobs"]) assert.ok(script.includes(flag), flag);
      assert.doesNotMatch(script, /undefined|\[object/);
    });
  }
});
