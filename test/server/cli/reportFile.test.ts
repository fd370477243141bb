import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type CommandName, commands } from "../../../server/src/cli/commands.ts";
import { runCommand } from "../../support/commandInProcess.ts";
import { sharedChain } from "../../support/sharedChain.ts";
import { temporaryFolder } from "../../support/temporaryFolder.ts";

/** Commands that print no report; `verify` says what is wrong with a file, `contracts` what it wrote. */
const without: readonly CommandName[] = ["fmt", "verify", "contracts", "serve", "completions", "lsp"];

describe("--out", function () {
  this.timeout(300_000);
  const chain = sharedChain();
  const folder = temporaryFolder();
  const path = (name: string): string => join(folder, name);
  const run = (...args: readonly string[]) => runCommand(args, folder);

  before(() => {
    const cells = [{ name: "größe", method: "eth_chainId", expect: { result: { "!=": "ä" } } }];
    writeFileSync(path("a.rpc.json"), JSON.stringify({ endpoint: chain.url, cells }));
    writeFileSync(path("bad.rpc.json"), JSON.stringify({ cells: [{ method: "eth_größe" }] }));
    writeFileSync(path("in.txt"), `curl ${chain.url} -d '{"method":"eth_größe"}'`);
  });

  /** A command line for each command that has the option. */
  const lines = (): Partial<Record<CommandName, readonly (readonly string[])[]>> => ({
    run: ["text", "json", "junit"].map((report) => ["a.rpc.json", "-e", chain.url, "--report", report]),
    check: [["bad.rpc.json"], ["bad.rpc.json", "--report", "json"]],
    decode: [[`0x70a08231${"0".repeat(64)}`], ["0x18160ddd", "--json"]],
    explain: [
      ["0xd764ad0b", "--list"],
      ["1", "--json", "-e", chain.url],
    ],
    probe: [["http://127.0.0.1:1", "--json"]],
    audit: [[chain.url, "--for", "1ms"]],
    storage: [["None", `0x${"11".repeat(20)}`, "-e", chain.url]],
    "find-when": [["a.rpc.json", "1", "-e", chain.url]],
    trace: [
      ["a.rpc.json", "-e", chain.url],
      ["a.rpc.json", "1", "--json", "-e", chain.url],
    ],
    import: [["in.txt"]],
    export: [
      ["a.rpc.json", "--to", "curl", "--shell", "powershell"],
      ["a.rpc.json", "--to", "viem"],
    ],
  });

  it("is an option of every command that prints a report", () => {
    const names = Object.keys(commands) as CommandName[]; // the keys of the table
    // that of `contracts source` is a folder
    const taking = names.filter((name) => "out" in commands[name].options && name !== "contracts");
    assert.deepEqual(taking, Object.keys(lines()));
    assert.deepEqual(
      names.filter((name) => !taking.includes(name)),
      without,
    );
  });

  it("writes what would be printed, in UTF-8", async () => {
    const file = "out.rpc.json";
    const varying = (text: string): string =>
      text
        .replace(/\d+(?:\.\d+)? ?m?s\b|time(?:stamp)?="[^"]*"|"startedAt.*|"durationMs.*/g, "…")
        .replace(/\n {2}<!-- content .*/, "");
    for (const [command, all] of Object.entries(lines()))
      for (const args of all) {
        rmSync(path(file), { force: true });
        const { out, code, err } = await run(command, ...args, "--out", file);
        const about = `${command} ${args.join(" ")}\n${err}`;
        const written = existsSync(path(file)) ? readFileSync(path(file), "utf8") : "";
        assert.equal(out, "", about);
        if (/^(?:probe|audit)$/.test(command))
          assert.match(written, /\S/, about); // measures other times when it runs again
        else {
          const printed = await run(command, ...args);
          assert.deepEqual([varying(written), code], [varying(printed.out), printed.code], about);
        }
      }
  });

  it("has no colours", async () => {
    await runCommand(["check", "bad.rpc.json", "--out", "plain"], folder, {
      variables: { FORCE_COLOR: "1" },
    });
    assert.match(readFileSync(path("plain"), "utf8"), /^bad\.rpc\.json:1:\d+: \w+ unknown-method: /);
  });

  it("never replaces what the command reads, and sends nothing before it says so", async () => {
    symlinkSync(path("a.rpc.json"), path("link.xml"));
    const junit = ["run", "a.rpc.json", "-e", chain.url, "--report", "junit", "--force", "--out"];
    for (const [name, ...args] of [
      ["a.rpc.json", ...junit, "a.rpc.json"],
      ["a.rpc.json", ...junit, "link.xml"],
      ["bad.rpc.json", "check", "bad.rpc.json", "--force", "--out", "bad.rpc.json"],
      ["a.rpc.json", "probe", "a.rpc.json", "--force", "--out", "a.rpc.json"],
      ["a.rpc.json", "export", "a.rpc.json", "--to", "curl", "--force", "--out", "a.rpc.json"],
    ] as const) {
      const before = readFileSync(path(name), "utf8");
      const { code, err, out } = await run(...args);
      assert.notEqual(code, 0, args.join(" "));
      assert.match(err, /this command reads that file/);
      assert.deepEqual([readFileSync(path(name), "utf8"), out], [before, ""]);
    }
    const { err } = await run(...junit, "none/x.xml");
    assert.match(err, /The folder of none\/x\.xml does not exist/);
    const { platform } = process;
    Object.defineProperty(process, "platform", { value: "win32" });
    try {
      for (const name of ["nul", "none/aux.xml", "x.xml:y", "x."]) // Windows has none of these in a folder
        assert.match((await run(...junit, name)).err, /Windows has another use for/, name);
    } finally {
      Object.defineProperty(process, "platform", { value: platform });
    }
    assert.doesNotMatch(err, /1 cell/);
  });

  it("replaces an earlier JUnit report, and anything else only with --force", async () => {
    const junit = ["run", "a.rpc.json", "-e", chain.url, "--report", "junit"];
    for (const _ of [1, 2]) assert.equal((await run(...junit, "--out", "rpc.xml")).code, 0);
    writeFileSync(path("mine.xml"), "<mine/>");
    assert.equal((await run(...junit, "--out", "mine.xml")).code, 2);
    assert.equal(readFileSync(path("mine.xml"), "utf8"), "<mine/>");
    assert.equal((await run(...junit, "--out", "mine.xml", "--force")).code, 0);
    assert.match(
      readFileSync(path("mine.xml"), "utf8"),
      /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<testsuites .*größe/s,
    );
  });

  it("does not go with --watch, and two results need two files", async () => {
    assert.equal((await run("run", "a.rpc.json", "--watch", "--out", "x")).code, 2);
    const both = ["--out", "x.rpc.recording.json", "--record", "x.rpc.recording.json"];
    assert.match((await run("run", "a.rpc.json", "-e", chain.url, ...both)).err, /Two results would be written/);
  });
});
