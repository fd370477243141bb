import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "../../support/commandInProcess.ts";
import { buildCommandLine, type Ended, startCommandLine } from "../../support/commandLine.ts";
import { fastClock } from "../../support/fastClock.ts";
import { answering, type HostileServer, hostileServer, type Misbehaviour } from "../../support/hostileServer.ts";
import { temporaryFolder } from "../../support/temporaryFolder.ts";

const chainId = `{ "name": "a", "method": "eth_chainId" }`;
const notebook = (...cells: readonly string[]): string => `{\n  "cells": [\n    ${cells.join(",\n    ")}\n  ]\n}\n`;

/** What is typed, the mistake, and what to do. */
const misuses = `
run text.rpc.json           | text.rpc.json:1:1: a notebook is an object with a \`cells\` array, an array of requests, or a request. | Fix text.rpc.json there.
run cut.rpc.json            | cut.rpc.json:2:27: \`}\` is missing at the end. | Fix cut.rpc.json there.
run cell.rpc.json           | cell.rpc.json:2:15: a value is missing before this. | Fix cell.rpc.json there.
run header.rpc.json         | header.rpc.json:1:23: a value is missing before this. | Fix header.rpc.json there.
run conflict.rpc.json       | conflict.rpc.json:2:1: two versions of the file met here, and one of them must be chosen. | Resolve the conflict, then run the command again.
run empty.rpc.json          | empty.rpc.json is empty. | A notebook is at least { "cells": [] }.
check blank.rpc.json        | blank.rpc.json is empty. | A notebook is at least { "cells": [] }.
run bytes.rpc.json          | bytes.rpc.json:1:3: byte 0xff is not UTF-8. | Open it with the encoding that it was written in, and save it as UTF-8.
run missing.rpc.json        | missing.rpc.json: file not found. | Check its name, and the working folder.
run tow.rpc.json            | tow.rpc.json: file not found. | Did you mean two.rpc.json?
run folder/                 | folder/ is a folder. | Name the notebooks in it: folder/*.rpc.json
run -                       | Cannot read a notebook from standard input. | Name a file.
check folder                | folder is a folder. | Name the notebooks in it: folder/*.rpc.json
run one.rpc.json -e nope    | Unknown endpoint \`nope\`, named by --endpoint. | Add it to rpc-endpoints.json, give a URL, or choose another: \`local\`.
run one.rpc.json -e loca    | Unknown endpoint \`loca\`, named by --endpoint. | Did you mean \`local\`?
run one.rpc.json -e ftp://h | The endpoint \`h\` (named by --endpoint) cannot be used: expected an address beginning with http:// or https://. | Fix it there.
run two.rpc.json --cell c   | two.rpc.json has no cell \`c\` that can run. | Did you mean \`a\` or \`b\`?
run two.rpc.json --cell 3   | two.rpc.json has no cell \`3\` that can run. | Its cells have the numbers 1 to 2, not counting Markdown.
run none.rpc.json --cell z  | none.rpc.json has no cell \`z\` that can run. | It has no cell with a request.
run one.rpc.json --bogus    | Unknown option --bogus. | See \`rpc-notebook run --help\`.
`;

/** What is typed, the cell and the reason, and its place. */
const unsendable = `
run bob.rpc.json -c 2       | cell 2: eth_getCode: not sent: A placeholder has no value: {{bob}}; no variable or cell has the name \`bob\`. | bob.rpc.json:4:44
run ring.rpc.json -c y      | x: eth_getCode: not sent: These cells refer to each other in a circle: x → y. | ring.rpc.json:3:5
run one.rpc.json            | a: eth_chainId: not sent: No endpoint is chosen. | one.rpc.json:3:5
run write.rpc.json -e local | cell 1: eth_sendRawTransaction: not sent: \`eth_sendRawTransaction\` broadcasts a transaction, so it needs your confirmation. | write.rpc.json:3:5
`;

const rows = (table: string) =>
  table
    .trim()
    .split("\n")
    .map((row) => row.split(/ *\| /));

describe("rpc-notebook", function () {
  this.timeout(300_000);
  const folder = temporaryFolder();
  before(() => {
    buildCommandLine();
    mkdirSync(join(folder, "folder"));
    const files: Readonly<Record<string, string | Uint8Array>> = {
      "text.rpc.json": "hello",
      "cut.rpc.json": `{ "cells": [\n  { "method": "eth_chainId"`,
      "cell.rpc.json": `{ "cells": [\n  { "method": }\n] }`,
      "header.rpc.json": `{ "variables": { "a": },\n  "cells": [] }`,
      "conflict.rpc.json": `{\n<<<<<<< HEAD\n"a": 1,\n=======\n"a": 2,\n>>>>>>> b\n"cells": []\n}`,
      "empty.rpc.json": "",
      "blank.rpc.json": "\ufeff \r\n",
      "bytes.rpc.json": Uint8Array.of(0x5b, 0x22, 0xff, 0x22, 0x5d),
      "none.rpc.json": `{ "cells": [{ "markdown": "# Text" }] }`,
      "one.rpc.json": notebook(chainId),
      "two.rpc.json": notebook(chainId, `{ "name": "b", "method": "eth_gasPrice", "params": [] }`),
      "bob.rpc.json": notebook(chainId, `{ "method": "eth_getCode", "params": ["{{bob}}", "latest"] }`),
      "ring.rpc.json": notebook(
        `{ "name": "x", "method": "eth_getCode", "params": ["{{y.result}}", "latest"] }`,
        `{ "name": "y", "method": "eth_getCode", "params": ["{{x.result}}", "latest"] }`,
      ),
      "write.rpc.json": notebook(`{ "method": "eth_sendRawTransaction", "params": ["0x00"] }`),
      "var.rpc.json": `{ "variables": { "who": "0x1" }, "cells": [{ "method": "eth_call", "params": ["{{who}}", "{{n}}"] }] }`,
      "marks.rpc.json": `[{ "name": "a\u009b2J\u202e", "method": "eth_chainId" }]`,
    };
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  });

  /** Runs a command to its end, and checks that its output contains no stack trace and no colours. */
  const type = async (line: string): Promise<Ended> => {
    const ended = await runCommand(line.split(" "), folder, { clock: fastClock() });
    for (const text of [ended.out, ended.err]) {
      assert.doesNotMatch(text, /^\s+at (?!\S+\.rpc\.json:\d+:\d+$)/m);
      assert.doesNotMatch(text, /\u001b/);
    }
    return ended;
  };
  const lines = (text: string): readonly string[] => text.split("\n");

  it("prints no control characters of a notebook, in JSON neither", async () => {
    const { out } = await type("run marks.rpc.json --report json");
    assert.doesNotMatch(out, /[\u009b\u202e]/);
    const [{ cells }] = JSON.parse(out);
    assert.match(cells[0].title, /^a\u009b2J\u202e: /);
  });

  describe("reports a mistake in the arguments, and sends nothing", () => {
    for (const [line = "", first, second] of rows(misuses))
      it(line, async () => {
        const { code, out, err } = await type(line);
        assert.ok(lines(err)[0]?.startsWith(`✗ ${first}`), err);
        assert.deepEqual([lines(err)[1], code, out], [`  ${second}`, 2, ""]);
      });

    it("in every file", async () => {
      const { code, err } = await type("run text.rpc.json one.rpc.json empty.rpc.json missing.rpc.json");
      assert.deepEqual([code, lines(err).filter((line) => line.startsWith("✗")).length], [2, 2]);
    });
  });

  it("says why a cell was not sent, what to do, and its place", async () => {
    for (const [line = "", what, place] of rows(unsendable)) {
      const { code, out, err } = await type(line);
      const [first, todo, at] = lines(out);
      assert.deepEqual([first, todo?.startsWith("  → "), at], [`✗ ${what}`, true, `  at ${place}`]);
      assert.deepEqual([code, err], [1, ""]);
    }
  });

  it("sends secrets to the host of --allow-host, and shows them nowhere", async () => {
    const server = await hostileServer(({ body, headers }, response) => {
      const { id } = JSON.parse(body) as { readonly id: number };
      response.end(JSON.stringify({ jsonrpc: "2.0", id, result: [body, headers.authorization] }));
    });
    const project = join(folder, "secrets");
    mkdirSync(project);
    const entry = { url: server.url, headers: { Authorization: "Bearer {{$secret.TOKEN}}" } };
    writeFileSync(join(project, "rpc-endpoints.json"), JSON.stringify({ main: entry }));
    writeFileSync(join(project, ".env"), "WHO=some0ne-else");
    writeFileSync(join(project, "a.rpc.json"), notebook(`{ "method": "x_echo", "params": ["{{$dotenv.WHO}}"] }`));
    const variables = { RPC_NOTEBOOK_SECRET_TOKEN: "t0p-s3cr3t" };
    const line = ["run", "a.rpc.json", "-e", "main", "--report"];
    const without = await runCommand([...line, "text"], project, { variables });
    assert.ok(
      without.out.includes(
        `\`$secret.TOKEN\` and \`$dotenv.WHO\` may not go to http://${server.host} (in rpc-endpoints.json).`,
      ),
      without.out,
    );
    assert.ok(without.out.includes(`→ Add --allow-host ${server.host}.`), without.out);
    assert.deepEqual([without.code, server.seen.length], [1, 0]);
    for (const report of ["text", "json"]) {
      const args = [...line, report, "--allow-host", server.host, "--allow-method", "x_echo"];
      const { code, out, err } = await runCommand(args, project, { variables });
      assert.equal(code, 0, out + err);
      assert.ok(!/t0p-s3cr3t|some0ne-else/.test(out + err), out);
      assert.ok(out.includes("‹secret TOKEN›") && out.includes("‹.env WHO›"), out);
    }
    assert.equal(server.seen[0]?.headers.authorization, "Bearer t0p-s3cr3t");
  });

  describe("with an endpoint that misbehaves", () => {
    const answers = (result: unknown): Misbehaviour => answering(() => result);
    const at = (server: HostileServer, line: string): Promise<Ended> => type(`${line} -e ${server.url}`);

    it("that answers with a web page and HTTP 502, after a retry", async () => {
      const page = "<html><head><title>502 Bad Gateway</title></head></html>";
      const server = await hostileServer((_, response) => response.writeHead(502, { "retry-after": "0" }).end(page));
      const { code, out, err } = await at(server, "run one.rpc.json");
      assert.equal(lines(out)[0], "✗ a: eth_chainId: refused: 502 Bad Gateway");
      assert.match(out, /\n {2}→ .*\n.*\n {2}at one\.rpc\.json:3:5\n\n0 of 1 cell ok, 1 failed, /);
      assert.match(
        err,
        new RegExp(
          `^(?:${server.host} is temporarily unavailable \\(HTTP 502\\)\\. Trying again in [\\d.]+ m?s\\.\n){3}$`,
        ),
      );
      assert.deepEqual([code, server.seen.length], [1, 4]);
    });

    it("ends at once on SIGINT, and prints the results so far", async () => {
      const server = await hostileServer(({ body }, response, socket) => {
        if (body.includes("eth_getLogs")) child.kill("SIGINT");
        else answers("0x1")({ body } as never, response, socket);
      });
      writeFileSync(
        join(folder, "slow.rpc.json"),
        notebook(
          chainId,
          `{ "name": "logs", "method": "eth_getLogs", "params": [{ "fromBlock": "{{a.result}}" }] }`,
          `{ "method": "eth_getCode", "params": ["{{logs.result[0].address}}"] }`,
        ),
      );
      const { child, ended } = startCommandLine(["run", "slow.rpc.json", "-e", server.url], folder);
      const { code, out, err } = await ended;
      assert.match(out, /^✓ a: eth_chainId: 1, Ethereum\n/);
      assert.match(out, /\nCancelled: 1 of 3 cells ok, 2 without an answer, [\d.]+ m?s\n$/);
      assert.deepEqual([code, err], [1, ""]);
    });

    it("ends when its reader closes the pipe, as `head` does", async () => {
      const server = await hostileServer(answers("0x1"));
      const many = notebook(...Array.from({ length: 1500 }, () => chainId));
      writeFileSync(join(folder, "many.rpc.json"), many);
      const { child, ended } = startCommandLine(["run", "many.rpc.json", "-e", server.url], folder);
      const { stdout } = child;
      assert.ok(stdout);
      await once(stdout, "data");
      stdout.destroy();
      const { code, err } = await ended;
      assert.deepEqual([code, err], [141, ""]);
    });

    it("reads variables: JSON as JSON, other text as text", async () => {
      const server = await hostileServer(answers("0x"));
      await at(server, `run var.rpc.json --var who=bob --var n=123456789012345678901`);
      assert.match(server.seen[0]?.body ?? "", /"params": \["bob", 123456789012345678901\]/);
    });

    it("prints JSON with exact integers of any size", async () => {
      const big = "123456789012345678901234567890";
      const server = await hostileServer(({ body }, response) =>
        response.end(`{"jsonrpc":"2.0","id":${JSON.parse(body).id},"result":${big}}`),
      );
      const { code, out, err } = await at(server, "run one.rpc.json none.rpc.json --report json");
      assert.ok(out.includes(`"result": ${big}`), out);
      const [one, none] = JSON.parse(out);
      assert.deepEqual(
        {
          ...one.cells[0],
          durationMs: 0,
          answers: one.cells[0].answers.map(({ method }: { method: string }) => method),
        },
        { key: "a", title: "a: eth_chainId", ok: true, durationMs: 0, answers: ["eth_chainId"], misses: [] },
      );
      assert.deepEqual(
        [one.file, one.ok, none.file, none.ok, none.cells],
        ["one.rpc.json", true, "none.rpc.json", true, []],
      );
      assert.deepEqual([code, err], [0, ""]);
    });

    it("gets nothing from a notebook that names it, without --allow-host", async () => {
      const server = await hostileServer(answers("0x1"));
      writeFileSync(join(folder, "named.rpc.json"), `{ "endpoint": "${server.url}node", "cells": [${chainId}] }`);
      const refused = await type("run named.rpc.json");
      assert.equal(
        lines(refused.out)[0],
        `✗ a: eth_chainId: not sent: Requests to http://${server.host} (named by the header) are not allowed.`,
      );
      assert.deepEqual([refused.code, server.seen.length], [1, 0]);
      const allowed = await type(`run named.rpc.json --allow-host ${server.host}`);
      assert.deepEqual([allowed.code, server.seen.length], [0, 1]);
    });
  });

  it("says so when there is nothing to run", async () => {
    const [all, one] = await Promise.all([type("run none.rpc.json"), type("run none.rpc.json -c 1")]);
    assert.deepEqual(all, { code: 0, out: "Nothing to run: no cell with a request.\n", err: "" });
    assert.equal(one.code, 2, "a cell that was asked for and does not run is no success");
    assert.match(one.err, /no cell `1` that can run/);
  });

  it("formats notebooks, and none of them if one is broken", async () => {
    const file = join(folder, "laid.rpc.json");
    const text = `\ufeff{"cells":[\r\n\t{"method":"eth_chainId","params":[]}]}`;
    writeFileSync(file, text);
    assert.deepEqual(await type("fmt laid.rpc.json --check"), {
      code: 1,
      out: "laid.rpc.json\n",
      err: "1 notebook: 1 would change\n",
    });
    assert.equal((await type("fmt laid.rpc.json cell.rpc.json")).code, 2);
    assert.equal(readFileSync(file, "utf8"), text);
    assert.deepEqual(await type("fmt laid.rpc.json"), {
      code: 0,
      out: "laid.rpc.json\n",
      err: "1 notebook: 1 changed\n",
    });
    const laidOut = `\ufeff{\r\n\t"cells": [\r\n\t\t{ "method": "eth_chainId", "params": [] }\r\n\t]\r\n}\r\n`;
    assert.equal(readFileSync(file, "utf8"), laidOut);
    assert.deepEqual(await type("fmt laid.rpc.json"), { code: 0, out: "", err: "1 notebook: nothing to do\n" });
  });

  it("finds problems in endpoint files and in a notebook that uses them", async () => {
    mkdirSync(join(folder, "project/.git"), { recursive: true });
    const file = join(folder, "project/rpc-endpoints.json");
    writeFileSync(file, `{\n  "main": "rpc.example",\n  "ok": { "url": "http://127.0.0.1:1", "colour": 1 }\n}`);
    writeFileSync(join(folder, "project/a.rpc.json"), `{ "endpoint": "main", "cells": [${chainId}] }`);
    const { code, out } = await type("check project/a.rpc.json");
    assert.match(out, /^project\/a\.rpc\.json:1:15: warning unusable-endpoint: /m);
    assert.match(out, /^project\/rpc-endpoints\.json:2:11: error bad-endpoint-address: Expected an address/m);
    assert.match(out, /^project\/rpc-endpoints\.json:3:50: warning unknown-endpoint-key: /m);
    assert.equal(code, 1);
    const own = await type("check project/rpc-endpoints.json");
    assert.deepEqual([own.out.match(/^project\/rpc-endpoints\.json:/gm)?.length, own.code], [2, 1]);
    assert.match(own.out, /^1 file: 1 error, 1 warning or hint$/m);
    const asNotebook = await type("run project/rpc-endpoints.json");
    assert.match(asNotebook.err, /is an endpoint file, not a notebook\.\n {2}Name a notebook, or check the file: /);
    const told = async (command: string): Promise<readonly string[]> =>
      (await type(command)).err.match(/^project\/rpc-endpoints\.json:\d+:\d+/gm) ?? [];
    const [address, key] = ["project/rpc-endpoints.json:2:11", "project/rpc-endpoints.json:3:50"];
    assert.deepEqual(await told("run project/a.rpc.json"), [address, key], "nothing could be sent");
    assert.deepEqual(await told("run project/a.rpc.json -e ok"), [key], "what is wrong with others says `check`");
    assert.deepEqual(await told("run project/a.rpc.json -e ok --compare pending,latest"), [address, key]);
    rmSync(join(folder, "project"), { recursive: true });
  });

  it("checks notebooks, broken ones too, in the order of their lines", async () => {
    const { code, out, err } = await type("check cell.rpc.json bob.rpc.json one.rpc.json");
    assert.equal(
      out,
      [
        "cell.rpc.json:2:15: error json-syntax: Not JSON: a value is missing before this.",
        "bob.rpc.json:4:44: error unresolved-placeholder: Unknown variable or cell `bob`.",
        "3 notebooks: 2 errors, 0 warnings and hints\n",
      ].join("\n"),
    );
    assert.deepEqual([code, err], [1, ""]);
    assert.deepEqual(await type("check one.rpc.json"), { code: 0, out: "1 notebook: no problems\n", err: "" });
    const { out: json } = await type("check bob.rpc.json --report json");
    assert.deepEqual(JSON.parse(json), [
      {
        file: "bob.rpc.json",
        line: 4,
        column: 44,
        severity: "error",
        code: "unresolved-placeholder",
        message: "Unknown variable or cell `bob`.",
      },
    ]);
  });

  it("prints its version and its help", async () => {
    const { version } = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8"));
    assert.equal((await startCommandLine(["--version"], folder).ended).out, `${version}\n`);
    const topics = ["--help", "help run", "check --help", "lsp -h"];
    for (const { code, out } of await Promise.all(topics.map(type))) {
      assert.match(out, /^Usage: rpc-notebook /);
      assert.equal(code, 0);
    }
  });
});
