import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { runCommand } from "../support/commandInProcess.ts";
import { buildCommandLine, startCommandLine } from "../support/commandLine.ts";
import { seed, some } from "../support/depth.ts";
import { hostileEndpoint } from "../support/hostileEndpoint.ts";
import { type HostileServer, rawServer } from "../support/hostileServer.ts";
import { canary, leavesOf, unseen, withText } from "../support/hostileText.ts";
import { alice, freeTexts, textsOf, type Workspace } from "../support/hostileWorkspace.ts";
import { notify, answer as reply, socketServer } from "../support/socketServer.ts";
import { temporaryFolder } from "../support/temporaryFolder.ts";
import { parseXml } from "../support/xml.ts";

/** Characters that a terminal, or a person who reads it, could interpret as more than text. */
const evil =
  "\u001b[32m✓zqx\u001b[0m\u001b]0;title\u0007\u001b]8;;https://evil.example\u001b\\zqx\u009b2J\u009d0;x\u009c\u0008\u007f\r\u202ezqx\u2066\u200b\u2028\u2029\u0085\ufeff\u{e0041}\n✗ zqx: forged\t";

/** The styles of our own terminal. */
const styles = /\u001b\[(?:1|2|22|31|32|33|39)m/g;

interface Said {
  readonly out: string;
  readonly err: string;
}

/** Returns the parts of an output that are more than text. */
function outputFaults({ out, err }: Said): readonly string[] {
  return [out, err].flatMap((text) => {
    const plain = text.replace(styles, "");
    const seen = unseen.exec(plain)?.[0];
    return [
      ...(seen === undefined ? [] : [`${JSON.stringify(seen)} in ${JSON.stringify(around(plain, seen))}`]),
      ...(new RegExp(`\u001b\\[32m✓${canary}`).test(text) ? ["a style that is not ours"] : []),
      ...(new RegExp(`^✗ ${canary}`, "m").test(plain) ? ["a line that is not ours"] : []),
    ];
  });
}

function around(text: string, found: string): string {
  const at = text.indexOf(found);
  return text.slice(Math.max(0, at - 60), at + 30);
}

describe("text from outside on a terminal", function () {
  this.timeout(300_000);
  const folder = temporaryFolder();
  let server: HostileServer;
  let plain: Workspace;
  before(async () => {
    ({ server, plain } = await hostileEndpoint(() => evil));
  });

  let last = 0;
  /** Writes a workspace into a new folder. */
  const place = (workspace: Workspace): string => {
    const at = join(folder, String(++last));
    for (const [path, text] of textsOf(workspace)) {
      mkdirSync(dirname(join(at, path)), { recursive: true });
      writeFileSync(join(at, path), text);
    }
    mkdirSync(join(at, ".git"));
    return at;
  };
  /** Types a command as a person would, at a terminal with colours. */
  const type = (args: readonly string[], input?: string): Promise<Said> =>
    runCommand(args, folder, { variables: { FORCE_COLOR: "1" }, ...(input !== undefined && { input }) });
  const faultsOf = async (args: readonly string[], input?: string): Promise<readonly string[]> => {
    const said = await type(args, input);
    assert.ok(said.out + said.err !== "" || args[0] === "fmt", `${args.join(" ")} says something`);
    return outputFaults(said).map((fault) => `${args.slice(0, 5).join(" ").replaceAll(folder, "")}: ${fault}`);
  };

  /** Types commands at the same time. */
  const expectText = async (commands: readonly (readonly string[])[]): Promise<void> =>
    assert.deepEqual((await Promise.all(commands.map((args) => faultsOf(args)))).flat(), []);

  const reports = ["text", "json", "junit"];
  const notebookCommands: readonly (readonly string[])[] = [
    ["run"],
    ["run", "--report", "json"],
    ["run", "--report", "junit"],
    ["run", "--compare", "latest,safe"],
    ["run", "--compare", "latest,safe", "--report", "json"],
    ["check"],
    ["check", "--report", "json"],
    ["export", "--to", "curl"],
    ["export", "--to", "cast"],
    ["export", "--to", "viem"],
    ["probe"],
    ["fmt", "--check"],
  ];

  it("stays text in answers of an endpoint, and in every text of a notebook and its project", async () => {
    const parts = Object.entries(plain).map(([name, part]) => [name, freeTexts(part, evil)]);
    const [answered, written] = [place(plain), place(Object.fromEntries(parts))];
    const commands = [answered, written].flatMap((at) =>
      notebookCommands.flatMap(([command = "", ...options]) => {
        if (at === answered && !["run", "probe"].includes(command)) return []; // it asks nothing
        const allowed = ["run", "probe"].includes(command) ? ["--allow-host", server.host] : [];
        if (command === "run") allowed.push("--allow-method", "acme_do");
        return [[command, join(at, "notes/a.rpc.json"), ...options, ...allowed]];
      }),
    );
    await expectText(some(commands, 3));
  });

  for (const part of ["notebook", "endpoints", "openrpc", "artifact", "names", "paths"] as const) {
    it(`stays text in every field of: ${part}`, async () => {
      const faults = new Set<string>();
      for (const [index, leaf] of some([...leavesOf(plain[part]).entries()], 2, 60)) {
        const at = place({ ...plain, [part]: withText(plain[part], leaf, evil) });
        const file = join(at, "notes/a.rpc.json");
        // each field with one of the commands, in turn, and with another one with another seed
        const [command = "", ...options] = notebookCommands[(index + seed) % notebookCommands.length] ?? [];
        const allowed = command === "run" ? ["--allow-host", server.host, "--allow-method", "acme_do"] : [];
        for (const fault of await faultsOf([command, file, ...options, ...allowed]))
          faults.add(`${leaf.path.join(".")}: ${fault}`);
        rmSync(at, { recursive: true });
      }
      assert.deepEqual([...faults], []);
    });
  }

  it("stays text in typed arguments, and in the names of files and folders", async () => {
    const at = place(plain);
    const name = `${evil.replaceAll("/", "_")}.rpc.json`;
    const [inFolder, missing] = [join(at, evil.replaceAll("/", "_").slice(0, 80)), join(at, `x${name}`)];
    mkdirSync(inFolder);
    const text = JSON.stringify({ cells: [{ method: "eth_chainId" }, { method: "eth_nothing", params: [1] }] });
    for (const file of [join(at, name), join(inFolder, "b.rpc.json")]) writeFileSync(file, text);
    writeFileSync(join(at, `broken${name}`), "{ nothing");
    writeFileSync(join(at, `empty${name}`), "");
    writeFileSync(join(inFolder, "rpc-endpoints.json"), '{ "a": 7 }');
    const [file, broken] = [join(at, name), join(at, `broken${name}`)];
    const fine = join(at, "notes/a.rpc.json");
    const commands: readonly (readonly string[])[] = [
      ["run", file, join(inFolder, "b.rpc.json")],
      ["run", broken],
      ["run", missing],
      ["run", inFolder],
      ["run", join(at, `empty${name}`)],
      ["check", file, join(inFolder, "b.rpc.json"), "--report", "json"],
      ["check", file, join(inFolder, "rpc-endpoints.json")],
      ["fmt", file, "--check"],
      ["fmt", file],
      ["run", file, "-e", server.url, "--report", "junit"],
      ["run", file, "-e", server.url, "--report", "json"],
      ["export", file, "--to", "curl"],
      ["import", file],
      ["import", file, "-o", join(at, `out${name}`)],
      ["import", file, "-o", join(at, `out${name}`)],
      ["import", file, join(inFolder, "b.rpc.json"), "-o", join(at, `folder${evil.replaceAll("/", "_")}`)],
      ["import", missing],
      ["run", fine, "-e", evil],
      ["run", fine, "-e", `https://${evil}`],
      ["run", fine, "-c", evil],
      ["run", fine, "--var", evil],
      ["run", fine, "--var", `${evil}=1`],
      ["run", fine, "--var", `alice=${evil}`, "-e", server.url],
      ["run", fine, "--report", evil],
      ["run", fine, "--snapshot", evil],
      ["run", fine, "--jobs", evil],
      ["run", fine, "--timeout", evil],
      ["run", fine, "--for", evil],
      ["run", fine, "--rows", evil],
      ["run", fine, "--compare", evil],
      ["run", fine, "--compare-endpoint", evil],
      ["run", fine, `--${evil}`],
      ["run", fine, `-${evil}`],
      ["run", fine, "--allow-host", evil],
      ["check", fine, "--report", evil],
      ["decode", evil],
      ["decode", "0x00", "--abi", evil],
      ["decode", "0x00", "--abi", `${evil}(`],
      ["decode", "0x00", "--function", evil],
      ["decode", "0x00", "--function", `f(uint256 ${evil})`],
      ["decode", "--topics", evil],
      ["decode", "--topics", `0x${"1".repeat(64)}`, "--data", evil],
      ["explain", `0x${"1".repeat(64)}`, "-e", evil],
      ["decode", file],
      ["probe", evil],
      ["probe", missing],
      ["import", fine, "--from", evil],
      ["export", fine, "--to", evil],
      ["export", fine, "--to", "curl", "-c", evil],
      ["completions", evil],
      ["help", evil],
      [evil],
      [`${evil}.json`],
      [`--${evil}`],
    ];
    const faults: string[] = [];
    for (const command of some(commands, 9)) faults.push(...(await faultsOf(command))); // some read what others have written
    assert.deepEqual(faults, []);
  });

  it("stays text in imported and decoded input", async () => {
    const body = JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "eth_call",
      params: [{ to: evil, [evil]: evil }, evil],
    });
    const quoted = body.replaceAll("'", "'\\''");
    const sources: readonly (readonly [string, string])[] = [
      ["json", body],
      ["json", `{ "method": "${evil.replaceAll("\n", "").replaceAll("\u001b\\", "")}" }`],
      [
        "curl",
        `# ${evil}\ncurl 'https://a.example/${evil}' -H 'X-${evil}: ${evil}' -H 'X-Team: ${evil}' --data '${quoted}'`,
      ],
      ["curl", `curl ${evil} -X ${evil} --${evil}`],
      ["curl", `curl https://a.example -d '${evil}'\n${evil}`],
      ["cast", `cast call ${evil} "f(${evil})" --rpc-url ${evil}\ncast ${evil}`],
      ["http", `### ${evil}\n# ${evil}\n@v = ${evil}\nPOST https://a.example/${evil}\nX-Team: ${evil}\n\n${body}\n`],
      ["http", `${evil} ${evil}\n\n${evil}`],
      ["postman", postman(evil, body)],
      ["postman", postman(evil, evil)],
    ];
    const faults: string[] = [];
    for (const [from, text] of sources) faults.push(...(await faultsOf(["import", "--from", from], text)));
    for (const text of [
      evil,
      body,
      JSON.stringify({ topics: [evil], data: evil, address: evil }),
      JSON.stringify({ error: { message: evil, code: 3, data: evil } }),
    ]) {
      faults.push(...(await faultsOf(["decode"], text)), ...(await faultsOf(["decode", "--json"], text)));
    }
    assert.deepEqual(faults, []);
  });

  it("stays text in snapshots", async () => {
    const at = place({ ...plain, notebook: { ...Object(plain.notebook), endpoint: "mine" } });
    const file = join(at, "notes/a.rpc.json");
    const answer = { method: evil, request: evil, block: evil, result: { [evil]: evil } };
    const cells = Object.fromEntries(
      ["called", "paid", evil].map((key) => [key, { endpoint: evil, at: evil, answers: [answer] }]),
    );
    for (const text of [
      JSON.stringify({ rpcNotebookSnapshot: 1, cells }),
      `{ "rpcNotebookSnapshot": "${canary}"`,
      evil,
    ]) {
      writeFileSync(join(at, "notes/a.rpc.snapshot.json"), text);
      const args = ["run", file, "--allow-host", server.host, "--snapshot", "check", "--report"];
      await expectText(reports.map((report) => [...args, report]));
    }
    rmSync(join(at, "notes/a.rpc.snapshot.json"));
    await expectText([["run", file, "--allow-host", server.host, "--snapshot", "update"]]);
  });

  it("stays text in answers that are not JSON-RPC", async () => {
    const bytes = Buffer.from(evil).toString("latin1");
    const long = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: `;
    const bodies = [
      evil,
      JSON.stringify({ error: evil }),
      JSON.stringify({ id: evil, result: evil }),
      JSON.stringify([{ id: evil, error: { code: evil, message: evil, data: { [evil]: evil } } }]),
    ];
    const answers = [
      ...bodies.map((text) => `${long}${Buffer.byteLength(text)}\r\n\r\n${Buffer.from(text).toString("latin1")}`),
      `HTTP/1.1 500 ${bytes.replace(/[\r\n]/g, " ")}\r\nContent-Length: ${bytes.length}\r\n\r\n${bytes}`,
      `HTTP/1.1 429 x\r\nRetry-After: ${bytes.replace(/[\r\n]/g, " ")}\r\nContent-Length: 0\r\n\r\n`,
      `HTTP/1.1 302 x\r\nLocation: http://${bytes.replace(/[\r\n\s]/g, "")}/\r\nContent-Length: 0\r\n\r\n`,
      `HTTP/1.1 200 OK\r\nX-Team: ${bytes}\r\n\r\n`,
      bytes,
    ];
    const file = join(place(plain), "one.rpc.json");
    writeFileSync(
      file,
      JSON.stringify({
        cells: [{ method: "eth_chainId" }, { batch: [{ method: "eth_chainId" }, { method: "eth_blockNumber" }] }],
      }),
    );
    for (const text of some(answers, 4)) {
      const raw = await rawServer(text, "end", "latin1");
      const args = ["run", file, "-e", raw.url, "--timeout", "0.5", "--report"];
      await expectText(reports.map((report) => [...args, report]));
    }
  });

  it("stays text in streams", async () => {
    const sockets = await socketServer((frame, socket) => {
      reply(socket, frame, "0xa");
      if (frame.method !== "eth_subscribe") return;
      for (const value of [evil, { [evil]: evil, hash: evil }, [evil]]) notify(socket, "0xa", value);
      socket.close(4000, "x\u202ezqx");
    });
    const file = join(place(plain), "stream.rpc.json");
    const params = [
      { name: evil, method: "eth_subscribe", params: [evil] },
      { method: "eth_subscribe", params: ["newHeads"] },
    ];
    writeFileSync(file, JSON.stringify({ cells: params }));
    const args = ["run", file, "-e", sockets.url, "--rows", "3", "--for", "500ms", "--report"];
    await expectText(reports.map((report) => [...args, report]));
  });

  it("stays text in data that is decoded with a foreign ABI", async () => {
    for (const leaf of some(leavesOf(plain.artifact), 2)) {
      const file = join(folder, "abi.json");
      writeFileSync(file, JSON.stringify(withText(plain.artifact, leaf, evil)));
      const args = ["decode", `0xc4076876${"0".repeat(128)}`, "--abi", file]; // pay(address,uint256)
      await expectText([args, [...args, "--json"]]);
    }
  });

  it("has the same meaning for the programs that read it", async () => {
    const parts = Object.entries(plain).map(([name, part]) => [name, freeTexts(part, evil)]);
    const file = join(place(Object.fromEntries(parts)), "notes/a.rpc.json");
    const withoutStyles = async (...args: readonly string[]): Promise<string> => (await type(args)).out;
    const run = ["run", file, "--allow-host", server.host, "--allow-method", "acme_do", "--report"];
    const [ran] = JSON.parse(await withoutStyles(...run, "json"));
    assert.equal(
      ran.cells.find(({ title }: { title: string }) => title === "called: acme_do").answers[0].result.text,
      evil,
    );
    assert.equal(parseXml((await withoutStyles(...run, "junit")).trimEnd()).name, "testsuites");
    assert.ok(Array.isArray(JSON.parse(await withoutStyles("check", file, "--report", "json"))));
    const imported = JSON.parse((await type(["import"], JSON.stringify({ method: "eth_x", params: [evil] }))).out);
    assert.equal(imported.cells[0].params[0], evil);
    const out = join(folder, "made.rpc.json");
    await type(["import", "-o", out], JSON.stringify({ method: "eth_x", params: [evil] }));
    assert.doesNotMatch(readFileSync(out, "utf8"), unseen);
    assert.deepEqual(JSON.parse(readFileSync(out, "utf8")).cells, imported.cells);
  });

  it("stays text in a separate process, also with --watch", async () => {
    buildCommandLine();
    const named = { cells: [{ name: evil, method: "eth_getBalance", params: [alice, "latest"] }], endpoint: "mine" };
    const file = join(place({ ...plain, notebook: named }), "notes/a.rpc.json");
    const args = ["run", file, "--compare", "latest,safe", "--allow-host", server.host];
    const compared = await startCommandLine(args, folder, { FORCE_COLOR: "1" }).ended;
    assert.match(compared.out, styles);
    assert.deepEqual(outputFaults(compared), []);
    const { child, ended } = startCommandLine(["run", file, "--watch"], folder, { FORCE_COLOR: "1" });
    child.stderr?.on("data", (text) => /Waiting for a change/.test(String(text)) && child.kill("SIGINT"));
    assert.deepEqual(outputFaults(await ended), []);
  });

  it("has one way out: no other code of the command line writes", () => {
    const root = fileURLToPath(new URL("../../server/src", import.meta.url));
    const own = new Set(["main.ts", "cli.ts"]); // they write only text of our own, and paths of the package
    const files = ["cli", "node"].flatMap((name) =>
      readdirSync(join(root, name)).flatMap((file) => (own.has(file) ? [] : join(root, name, file))),
    );
    const writers = files.filter((file) =>
      /\bconsole\.(?!error\(`Unexpected failure)|process\.std(?:out|err)\.(?:write|end)|\bstyleText\b/.test(
        readFileSync(file, "utf8"),
      ),
    );
    assert.ok(files.length > 20);
    assert.deepEqual(writers, []);
  });
});

/** A collection with a text in every field. */
function postman(text: string, body: string): string {
  const [pair, named] = [
    { key: text, value: text },
    { name: text, description: text },
  ];
  const url = { raw: `https://a.example/${text}`, query: [pair] };
  const header = [pair, { key: "X-Team", value: text }];
  const request = { description: text, method: "POST", header, url, body: { mode: "raw", raw: body } };
  const bare = { name: text, request: { method: text, url: text } };
  return JSON.stringify({
    info: { ...named, schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json" },
    auth: { type: "bearer", bearer: [{ key: "token", value: text }] },
    variable: [pair],
    item: [{ ...named, item: [{ name: text, request }, bare] }],
  });
}
