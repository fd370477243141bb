import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { toEventSelector } from "viem";
import type { Log } from "../../../devchain/types.ts";
import { hover } from "../../../server/src/features/hover.ts";
import { readCell } from "../../../server/src/notebook/readCell.ts";
import { scopeOf } from "../../support/cell.ts";
import { runCommand } from "../../support/commandInProcess.ts";
import type { Ended } from "../../support/commandLine.ts";
import { some } from "../../support/depth.ts";
import { sharedChain } from "../../support/sharedChain.ts";
import { temporaryFolder } from "../../support/temporaryFolder.ts";

/** The events that token and payment contracts of the service emit, by the names of their arguments. */
const events: Readonly<Record<string, { readonly signature: string; readonly args: readonly string[] }>> = {
  Transfer: { signature: "Transfer(address,address,uint256)", args: ["from", "to", "value"] },
  Approval: { signature: "Approval(address,address,uint256)", args: ["owner", "spender", "value"] },
  AuthorizationUsed: { signature: "AuthorizationUsed(address,bytes32)", args: ["authorizer", "nonce"] },
  AuthorizationCanceled: { signature: "AuthorizationCanceled(address,bytes32)", args: ["authorizer", "nonce"] },
  Memo: { signature: "Memo(address,bytes32)", args: ["caller", "memo"] },
  PaymentCaptured: {
    signature: "PaymentCaptured(bytes32,uint256,uint16,address)",
    args: ["paymentInfoHash", "amount", "feeBps", "feeReceiver"],
  },
  PayoutSent: { signature: "PayoutSent(address,address,address,uint256,bytes)", args: [] },
};
const names = Object.keys(events);

describe("the events that the service names, without any ABI", function () {
  this.timeout(300_000);
  const chain = sharedChain();
  const folder = temporaryFolder();
  let logs: ReadonlyMap<string, Log>;
  before(async () => {
    const all = (await chain.rpc("eth_getLogs", [{ fromBlock: "earliest" }])) as readonly Log[]; // as the method answers
    logs = new Map(
      names.map((name) => {
        const topic = toEventSelector(events[name]?.signature ?? "");
        return [name, all.find(({ topics }) => topics[0] === topic && topics.length < 4) ?? assert.fail(name)];
      }),
    );
  });
  const type = (...args: readonly string[]): Promise<Ended> => runCommand(args, folder, { input: "" });
  const logOf = (name: string): Log => logs.get(name) ?? assert.fail(name);

  it("are named with their arguments in the output of a run", async () => {
    const topics = [names.map((name) => logOf(name).topics[0])];
    const cell = {
      name: "logs",
      method: "eth_getLogs",
      params: [{ fromBlock: "earliest", toBlock: "latest", topics }],
    };
    writeFileSync(join(folder, "logs.rpc.json"), JSON.stringify({ cells: [cell] }));
    const { code, out } = await type("run", "logs.rpc.json", "--endpoint", chain.url);
    assert.equal(code, 0, out);
    for (const name of names) assert.match(out, new RegExp(`\\b${name}\\b`));
    assert.doesNotMatch(out, /unknown 0x/);
    for (const { args } of Object.values(events)) for (const arg of args) assert.match(out, new RegExp(`\\b${arg}: `));
  });

  for (const [name, { signature, args }] of some(Object.entries(events), 3)) {
    it(`${name}: on the command line, as JSON, as topics and data, and in a hover`, async () => {
      const log = logOf(name);
      const [typed, json] = await Promise.all([
        type("decode", "--topics", log.topics.join(","), "--data", log.data),
        type("decode", JSON.stringify(log), "--json"),
      ]);
      assert.deepEqual([typed.code, typed.err, json.code, json.err], [0, "", 0, ""]);
      assert.ok(typed.out.startsWith(`Log\n  event ${signature} from `), typed.out);
      for (const arg of args) assert.match(typed.out, new RegExp(`\\n {4}${arg} +\\w+ +\\S`));
      const { kind, known, candidates } = JSON.parse(json.out);
      assert.deepEqual([kind, known, candidates[0].name, candidates[0].signature], ["log", true, name, signature]);
      for (const arg of candidates[0].args) assert.equal(typeof arg.value, "string", arg.name);

      const text = `{ "method": "eth_getLogs", "params": [{ "topics": ["${log.topics[0]}"] }] }`;
      const cell = readCell(text);
      const said = hover(cell, text.indexOf("0x") + 3, scopeOf(cell))?.markdown ?? "";
      assert.ok(said.startsWith(`\`event ${name}(`), said);
    });
  }

  it("and of a transaction's receipt, which is fetched from the endpoint that is named and from no other", async () => {
    const { transactionHash: hash = "" } = logOf("Memo") as Log & { readonly transactionHash?: string }; // it is mined
    const [text, unnamed] = await Promise.all([type("explain", hash, "--endpoint", chain.url), type("decode", hash)]);
    assert.equal(text.code, 0, text.err);
    assert.match(text.out, /succeeded[\s\S]*Transfer[\s\S]*Memo/);
    assert.equal(unnamed.code, 1);
    assert.match(unnamed.err, /explain HASH --endpoint NAME\|URL/);
  });
});
