import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { importText } from "../../server/src/convert/importText.ts";
import { explained } from "../../server/src/editor/pastedRequests.ts";
import { createService } from "../../server/src/service/service.ts";
import { runCommand } from "../support/commandInProcess.ts";
import { testHost } from "../support/host.ts";

/** Texts that people paste, with `{K}` or `{k}` (without 0x) for a private key, with `{H}` for a hash, and with `{b}` for another 32 bytes. */
const pastedTexts: { readonly keys: readonly string[]; readonly hashes: readonly string[] } = JSON.parse(
  await readFile(new URL("privateKeyTexts.json", import.meta.url), "utf8"),
);

const filled = (text: string, digits: string): string =>
  text
    .replace(/\{[KH]\}/g, `0x${digits}`)
    .replaceAll("{k}", digits)
    .replaceAll("{ku}", digits.toUpperCase())
    .replaceAll("{b}", "b7".repeat(32))
    .replaceAll("{KU}", `0x${digits.toUpperCase()}`)
    .replaceAll("{KX}", `0X${digits.toUpperCase()}`)
    .replaceAll("{A}", "0x70997970C51812dc3A010C7d01b50e0d17dc79C8");

describe("32 bytes in a pasted text", () => {
  const key = "4ad713e2332618db42d014b86639aeb1ec5231205bd32f68216572247a0c09b3";
  const isFree = (output: unknown): boolean => {
    const shown = JSON.stringify(output).toLowerCase().replaceAll(",", "");
    return !shown.includes(key) && !shown.includes(BigInt(`0x${key}`).toString());
  };

  for (const text of pastedTexts.keys)
    it(`are not sent and not shown if they may be a key: ${text}`, async () => {
      assert.ok(isFree(await explained(filled(text, key))));
    });
  for (const text of pastedTexts.hashes)
    it(`are asked about if the text says that they are public: ${text}`, async () => {
      const { readings } = await explained(filled(text, key));
      assert.ok(!isFree(readings));
    });

  it("leave a mark, which is not sent as a parameter", async () => {
    for (const text of ["cast receipt {K} # PK {K}", "cast receipt 0x{b} # PK {K}", "PK={K}; cast tx {K}"])
      assert.doesNotMatch(JSON.stringify((await explained(filled(text, key))).readings.map(({ cells }) => cells)), /‹/);
  });

  const table = `| address | private key |\n|---|---|\n| 0x${"ab".repeat(20)} | 0x${key} |`;
  const go = `key, _ := crypto.HexToECDSA(\n\t"${key}",\n)`;
  const inJson = JSON.stringify({ privateKey: `0x${key}` });
  const lines = (text: string) => ({ markdown: text.split("\n") });
  const called = (...params: readonly unknown[]) => ({ method: "eth_getBalance", params });
  for (const [what, cell] of Object.entries({
    "JSON on one line": lines(inJson),
    "a table": lines(table),
    "a list on one line": lines(`["Private key:","0x${key}"]`),
    "a call over lines": lines(go),
    "a call": lines(`new HDWalletProvider(['${key}'], url)`),
    "a name with its value": lines(`- name: SIGNER_KEY\n  value: 0x${key}`),
    "an element of XML": lines(`<add key="SignerKey" value="0x${key}" />`),
    "a cast": lines(`const sk = hexToBytes("${key}")`),
    "an address": lines(`https://app.example/import?pk=0x${key}`),
    "an address in a parameter": called(`https://app.example/import?pk=0x${key}`),
    "a list of parameters": called("Private key:", `0x${key}`),
    "JSON in a parameter": called(inJson),
    "a sample in a parameter": called(`privateKey=0x${key} …`),
  }))
    it(`are found by check, a page and every message, in ${what}`, async () => {
      const service = createService(testHost());
      const uri = "file:///w/a.rpc.json";
      service.openText(uri, JSON.stringify({ cells: [cell] }));
      await service.settled(uri);
      const found = service.diagnostics(uri);
      assert.ok(found.some(({ code }) => code === "secret-in-file"));
      assert.ok(!JSON.stringify(found).includes(key.slice(0, 16)), JSON.stringify(found));
      const isText = "markdown" in cell;
      const text = isText ? cell.markdown.join("\n") : JSON.stringify(cell);
      const cells = [{ kind: isText ? ("markdown" as const) : ("request" as const), text, reports: [] }];
      assert.ok(isFree(await service.page({ title: "", cells, script: "" })));
    });

  it("are in no message about a value that looks like a sample", async () => {
    const service = createService(testHost());
    service.openText("file:///w/a.rpc.json", JSON.stringify({ cells: [called(`my deployer 0x${key}`, "latest")] }));
    const found = JSON.stringify(service.diagnostics("file:///w/a.rpc.json"));
    assert.match(found, /"code"/);
    assert.ok(!found.includes(key.slice(0, 16)), found);
  });

  const body = (param: string) => `{"method":"acct_import","params":[${param}]}`;
  const curl = "curl http://127.0.0.1:1/";
  for (const text of [
    ...["PRIVATE_KEY", "PK"].flatMap((name) => [
      `export ${name}=0x${key}\n${curl} -d "${body(`"$${name}"`).replaceAll('"', '\\"')}"`,
      `export ${name}=0x${key}\n${curl} -d "${body(`"\${${name}}"`).replaceAll('"', '\\"')}"`,
      `${name}=0x${key}\n${curl} -d '${body(`"'$${name}'"`)}'`,
      `${name}=0x${key}\ncast rpc acct_import $${name} --rpc-url http://127.0.0.1:1`,
      `${name}=${key}\ncast call 0x${"ab".repeat(20)} "f(bytes32)" 0x$${name} --rpc-url http://127.0.0.1:1`,
    ]),
    `const privateKey="0x${key}"; fetch("http://127.0.0.1:1/", { body: JSON.stringify({ method: "acct_import", params: [privateKey] }) })`,
    `PRIVATE_KEY = "0x${key}"\nrequests.post("http://127.0.0.1:1/", json=${body("PRIVATE_KEY")})`,
    `${curl} -d '${body(JSON.stringify(inJson))}'`,
    `curl 'http://127.0.0.1:1/?pk=0x${key}' -d '{"method":"eth_chainId"}'`,
    `PK=0x${key}\ncurl http://127.0.0.1:1/wallet/$PK -d '{"method":"eth_chainId"}'`,
    `PK=0x${key}\n${curl} -H "x-a: $PK" -d '{"method":"eth_chainId"}'`,
    `PK=0x${key}\n${curl} -d '${body(`{"0x${key}":1}`)}'`,
    `PK=0x${key}\n${curl} -d '${body(`"0x${key.toUpperCase()}"`)}'`,
    `PK=0x${key}\n${curl} -d '${body(`"0x12345678${key}"`)}'`,
    `PK=0x${key}\n${curl} -d '{"method":"x_${key}"}'`,
  ])
    it(`leave an import wherever they are, once they are a key: ${text.replaceAll(key, "…")}`, () => {
      const { notebook, cells, endpoints, notes } = importText(text);
      assert.ok(isFree([notebook, cells, endpoints, notes]), notebook);
      assert.match(JSON.stringify([notebook, endpoints]), /\{\{\$secret\./);
      assert.ok(cells.length > 0);
    });
  it("stay in an import if they are the parameter of a request, with a key beside it", () => {
    const asked = `PRIVATE_KEY=$K\n${curl} -d '{"method":"eth_getTransactionByHash","params":["0x${key}"]}'`;
    assert.ok(!isFree(importText(asked).notebook));
  });

  const pem = `-----BEGIN EC PRIVATE KEY-----\n${key}\n-----END EC PRIVATE KEY-----`;
  const setting = `PRIVATE_KEY=0x${key}`;
  for (const argv of [
    ["explain", pem],
    ["decode", pem],
    [pem],
    [setting],
    ["run", setting],
    ["run", "a", "--timeout", setting],
    ["run", "a", "--allow-host", setting],
    ["explain", "1", "-e", setting],
    ["decode", "0x", "--abi", setting],
    ["completions", setting],
  ])
    it(`are in no message about ${argv.join(" ").replaceAll(key, "…").replaceAll("\n", " ")}`, async () => {
      const { code, out, err } = await runCommand(argv, ".");
      assert.equal(code, 2);
      assert.ok(!`${out}${err}`.includes(key.slice(0, 16)), err);
    });
});
