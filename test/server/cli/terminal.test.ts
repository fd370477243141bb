import assert from "node:assert/strict";
import { styled, terminal } from "../../../server/src/cli/terminal.ts";

function stream(isTTY: boolean, columns = 80) {
  const written: string[] = [];
  return { isTTY, columns, written, write: (text: string) => written.push(text) };
}

describe("the terminal", () => {
  it("has a width and colours where it is one, and neither elsewhere", () => {
    const [screen, pipe] = [stream(true, 100), stream(false)];
    assert.deepEqual([terminal(screen, pipe, {}).width, terminal(screen, pipe, {}).color], [100, true]);
    assert.deepEqual([terminal(pipe, screen, {}).width, terminal(pipe, screen, {}).color], [undefined, false]);
    assert.equal(terminal(stream(true, 5), pipe, {}).width, 40);
  });

  for (const [env, tty, color] of [
    [{ NO_COLOR: "1" }, true, false],
    [{ NO_COLOR: "" }, true, true],
    [{ FORCE_COLOR: "1" }, false, true],
    [{ FORCE_COLOR: "0" }, true, false],
    [{ TERM: "dumb" }, true, false],
  ] as const) {
    it(`colours by ${JSON.stringify(env)} on ${tty ? "a terminal" : "a pipe"}: ${color}`, () => {
      const screen = terminal(stream(tty), stream(tty), env);
      assert.equal(screen.color, color);
      assert.equal(styled(screen, "red", "x"), color ? "\u001b[31mx\u001b[39m" : "x");
    });
  }

  it("replaces a passing line, and takes it away before what stays", () => {
    const err = stream(true, 40);
    const out = { ...stream(true, 40), written: err.written, write: err.write };
    const screen = terminal(out, err, { NO_COLOR: "1" });
    screen.progress("1 of 2");
    screen.progress(`2 of 2 ${"x".repeat(80)}\u202e`);
    screen.print("done");
    screen.print("all");
    assert.deepEqual(out.written, [
      "\r\u001b[K1 of 2",
      `\r\u001b[K2 of 2 ${"x".repeat(32)}`,
      "\r\u001b[K",
      "done\n",
      "all\n",
    ]);
  });

  it("shows no passing line in a pipe", () => {
    const [out, err] = [stream(true), stream(false)];
    terminal(out, err, {}).progress("1 of 2");
    assert.deepEqual([...out.written, ...err.written], []);
  });

  it("makes visible what a file name or an endpoint could do to it", () => {
    const err = stream(false);
    const screen = terminal(stream(false), err, {});
    screen.complain("a\u001b[2Jb", "c\u202ed");
    screen.note("e\u0007");
    assert.deepEqual(err.written, ["✗ a\\u001b[2Jb\n  c\\u202ed\n", "e\\u0007\n"]);
  });
});
