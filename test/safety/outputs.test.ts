import assert from "node:assert/strict";
import { copyFileSync, linkSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Devchain, startDevchain } from "../../devchain/devchain.ts";
import { commands, optionsOf } from "../../server/src/cli/commands.ts";
import { runCommand } from "../support/commandInProcess.ts";
import { countingProxy } from "../support/countingProxy.ts";
import { temporaryFolder } from "../support/temporaryFolder.ts";

const trace = {
  method: "debug_traceCall",
  params: [{ to: `0x${"11".repeat(20)}` }, "latest", { tracer: "callTracer" }],
};
const recorded = "k.rpc.recording.json";

describe("the files that a command writes", function () {
  this.timeout(300_000);
  const folder = temporaryFolder();
  let chain: Devchain;
  const path = (name: string) => join(folder, name);
  const run = (...args: readonly string[]) => runCommand(args, folder);
  /** Runs a command that would write one of these files, and asserts that it does not. */
  async function isKept(name: string, args: readonly string[], why: RegExp): Promise<void> {
    const before = readFileSync(path(name));
    const { code, err } = await run(...args);
    assert.notEqual(code, 0, `${args.join(" ")}\n${err}`);
    assert.match(err, why, args.join(" "));
    assert.ok(readFileSync(path(name)).equals(before), args.join(" "));
  }

  before(async () => {
    chain = await startDevchain({ sealEveryMs: 0, traffic: false });
    const { payments } = chain.contracts;
    const cells = [{ ...trace, params: [{ to: payments.address, data: "0x" }, ...trace.params.slice(1)] }];
    writeFileSync(path("s.rpc.json"), JSON.stringify({ endpoint: "dev", cells }));
    writeFileSync(path("rpc-endpoints.json"), JSON.stringify({ dev: chain.url }));
    const made = await run("run", "s.rpc.json", "-e", chain.url, "--record", recorded);
    assert.match(made.err, /Recorded/);
    mkdirSync(path("sub"));
    symlinkSync(path("s.rpc.json"), path("link.html"));
    linkSync(path("s.rpc.json"), path("hard.html"));
  });
  after(() => chain?.stop());

  const reads = /this command reads that file/;
  for (const out of ["s.rpc.json", "./sub/../s.rpc.json", "link.html", "hard.html"])
    it(`do not replace the notebook as ${out}`, async () => {
      for (const force of [[], ["--force"]]) {
        const page = ["export", "s.rpc.json", "--to", "html", "-e", chain.url, "--out", out, ...force];
        await isKept("s.rpc.json", page, reads);
        await isKept("s.rpc.json", ["run", "s.rpc.json", "-e", chain.url, "--speedscope", out, ...force], reads);
      }
    });
  it("do not replace the recording that answers, and not the endpoint file", async () => {
    const replayed = ["export", "s.rpc.json", "--to", "html", "--replay", recorded, "--force"];
    await isKept(recorded, [...replayed, "--out", recorded], reads);
    await isKept("rpc-endpoints.json", [...replayed, "--out", "rpc-endpoints.json"], reads);
  });
  it("do not replace what something else has written, unless they are told to", async () => {
    const other = /it exists, and is not recognized/;
    const page = ["export", "s.rpc.json", "--to", "html", "--replay", recorded, "--out", "notes.html"];
    writeFileSync(path("notes.html"), "<p>mine</p>");
    await isKept("notes.html", page, other);
    writeFileSync(path("x.json"), "{}");
    await isKept("x.json", ["run", "s.rpc.json", "-e", chain.url, "--speedscope", "x.json"], other);
    const foreign = "mine.rpc.recording.json";
    writeFileSync(path(foreign), "{}");
    await isKept(foreign, ["run", "s.rpc.json", "-e", chain.url, "--record", foreign], other);
    await run(...page, "--force");
    assert.match(readFileSync(path("notes.html"), "utf8"), /^<!doctype html>/);
  });
  it("are changed once, and their cells sent once, however often they are named", async () => {
    const wide = JSON.stringify({ endpoint: chain.url, cells: [{ method: "eth_blockNumber" }] });
    const names = ["twice.rpc.json", "./twice.rpc.json", "sub/../twice.rpc.json", "twice-link.json", "twice-hard.json"];
    writeFileSync(path("twice.rpc.json"), wide);
    symlinkSync(path("twice.rpc.json"), path("twice-link.json"));
    linkSync(path("twice.rpc.json"), path("twice-hard.json"));
    const checked = await run("check", ...names);
    assert.match(checked.out, /^1 notebook: no problems/m);
    const ran = await run("run", ...names);
    assert.match(ran.out, /^1 of 1 cells? ok|^1 cell ok/m, ran.out);
    const formatted = await run("fmt", ...names);
    assert.deepEqual([formatted.code, formatted.err.trim()], [0, "1 notebook: 1 changed"]);
  });
  it("replace what they have written themselves", async () => {
    copyFileSync(path(recorded), path("again.rpc.recording.json"));
    const { err } = await run("run", "s.rpc.json", "-e", chain.url, "--record", "again.rpc.recording.json");
    assert.match(err, /Recorded/);
    const page = ["export", "s.rpc.json", "--to", "html", "--replay", recorded, "--out", "page.html"];
    for (const _ of [1, 2]) assert.match((await run(...page)).err, /Wrote 2 cells to page\.html/);
    for (const change of [
      (text: string) => text.replace("</h1>", ", with notes</h1>"),
      (text: string) => `${text}<!-- mine -->\n`,
      (text: string) => text.replace(/<meta name="rpc-notebook-content"[^>]*>/, ""),
    ]) {
      assert.equal((await run(...page, "--force")).code, 0);
      writeFileSync(path("page.html"), change(readFileSync(path("page.html"), "utf8")));
      await isKept("page.html", page, /it exists, and is not recognized/);
    }
  });
  it("replace a recording that an endpoint names, unless it has answered in this run", async () => {
    const dir = join(folder, "named");
    mkdirSync(dir);
    const entry = { replay: recorded };
    writeFileSync(
      join(dir, "rpc-endpoints.json"),
      JSON.stringify({ live: chain.url, old: entry, both: { ...entry, else: "live" } }),
    );
    copyFileSync(path(recorded), join(dir, recorded));
    const cell = (endpoint: string, method = "eth_chainId") => ({ method, endpoint });
    const kept = readFileSync(join(dir, recorded));
    for (const [cells, isReplaced] of [
      [[cell("old", "debug_traceCall")], false],
      [[cell("live"), cell("old", "eth_blockNumber")], false],
      [[cell("live"), cell("both", "eth_blockNumber")], false],
      [[cell("live")], true],
    ] as const) {
      writeFileSync(join(dir, "n.rpc.json"), JSON.stringify({ cells }));
      const { err } = await runCommand(["run", "n.rpc.json", "--record", recorded], dir);
      assert.equal(!readFileSync(join(dir, recorded)).equals(kept), isReplaced, `${JSON.stringify(cells)}\n${err}`);
    }
  });
  it("replace the recording of a header if --endpoint is asked instead of it", async () => {
    const dir = temporaryFolder();
    const answered = readFileSync(path(recorded));
    writeFileSync(join(dir, recorded), answered);
    const { cells } = JSON.parse(readFileSync(path("s.rpc.json"), "utf8"));
    writeFileSync(join(dir, "n.rpc.json"), JSON.stringify({ recording: recorded, endpoint: chain.url, cells }));
    const record = ["run", "n.rpc.json", "--record", recorded];
    for (const args of [record, ["export", "n.rpc.json", "--to", "html", "--out", recorded]]) {
      assert.equal((await runCommand([...args, "--force"], dir)).code, 1);
      assert.ok(readFileSync(join(dir, recorded)).equals(answered), "it has answered");
    }
    assert.match((await runCommand([...record, "-e", chain.url], dir)).err, /^Recorded /m);
    assert.ok(!readFileSync(join(dir, recorded)).equals(answered));
  });
  it("are not written through a linked folder to a place outside of the project", async () => {
    const outside = temporaryFolder();
    mkdirSync(path(".git"));
    symlinkSync(outside, path("dirl"));
    const leads = /a link leads out of the project/;
    writeFileSync(join(outside, "k.rpc.recording.json"), readFileSync(path(recorded)));
    writeFileSync(join(outside, "p.html"), "");
    await isKept(
      "dirl/k.rpc.recording.json",
      ["run", "s.rpc.json", "-e", chain.url, "--record", "dirl/k.rpc.recording.json"],
      leads,
    );
    const page = ["export", "s.rpc.json", "--to", "html", "--replay", recorded, "--out", "dirl/p.html"];
    await isKept("dirl/p.html", page, leads);
    writeFileSync(join(outside, "t.json"), "");
    await isKept("dirl/t.json", ["run", "s.rpc.json", "-e", chain.url, "--speedscope", "dirl/t.json"], leads);
  });
  it("are two, if two are asked for", async () => {
    const both = ["--record", recorded, "--speedscope", `./${recorded}`];
    const two = /Two results would be written/;
    await isKept(recorded, ["run", "s.rpc.json", "-e", chain.url, ...both], two);
    linkSync(path(recorded), path("hard.rpc.recording.json"));
    symlinkSync(path("new.rpc.recording.json"), path("dangling.json"));
    symlinkSync(path("sub"), path("sublink"));
    const run = ["run", "s.rpc.json", "-e", chain.url];
    for (const [record, profile, ...more] of [
      [recorded, "hard.rpc.recording.json"],
      ["new.rpc.recording.json", "dangling.json"],
      ["sub/n.rpc.recording.json", "sublink/n.rpc.recording.json"],
      ["n.rpc.recording.json", "./s.rpc.snapshot.json", "--snapshot", "update"],
    ] as const)
      await isKept(recorded, [...run, "--record", record, "--speedscope", profile, "--force", ...more], two);
  });
  it("are refused before the run if they exist and are not text", async () => {
    writeFileSync(path("binary.rpc.recording.json"), Buffer.from([0xff, 0x00, 0x80]));
    mkdirSync(path("folder.rpc.recording.json"));
    for (const [name, why] of [
      ["binary.rpc.recording.json", /is not UTF-8/],
      ["folder.rpc.recording.json", /✗ folder\.rpc\.recording\.json is a folder\.\n {2}Name a new file in it\./],
    ] as const) {
      const { out, err } = await run("run", "s.rpc.json", "-e", chain.url, "--record", name, "--force");
      assert.match(err, why);
      assert.doesNotMatch(out, /1 cell/);
    }
  });
  it("have a name that is not empty, not a folder and not that of an input, whatever the command", async () => {
    writeFileSync(path("c.sh"), `curl ${chain.url} -d '{"method":"eth_chainId"}'`);
    mkdirSync(path("folder"));
    const proxy = await countingProxy(chain.url);
    const [notebook, node] = ["s.rpc.json", ["-e", proxy.url]];
    const writing: Readonly<Record<string, readonly string[]>> = {
      "run --record": ["run", notebook, ...node],
      "run --speedscope": ["run", notebook, ...node],
      "run --out": ["run", notebook, ...node],
      "check --out": ["check", notebook],
      "decode --out": ["decode", "0x12345678"],
      "explain --out": ["explain", `0x${"ab".repeat(32)}`, ...node],
      "probe --out": ["probe", notebook, ...node],
      "audit --out": ["audit", notebook, ...node, "--for", "1s"],
      "find-when --out": ["find-when", notebook, "1", ...node],
      "trace --out": ["trace", notebook, ...node],
      "storage --out": ["storage", notebook, "Vault", `0x${"11".repeat(20)}`, ...node],
      "export --out": ["export", notebook, ...node, "--to", "html"],
      "import --out": ["import", "c.sh"],
    };
    const reading = new Set(["replay", "abi"]);
    const all = Object.keys(commands).flatMap(
      (command) =>
        optionsOf(command as keyof typeof commands) // its own keys
          .filter(({ name, isPath }) => isPath && !reading.has(name))
          .map(({ name }) => `${command} --${name}`)
          .filter((one) => one !== "contracts --out"), // a folder
    );
    assert.deepEqual(Object.keys(writing).toSorted(), all.toSorted());
    for (const [name, args] of Object.entries(writing)) {
      const [option, force] = [`--${name.split(" --")[1]}`, args[0] === "import" ? [] : ["--force"]];
      for (const file of ["", "folder", "folder/", "new/", ".", ...args.filter((one) => /\.(?:json|sh)$/.test(one))]) {
        const before = file.includes(".") && file !== "." ? readFileSync(path(file)) : undefined;
        const { code, out } = await run(...args, option, file && `./sub/../${file}`, ...force);
        assert.deepEqual([code === 0, out], [false, ""], `${name} ${file}`);
        assert.ok(!before || readFileSync(path(file)).equals(before), name);
        assert.deepEqual(proxy.methods(), [], `${name} ${file}: nothing is sent`);
      }
    }
  });
  it("are refused before anything is sent if the command reads them, or a link leads out", async () => {
    writeFileSync(path("Token.json"), JSON.stringify([{ type: "function", name: "f", inputs: [], outputs: [] }]));
    writeFileSync(path("words.json"), JSON.stringify({ context: {}, display: {} }));
    writeFileSync(path(".env"), "KEY=1");
    const header = { endpoint: "dev", abi: "Token.json", descriptors: ["words.json"] };
    writeFileSync(path("reads.rpc.json"), JSON.stringify({ ...header, cells: [{ method: "eth_chainId" }] }));
    const away = temporaryFolder();
    writeFileSync(join(away, "p.json"), "");
    symlinkSync(join(away, "p.json"), path("away.json"));
    mkdirSync(path(".git"), { recursive: true });
    mkdirSync(path("lib/clear-signing-erc7730-registry/registry/mine"), { recursive: true });
    const descriptor = "lib/clear-signing-erc7730-registry/registry/mine/calldata-mine.json";
    writeFileSync(path(descriptor), "{}");
    mkdirSync(path("out/T.sol"), { recursive: true });
    writeFileSync(path("foundry.toml"), "");
    writeFileSync(path("out/T.sol/T.json"), JSON.stringify({ abi: [], bytecode: { object: "0x" } }));
    const faults = {
      "foundry.toml": reads,
      "out/T.sol/T.json": reads,
      [descriptor]: reads,
      "Token.json": reads,
      "words.json": reads,
      ".env": reads,
      "rpc-endpoints.json": reads,
      "away.json": /a link leads out of the project, to/,
      ".git/new.json": /would be among the files of git\. Nothing was created\./,
    };
    for (const [name, why] of Object.entries(faults)) {
      const { code, out, err } = await run("run", "reads.rpc.json", "--speedscope", name, "--force");
      assert.match(err, why, `${name}: ${code} ${out} ${err}`);
      assert.deepEqual([code, out], [2, ""], name);
      const page = await run("export", "reads.rpc.json", "--to", "html", "--out", name, "--force");
      assert.match(page.err, why, name);
      assert.equal(page.code, 2, name);
    }
  });
});
