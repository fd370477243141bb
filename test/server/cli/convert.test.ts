import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "../../support/commandInProcess.ts";
import type { Ended } from "../../support/commandLine.ts";
import { temporaryFolder } from "../../support/temporaryFolder.ts";

const body = `{"jsonrpc":"2.0","method":"eth_chainId","id":1}`;

describe("rpc-notebook import and export", function () {
  this.timeout(300_000);
  let folder: string;
  beforeEach(() => {
    folder = temporaryFolder();
  });
  const run = (...args: readonly string[]): Promise<Ended> => runCommand(args, folder);
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  const read = (name: string): string => readFileSync(join(folder, name), "utf8");

  it("writes a notebook and an endpoint file, and no secret into either", async () => {
    write("a.sh", `curl https://h.example -H 'X-Api-Key: tops3cret' -d '${body}'\n`);
    const { code, out, err } = await run("import", "a.sh", "-o", "a.rpc.json");
    assert.deepEqual([code, out], [0, ""], err);
    assert.match(err, /^a\.sh:1:6: The value of the header `X-Api-Key` is a secret/m);
    assert.equal(
      read("a.rpc.json"),
      `{\n  "endpoint": "h.example",\n  "cells": [\n    { "jsonrpc": "2.0", "method": "eth_chainId", "id": 1 }\n  ]\n}\n`,
    );
    assert.deepEqual(JSON.parse(read("rpc-endpoints.json")), {
      "h.example": { url: "https://h.example", headers: { "X-Api-Key": "{{$secret.X_API_KEY}}" } },
    });
    assert.doesNotMatch(err + read("a.rpc.json") + read("rpc-endpoints.json"), /tops3cret/);
    const again = await run("import", "a.sh", "-o", "a.rpc.json");
    assert.equal(again.code, 2);
    assert.match(again.err, /a\.rpc\.json already exists\./);
  });

  it("reads a file by its name, and applies a Postman environment to its collection", async () => {
    write("lower.http", `post http://h\n\n${body}\n`);
    write("name.rest", `{{$processEnv RPC}}\n\n${body}\n`);
    const both = await run("import", "lower.http", "name.rest", "-o", "read");
    assert.equal(both.code, 0, both.err);
    assert.match(read("read/lower.rpc.json"), /"endpoint": "http:\/\/h"/);
    assert.match(read("read/rpc-endpoints.json"), /"url": "\{\{\$env\.RPC\}\}"/);

    const header = [{ key: "X-Who", value: "{{deployer}}" }];
    const item = [
      { name: "one", request: { method: "POST", url: "{{node}}/rpc", header, body: { mode: "raw", raw: body } } },
    ];
    write("c.json", JSON.stringify({ info: { name: "Node" }, item, variable: [{ key: "node", value: "http://old" }] }));
    const values = [
      { key: "node", value: "http://new", enabled: true },
      { key: "deployer", value: "sh0rt", type: "secret", enabled: true },
    ];
    write("e.json", JSON.stringify({ name: "Main", values, _postman_variable_scope: "environment" }));
    const alone = await run("import", "e.json");
    assert.deepEqual([alone.code, alone.out], [1, ""]);
    assert.match(alone.err, /A Postman environment has variables only\. Import it together with its collection\./);
    const made = await run("import", "c.json", "e.json", "-o", "c/c.rpc.json");
    assert.equal(made.code, 0, made.err);
    assert.deepEqual(JSON.parse(read("c/rpc-endpoints.json")), {
      new: { url: "http://new/rpc", headers: { "X-Who": "{{$secret.DEPLOYER}}" } },
    });
    assert.match(made.err, /^Before a run, set DEPLOYER in the environment/m);
    assert.doesNotMatch(alone.err + made.err + made.out + read("c/c.rpc.json"), /sh0rt/);
  });

  it("creates the folder, with one endpoint file for all notebooks in it", async () => {
    write("a.sh", `curl http://h -H 'X-Api-Key: tops3cret' -d '${body}'\n`);
    write("b.sh", `curl http://h -H 'X-Api-Key: 0ther' -d '${body}'\n`);
    const { code, err } = await run("import", "a.sh", "b.sh", "-o", "made/here");
    assert.equal(code, 0, err);
    assert.match(err, /^made\/here\/rpc-endpoints\.json: `h` and `h-2`$/m);
    assert.match(err, /^Before a run, set X_API_KEY and X_API_KEY_2 in the environment or in a \.env/m);
    assert.deepEqual(Object.keys(JSON.parse(read("made/here/rpc-endpoints.json")) as object), ["h", "h-2"]);
    assert.match(read("made/here/b.rpc.json"), /"endpoint": "h-2"/);
    write("c.sh", `curl http://h -H 'X-Team: blue' -d '${body}'\n`);
    const more = await run("import", "c.sh", "-o", "made/here/c.rpc.json");
    assert.equal(more.code, 0, more.err);
    assert.match(more.err, /^made\/here\/rpc-endpoints\.json: `h-3`$/m);
    assert.deepEqual(Object.keys(JSON.parse(read("made/here/rpc-endpoints.json")) as object), ["h", "h-2", "h-3"]);
  });

  it("refuses names that a notebook cannot have, before it writes anything", async () => {
    write("a.sh", `curl http://h -H 'X-Team: blue' -d '${body}'\n`);
    const ours = ["rpc-endpoints.json", "./rpc-endpoints.private.json", "x.rpc.recording.json", "x.rpc.snapshot.json"];
    for (const name of [...ours, "new/", "foundry.toml", "package.json", ".env", "x", "x.json"]) {
      const { code, err } = await run("import", "a.sh", "-o", name);
      assert.equal(code, 2, name);
      assert.match(err, /` is not a name for a notebook\./);
    }
    assert.deepEqual(readdirSync(folder), ["a.sh"]);
  });

  it("says what to add if the endpoint file cannot be extended, and does not change that", async () => {
    write("a.sh", `curl http://h -H 'X-Team: blue' -d '${body}'\n`);
    write("rpc-endpoints.json", "[]");
    const { code, err } = await run("import", "a.sh", "-o", "a.rpc.json");
    assert.equal(code, 1);
    assert.match(err, /✗ Cannot add endpoints to rpc-endpoints\.json: it is not a JSON object\./);
    assert.match(err, /Add this to rpc-endpoints\.json:\n\{\n {2}"h": \{/);
    assert.equal(read("rpc-endpoints.json"), "[]");
    assert.match(read("a.rpc.json"), /"endpoint": "h"/);
  });

  it("fails without a request, and writes no empty notebook", async () => {
    write("a.txt", `axios.post("http://h", body);\n`);
    const { code, out, err } = await run("import", "a.txt", "-o", "a.rpc.json");
    assert.deepEqual([code, out, existsSync(join(folder, "a.rpc.json"))], [1, "", false]);
    assert.match(err, /✗ a\.txt contains no request that could be read\.\n.*“Copy as cURL”/);
  });

  it("names the place of unreadable text", async () => {
    write("a.sh", `curl http://h \\\n  -d '{"method":"a","params":[...]}'\n`);
    const { code, out, err } = await run("import", "a.sh", "-o", "a.rpc.json");
    assert.deepEqual([code, out, readdirSync(folder)], [1, "", ["a.sh"]]);
    assert.match(err, /a\.sh:2:31: The body is not JSON: `\.\.\.` is not a JSON value\./);
  });

  it("writes an endpoint that check accepts for a host that is a variable", async () => {
    write("a.http", `POST https://{{host}}/v1\nX-Team: {{$guid}}\n\n${body}\n`);
    const made = await run("import", "a.http", "-o", "a.rpc.json");
    const checked = await run("check", "a.rpc.json");
    assert.deepEqual([made.code, checked.code], [0, 0], made.err + checked.err + checked.out);
    assert.match(
      made.err,
      /^a\.http:1:1: `\{\{host\}\}` has no value here, so the endpoint uses `\{\{\$env\.host\}\}`\./m,
    );
    assert.deepEqual(JSON.parse(read("rpc-endpoints.json")), {
      host: { url: "https://{{$env.host}}/v1", headers: { "X-Team": "{{$env.guid}}" } },
    });
  });

  it("exports the call that a run sends, by the contracts of the project", async () => {
    const transfer = {
      ...{ type: "function", name: "transfer", stateMutability: "nonpayable", outputs: [] },
      inputs: [
        { name: "to", type: "address" },
        { name: "value", type: "uint128" },
      ],
    };
    write("foundry.toml", "");
    mkdirSync(join(folder, "out/Odd.sol"), { recursive: true });
    write("out/Odd.sol/Odd.json", JSON.stringify({ abi: [transfer], bytecode: { object: "0x" } }));
    const to = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
    const data = { function: "transfer", args: [to, "5"] };
    write("a.rpc.json", JSON.stringify({ endpoint: "local", method: "eth_call", params: [{ to, data }, "latest"] }));
    for (const form of ["curl", "cast", "viem"])
      assert.match((await run("export", "a.rpc.json", "--to", form)).out, /0xfbb001d6/, form);
  });

  it("exports requests, or says which one it cannot export", async () => {
    write(
      "a.rpc.json",
      `{ "endpoint": "local", "cells": [${body}, { "method": "eth_call", "params": ["{{nope}}"] }] }`,
    );
    const one = await run("export", "a.rpc.json", "--to", "cast", "--cell", "1");
    assert.deepEqual([one.code, one.out, one.err], [0, "cast chain-id --rpc-url http://127.0.0.1:8545/\n", ""]);
    const all = await run("export", "a.rpc.json", "--to", "curl");
    assert.equal(all.code, 1);
    assert.match(all.err, /a\.rpc\.json, cell 2: \{\{nope\}\} has no value here\./);
    assert.equal((await run("export", "a.rpc.json", "--to", "curl", "-c", "zzz")).code, 2);
  });
});
