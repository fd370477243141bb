import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { buildCommandLine, commandLine } from "../support/commandLine.ts";
import { some } from "../support/depth.ts";

const framed = (message: object): string => {
  const body = JSON.stringify({ jsonrpc: "2.0", ...message });
  return `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
};
const hello = framed({ id: 1, method: "initialize", params: { processId: null, rootUri: null, capabilities: {} } });
const shutdown = framed({ id: 2, method: "shutdown" });

interface Server {
  readonly child: ChildProcess;
  /** Waits for the output of the server. */
  until(pattern: RegExp): Promise<string>;
  readonly ended: Promise<{ readonly code: number | null; readonly err: string }>;
}

/** Makes a hundred times as much time pass for the timers of a process. */
const hurried = "globalThis.setTimeout = ((wait) => (work, ms, ...more) => wait(work, ms / 100, ...more))(setTimeout)";

function start(...options: readonly string[]): Server {
  const { NODE_OPTIONS: _, ...env } = process.env;
  const child = spawn(process.execPath, [...options, commandLine, "lsp"], { env });
  let [out, err] = ["", ""];
  const waiting = new Set<() => void>();
  child.stdout.setEncoding("utf8").on("data", (text) => {
    out += text;
    for (const look of waiting) look();
  });
  child.stderr.setEncoding("utf8").on("data", (text) => {
    err += text;
  });
  return {
    child,
    until: (pattern) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (!pattern.test(out)) return;
          waiting.delete(look);
          resolve(out);
        };
        waiting.add(look);
        look();
      }),
    ended: new Promise((resolve) => child.once("close", (code) => resolve({ code, err }))),
  };
}

describe("the language server over standard input", () => {
  before(buildCommandLine);

  const broken: Readonly<Record<string, string>> = {
    "a length that is too small": shutdown.replace(/\d+/, "5") + shutdown,
    "a length that is too large, and more after it": shutdown.replace(/\d+/, "60") + shutdown,
    "a length below zero": shutdown.replace(/\d+/, "-5") + shutdown,
    "a length that is not a number": shutdown.replace(/\d+/, "x") + shutdown,
    "no length": `Content-Type: x\r\n\r\n{}${shutdown}`,
    "no header": `hello\r\n\r\n${shutdown}`,
    "a body that is not JSON": "Content-Length: 5\r\n\r\nhello",
    "a body that is a number": "Content-Length: 1\r\n\r\n5",
  };
  const nothing = ["a body that is null", "Content-Length: 4\r\n\r\nnull"] as const;
  const cut = ["a length that is too large, and nothing after it", shutdown.replace(/\d+/, "9999")] as const;
  for (const [what, bytes] of [cut, nothing, ...some(Object.entries(broken), 3)]) {
    it(`says so and ends after ${what}`, async () => {
      const server = start(
        ...(what === cut[0] ? [`--import=data:text/javascript,${encodeURIComponent(hurried)}`] : []),
      );
      server.child.stdin?.write(hello);
      await server.until(/"id":1/);
      server.child.stdin?.write(bytes);
      const { code, err } = await server.ended;
      assert.equal(code, 1, err);
      assert.match(err, /^The language server ends: .*Content-Length/);
      if (what !== cut[0]) assert.match(err, /a message is not a JSON object/);
    });
  }

  it("refuses requests after `shutdown`, and ends with `exit`", async () => {
    const server = start();
    server.child.stdin?.write(hello + framed({ method: "initialized", params: {} }) + shutdown);
    await server.until(/"id":2/);
    server.child.stdin?.write(framed({ id: 3, method: "textDocument/hover", params: {} }));
    const out = await server.until(/"id":3/);
    assert.match(out.slice(out.indexOf('"id":3')), /"code":-32600/);
    server.child.stdin?.write(framed({ method: "exit" }));
    assert.equal((await server.ended).code, 0);
  });
});
