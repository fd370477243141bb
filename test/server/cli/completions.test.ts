import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { commands, shells } from "../../../server/src/cli/commands.ts";
import { completions } from "../../../server/src/cli/completions.ts";

/** Returns what bash offers for the line so far. */
function offered(line: string): readonly string[] {
  const words = line.split(" ");
  const quoted = words.map((word) => `'${word}'`).join(" ");
  const script = `${completions("bash")}
COMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}; _rpc_notebook; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync("bash", ["-c", script], { encoding: "utf8" }).split("\n").filter(Boolean);
}

describe("completions", () => {
  for (const [line, ...want] of [
    ["rpc-notebook r", "run"],
    ["rpc-notebook run --sn", "--snapshot"],
    ["rpc-notebook run --snapshot ", "check", "update"],
    ["rpc-notebook run a.rpc.json --report j", "json", "junit"],
    ["rpc-notebook check --report ", "text", "json"],
    ["rpc-notebook export --to v", "viem"],
    ["rpc-notebook completions ", ...shells],
    ["rpc-notebook run package.js", "package.json"],
    ["rpc-notebook import package.json -o package.js", "package.json"],
    ["rpc-notebook run package.json -e package.js"],
    ["rpc-notebook run package.json --cell package.js"],
  ] as const) {
    it(`of bash: ${line}`, () => assert.deepEqual(offered(line), want));
  }

  it("of bash include every command", () =>
    assert.deepEqual(offered("rpc-notebook "), [...Object.keys(commands), "--help", "--version"]));

  for (const shell of shells) {
    it(`of ${shell} name every command and every option of it`, () => {
      const script = completions(shell);
      for (const name of Object.keys(commands)) assert.match(script, new RegExp(`\\b${name}\\b`));
      for (const flag of ["snapshot", "junit", "allow-host", "jobs"]) assert.ok(script.includes(flag), flag);
      assert.doesNotMatch(script, /undefined|\[object/);
    });
  }
});
