import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { type CommandName, commands, isCommand, optionsOf } from "../../../server/src/cli/commands.ts";
import { help } from "../../../server/src/cli/help.ts";

const names = Object.keys(commands) as readonly CommandName[]; // it has no other keys
const root = new URL("../../../", import.meta.url);

describe("help", () => {
  it("lists every command", () => {
    for (const name of names) assert.match(help(undefined), new RegExp(`^  ${name} .*${commands[name].summary}$`, "m"));
  });

  for (const name of names) {
    it(`of ${name} fits a terminal of 40 columns`, () => {
      const long = help(name, 40)
        .split("\n")
        .filter((line) => line.length > 40 && !/^ +(?:-\w, +)?--\S+ \S+$|^ +\S+$/.test(line));
      assert.deepEqual(long, []);
      const words = (text: string): string => text.replace(/\s+/g, " ");
      assert.equal(words(help(name, 40)), words(help(name)));
    });
    it(`of ${name} describes each option, on lines of at most 100 columns`, () => {
      const text = help(name);
      assert.ok(text.startsWith(`Usage: rpc-notebook ${name} `), text);
      const listed = [...text.matchAll(/^ {2}(?:-\w,| {3}) --([\w-]+)(?: \S+)?(?: {3,}|\n +)\S/gm)].map(
        ([, one]) => one,
      );
      assert.deepEqual(listed, [...Object.keys(commands[name].options), "help"]);
      const long = text.split("\n").filter((line) => line.length > 100);
      assert.deepEqual(long, []);
    });
  }

  it("knows every option that the documentation uses", () => {
    const pages = ["README.md", ...readdirSync(new URL("docs", root)).map((page) => `docs/${page}`)];
    const uses = pages
      .filter((page) => page.endsWith(".md"))
      .flatMap((page) => [...readFileSync(new URL(page, root), "utf8").matchAll(/rpc-notebook ([a-z]+)([^\n`|#]*)/g)])
      .flatMap(([, command = "", rest = ""]) =>
        [...rest.matchAll(/--([\w-]+)/g)].map(([, option]) => ({ command, option })),
      );
    assert.ok(uses.length > 10, "the pages were read");
    const unknown = uses.filter(
      ({ command, option }) => !isCommand(command) || !optionsOf(command).some(({ name }) => name === option),
    );
    assert.deepEqual(unknown, []);
  });
});
