import assert from "node:assert/strict";
import { inOrder, type Screen } from "../../../server/src/cli/orderedScreens.ts";
import { terminal } from "../../../server/src/cli/terminal.ts";

function stream(isTTY: boolean, columns = 80) {
  const written: string[] = [];
  return { isTTY, columns, written, write: (text: string) => written.push(text) };
}

describe("the terminal", () => {
  it("has a width and colours only if it is a real terminal", () => {
    const [screen, pipe] = [stream(true, 100), stream(false)];
    const painted = (to: typeof screen): boolean => terminal(to, pipe, {}).paint("red", "x") !== "x";
    assert.deepEqual([terminal(screen, pipe, {}).width, painted(screen)], [100, true]);
    assert.deepEqual([terminal(pipe, screen, {}).width, painted(pipe)], [undefined, false]);
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
      const out = stream(tty);
      const screen = terminal(out, stream(tty), env);
      screen.print(`a ${screen.paint("red", "x")} ${screen.paint("bold", "y")}`);
      assert.deepEqual(out.written, [color ? "a \u001b[31mx\u001b[39m \u001b[1my\u001b[22m\n" : "a x y\n"]);
    });
  }

  it("replaces a progress line, and erases it before other output", () => {
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

  it("shows the progress of the first of several notebooks that are not done", async () => {
    const [out, err] = [stream(true), stream(true)];
    const screen = terminal(out, err, { NO_COLOR: "1" });
    let end = (): void => {};
    const ended = new Promise<void>((resolve) => (end = resolve));
    const one = async (held: Screen): Promise<void> => {
      await ended;
      held.progress("one");
    };
    const two = async (held: Screen): Promise<void> => {
      held.progress("two");
      end();
    };
    await inOrder([one, two], ["a", "b"], 2, screen, true);
    assert.match(err.written.join(""), /one/);
    assert.doesNotMatch(err.written.join(""), /two/);
  });

  it("shows a notebook whole before a bug in a later one ends the command", async () => {
    const out = stream(true);
    let end = (): void => {};
    const ended = new Promise<void>((resolve) => (end = resolve));
    const one = async (held: Screen): Promise<void> => {
      await ended;
      held.print(() => "all of one");
    };
    const two = async (): Promise<void> => {
      setImmediate(() => setImmediate(end));
      throw new TypeError("a bug");
    };
    await assert.rejects(inOrder([one, two], ["a", "b"], 2, terminal(out, out, { NO_COLOR: "1" }), true), TypeError);
    assert.match(out.written.join(""), /all of one/);
  });

  it("shows no progress in a pipe", () => {
    const [out, err] = [stream(true), stream(false)];
    terminal(out, err, {}).progress("1 of 2");
    assert.deepEqual([...out.written, ...err.written], []);
  });

  it("makes control characters visible in all its output", () => {
    const [out, err] = [stream(true), stream(true)];
    const screen = terminal(out, err, { NO_COLOR: "1" });
    screen.complain("a\u001b[2Jb\n✓ c", "c\u202ed\r");
    screen.note("e\u0007");
    screen.print("f\u009b31m\u2028 \u001b]8;;https://evil.example\u0007g");
    screen.progress("h\nx\u001b[A");
    assert.deepEqual(err.written.slice(0, 2), ["✗ a\\u001b[2Jb\\n✓ c\n  c\\u202ed\\u000d\n", "e\\u0007\n"]);
    assert.deepEqual(out.written, ["f\\u009b31m\\u2028 \\u001b]8;;https://evil.example\\u0007g\n"]);
    assert.equal(err.written.at(-1), "\r\u001b[Kh\\nx\\u001b[A");
  });

  it("passes only its own styles", () => {
    const out = stream(true);
    const screen = terminal(out, out, {});
    screen.print(`${screen.paint("dim", "\u001b[32m✓")}\u001b[31m`);
    assert.deepEqual(out.written, ["\u001b[2m\\u001b[32m✓\u001b[22m\\u001b[31m\n"]);
  });
});
