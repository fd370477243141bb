import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseJson, printJson } from "../../server/src/base/json.ts";
import { equal } from "../../server/src/evaluate/diff.ts";
import { reportOf } from "../../server/src/report/reportOf.ts";
import { answered } from "../server/report/outcomes.ts";
import { runCommand } from "../support/commandInProcess.ts";
import type { Ended } from "../support/commandLine.ts";
import { some } from "../support/depth.ts";
import { startEditor } from "../support/editor.ts";
import { type HostileServer, hostileServer } from "../support/hostileServer.ts";
import { socketServer } from "../support/socketServer.ts";
import { temporaryFolder } from "../support/temporaryFolder.ts";

const folder = temporaryFolder();

function run(cells: readonly string[], ...options: readonly string[]): Promise<Ended> {
  const file = join(folder, "a.rpc.json");
  writeFileSync(file, `{"cells":[${cells.join(",")}]}`);
  return runCommand(["run", file, ...options], folder);
}

describe("only a success is reported as one", () => {
  describe("if a subscription is answered with", () => {
    const results = ["null", "true", "false", "{}", '{"subscription":"0x1"}', "[]", '["0x1"]', "1e400"];
    for (const result of some(results, 3)) {
      it(`${result}, which is not an id`, async () => {
        const server = await socketServer(({ id }, socket) =>
          socket.send(`{"jsonrpc":"2.0","id":${id},"result":${result}}`),
        );
        const cell = `{"method":"eth_subscribe","params":["newHeads"]}`;
        const { code, out } = await run([cell], "--endpoint", server.url);
        assert.equal(code, 1, out);
        assert.match(out, /which is not the id of a subscription/);
        assert.ok(out.includes(result), out);
      });
    }
  });

  describe("if a node sends endless digits", () => {
    const endless = `0x${"f".repeat(300_000)}`;
    for (const [method, value] of [
      ["eth_gasPrice", endless],
      ["eth_blockNumber", 16n ** 100_000n],
      ["eth_feeHistory", { oldestBlock: "0x1", baseFeePerGas: [endless], gasUsedRatio: [0.1] }],
      ["eth_getTransactionByHash", { from: endless, value: endless, hash: endless }],
      ["eth_getBlockByNumber", { number: endless, hash: endless, logsBloom: endless, transactions: [endless] }],
    ] as const)
      it(`${method} has a report that is soon there, and short`, () => {
        const outcome = answered(value, "");
        const report = JSON.stringify(reportOf({ title: method, method, params: [], outcome }));
        assert.equal(report.length < 100_000, true, `${report.length} characters`);
      });
  });

  describe("if a double cannot represent a number", () => {
    let server: HostileServer | undefined;
    const wide = ["1e400", "-1e400", "1e-400", "-2.5E-999999", "1.5e+400", `0.${"0".repeat(400)}1`, "1e999999999"];
    const cell = (more = ""): string => `{"name":"a","method":"eth_blockNumber"${more}}`;
    const answering = async (text: string): Promise<readonly string[]> => {
      server = await hostileServer(({ body }, response) => {
        const { id } = JSON.parse(body);
        response.end(`{"jsonrpc":"2.0","id":${id},"result":${text}}`);
      });
      return ["--endpoint", server.url];
    };

    for (const text of wide) {
      it(`the text of ${text.slice(0, 20)} is kept`, async () => {
        const where = await answering(`{"a":[${text}]}`);
        const plain = await run([cell()], ...where);
        assert.ok(plain.out.includes(text.slice(0, 40)), plain.out);
        const { out } = await run([cell()], ...where, "--report", "json");
        assert.ok(out.replace(/\s/g, "").includes(`"result":{"a":[${text}]}`), out);
        const expected = await run([cell(`,"expect":{"result.a[0]":{"==":${text},"type":"number"}}`)], ...where);
        assert.equal(expected.code, 0, expected.out);
        const missed = await run([cell(`,"expect":{"result.a[0]":null}`)], ...where);
        assert.equal(missed.code, 1, missed.out);
      });
    }

    it("it is sent and recorded unchanged", async () => {
      const where = await answering("1e400");
      const anything = "optimism_rollupConfig"; // it may answer with a number
      const next = `{"method":"${anything}","params":["{{a.result}}", "{{b}}"]}`;
      const cells = [cell(`,"snapshot":true`).replace("eth_blockNumber", anything), next];
      const ran = await run(cells, ...where, "--var", "b=1e-400", "--snapshot", "update");
      assert.equal(ran.code, 0, ran.out + ran.err);
      assert.match(server?.seen.map(({ body }) => body).join("\n") ?? "", /\[\s*1e400,\s*1e-400\]/);
      assert.match(readFileSync(join(folder, "a.rpc.snapshot.json"), "utf8"), /: 1e400\b/);
      const again = await run(cells, ...where, "--var", "b=1e-400", "--snapshot", "check");
      assert.equal(again.code, 0, again.out + again.err);
    });

    it("printing and comparing distinguish it from other values", () => {
      for (const text of wide) {
        const value = parseJson(`[${text},0,"${text}"]`) ?? null;
        assert.equal(printJson(value), `[${text},0,"${text}"]`);
        assert.ok(equal(value, parseJson(`[${text},0,"${text}"]`) ?? null));
        for (const other of ["0", "null", "{}", '"1e400"', "1e401"])
          assert.ok(!equal(parseJson(`[${text}]`) ?? null, parseJson(`[${other}]`) ?? null), `${text} ${other}`);
      }
      for (const text of ["0", "0e-5", "5e-324", "1.7976931348623157e308"])
        assert.equal(parseJson(text), JSON.parse(text));
    });
  });

  describe("if a file nests deeper than 512 levels", () => {
    const open = "[".repeat(600);
    const close = "]".repeat(600);
    const files: Readonly<Record<string, string>> = {
      "a parameter": `{"cells":[{"method":"eth_call","params":${open}${close}}]}`,
      "a cell": `{"cells":[{"method":"eth_chainId"},${open}${close}]}`,
      "the header": `{"cells":[],"x":${open}${close}}`,
      Markdown: `{"cells":[{"markdown":${open}${close}}]}`,
      "nothing but brackets": "[".repeat(100_000),
      "a parameter, and is not JSON": `{"cells":[{"method":"eth_call","params":${open}nonsense`,
      "a batch, and is not JSON": `{"cells":[{"batch":${open} x ${close}}]}`,
    };
    for (const [what, text] of Object.entries(files)) {
      const isJson = !/not JSON|nothing but/.test(what);
      const column = text.indexOf("[[") + 1;

      it(`check reports the place in ${what}`, async () => {
        const file = join(folder, "deep.rpc.json");
        writeFileSync(file, text);
        const { code, out } = await runCommand(["check", file], folder);
        assert.equal(code, 1, out);
        const [, at = ""] = /deep\.rpc\.json:1:(\d+): error too-deep: Nested more than 512 levels deep/.exec(out) ?? [];
        assert.ok(Number(at) > column && column > 0 && Number(at) <= column + 513, out.slice(0, 200));
        assert.equal(!/, and not JSON\./.test(out), isJson, out.slice(0, 200));
      });

      it(`the language server reports it in ${what}`, async () => {
        const { connection, until } = await startEditor({});
        const textDocument = { uri: "file:///w/a.rpc.json", languageId: "json", version: 1, text };
        await connection.sendNotification("textDocument/didOpen", { textDocument });
        await until<{ readonly diagnostics: readonly { readonly code: string }[] }>(
          "textDocument/publishDiagnostics",
          ({ diagnostics }) => diagnostics.some(({ code }) => code === "too-deep"),
        );
        connection.dispose();
      });
    }
  });
});
