import assert from "node:assert/strict";
import { type StorageLayout, storageLayouts } from "../../../server/src/abi/storageLayout.ts";
import type { JsonValue } from "../../../server/src/base/json.ts";
import { diagnostics } from "../../../server/src/features/diagnostics.ts";
import { wireForm } from "../../../server/src/features/wireForm.ts";
import { readCell } from "../../../server/src/notebook/readCell.ts";
import { type Around, cursor, hoverText, scopeOf } from "../../support/cell.ts";
import { applied, complete, completes, labels } from "../../support/complete.ts";
import { parsed } from "../../support/typist.ts";

const alice = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const vault = "0x5FbDB2315678afecb367f032d93F642f64180aa3";

const value = (label: string, bytes: number) => ({ encoding: "inplace", label, numberOfBytes: String(bytes) });
const mapping = (key: string, of: string, label: string) => ({
  ...value(label, 32),
  encoding: "mapping",
  key,
  value: of,
});
const member = (label: string, slot: number, offset: number, type: string) => ({
  contract: "src/Vault.sol:Vault",
  label,
  slot: String(slot),
  offset,
  type,
});
const paths = ["owner", "paused", "balances[…]", "balances[alice].amount", "balances[alice].since"];
const json: JsonValue = {
  contractName: "Vault",
  abi: [],
  storageLayout: {
    storage: [
      member("owner", 0, 0, "t_address"),
      member("paused", 0, 20, "t_bool"),
      member("balances", 1, 0, "t_map"),
      member("names", 2, 0, "t_text"),
    ],
    types: {
      t_address: value("address", 20),
      t_bool: value("bool", 1),
      t_uint64: value("uint64", 8),
      t_uint128: value("uint128", 16),
      t_string: { encoding: "bytes", label: "string", numberOfBytes: "32" },
      t_map: mapping("t_address", "t_account", "mapping(address => struct Vault.Account)"),
      t_text: mapping("t_string", "t_uint64", "mapping(string => uint64)"),
      t_account: {
        ...value("struct Vault.Account", 32),
        members: [member("amount", 0, 0, "t_uint128"), member("since", 0, 16, "t_uint64")],
      },
    },
  },
};
const layouts: readonly StorageLayout[] = storageLayouts(json, "out/Vault.sol/Vault.json");

const header = `{ "labels": { "${alice}": "alice", "${vault}": "vault" }, "variables": { "bob": "${vault}" } }`;
const around: Around = { header, abis: { files: new Map(), contracts: [], layouts } };
const at = (place: string): string => `{ "method": "eth_getStorageAt", "params": ["${vault}", ${place}, "latest"] }`;

function wire(text: string, scope = around): string {
  const cell = readCell(text);
  const form = wireForm(cell, scopeOf(cell, scope));
  return "text" in form ? (/0x[0-9a-f]{64}/.exec(form.text)?.[0] ?? form.text) : form.unsent;
}

const says = (marked: string): string => hoverText(marked, around);

describe("a variable in storage", () => {
  it("is sent as its slot", () => {
    const bySlot = wire(at(`{ "slot": 1, "key": "${alice}" }`));
    assert.equal(wire(at(`{ "contract": "Vault", "variable": "balances[alice].amount" }`)), bySlot);
    assert.equal(wire(at(`{ "contract": "src/Vault.sol:Vault", "variable": "balances[${alice}].since" }`)), bySlot);
    assert.equal(
      wire(at(`{ "contract": "Vault", "variable": "balances[{{bob}}]" }`)),
      wire(at(`{ "slot": 1, "key": "${vault}" }`)),
    );
    assert.equal(
      wire(at(`{ "contract": "Vault", "variable": "names['a b']" }`)),
      wire(at(`{ "slot": 2, "key": "a b" }`)),
    );
  });

  it("can be in a struct at the slot of a namespace", () => {
    const base = "0x183a6125c38840424c4a85fa12bab2ab606c4b6d0e7cc73c0c06ba5300eab500";
    assert.equal(wire(at(`"erc7201:example.main"`)), base);
    const place = `{ "contract": "Vault", "type": "Account", "slot": "erc7201:example.main", "variable": "since" }`;
    assert.equal(wire(at(place)), base);
  });

  it("has its problems at their places", () => {
    const problem = (place: string): string => {
      const cell = readCell(at(place));
      const found = diagnostics(cell, scopeOf(cell, around));
      return found.map(({ span, message }) => `${cell.text.slice(span.start, span.end)} | ${message}`).join("\n");
    };
    assert.match(
      problem(`{ "contract": "Vault", "variable": "balances[alice].amont" }`),
      /^amont \| `variable`: it has no member `amont`: a similar name is `amount`\.[^\n]*$/,
    );
    assert.match(
      problem(`{ "contract": "Valt", "variable": "owner" }`),
      /^"Valt" \| `contract`: no contract `Valt` has a storage layout/,
    );
    assert.match(problem(`{ "contract": "Vault", "variable": "owner", "key": 1 }`), /^"key" \| /);
    assert.match(problem(`{ "contract": "Vault" }`), /^[^\n]+$/);
    assert.equal(problem(`{ "contract": "Vault", "variable": "balances[{{bob}}].amount" }`), "");
    assert.equal(problem(`{ "contract": "Vault", "variable": "owner" }`), "");
  });

  it("says the compiler's setting if there is no layout", () => {
    const text = at(`{ "contract": "Vault", "variable": "owner" }`);
    const creatables = [{ name: "Vault", print: [], inputs: [], source: "out/Vault.json" }] as never;
    const without: Around = { header, abis: { files: new Map(), contracts: [], creatables, layouts: [] } };
    assert.match(
      wire(text, without),
      /no storage layout of `Vault` was found: set `extra_output = \["storageLayout"\]` in foundry.toml, or add `"storageLayout"` to `outputSelection`/,
    );
  });

  it("is completed: contracts, variables, keys and members", () => {
    assert.ok(labels(at("|"), around).includes("Vault: a variable"));
    assert.deepEqual(labels(at(`{ "contract": "|" }`), around), ["Vault"]);
    assert.deepEqual(labels(at(`{ "contract": "Vault", "variable": "|" }`), around).slice(0, 5), paths);
    const members = labels(at(`{ "contract": "Vault", "variable": "balances[${alice}].|" }`), around);
    assert.deepEqual(members, [`balances[${alice}].amount`, `balances[${alice}].since`]);
    const marked = at(`{ "contract": "Vault", "variable": "own|" }`);
    const owner = complete(marked, around).find(({ label }) => label === "owner") ?? assert.fail();
    assert.ok(parsed(applied(cursor(marked).text, owner)));
  });

  it("is explained by a hover, with its neighbours", () => {
    const text = says(at(`{ "contract": "Vault", "variable": "balances[ali|ce].since" }`));
    assert.match(text, /`balances\[alice\]\.since` · `uint64` · bytes 16 to 23 of its slot · .*Vault\\\.json/);
    assert.match(text, /Slot `keccak256\(alice \. 1\)`/);
    assert.match(text, /In the same slot:\n\n- `balances\[alice\]\.amount` · `uint128` · bytes 0 to 15/);
  });

  it("is named by a hover over a slot, if the contract is known", () => {
    const text = says(at(`"0x|0"`));
    assert.match(
      text,
      /Vault has in this slot, if the contract is what its label says:\n\n- `owner` · `address` · bytes 0 to 19\n- `paused`/,
    );
    assert.match(
      says(at(`"${wire(at(`{ "slot": 1, "key": "${alice}" }`)).replace("0x", "0x|")}"`)),
      /balances\[alice\]\.amount/,
    );
  });

  it("is completed where a request assumes it", () => {
    const assuming = (place: string): string =>
      `{ "method": "eth_call", "params": [{ "to": "{{bob}}" }], "assume": { "storage": { ${place} } } }`;
    const own = labels(assuming(`"vault": { "|" }`), around);
    assert.deepEqual(own.slice(0, 5), paths);
    assert.ok(own.includes("names[…]"));
    assert.deepEqual(labels(assuming(`"bob": { "balances[alice].|" }`), around).slice(0, 2), [
      "balances[alice].amount",
      "balances[alice].since",
    ]);
    assert.equal(labels(assuming(`"alice": { "|" }`), around)[1], "Vault.paused");
    assert.equal(labels(assuming(`"alice": { "Vault.balances[alice].|" }`), around)[0], "Vault.balances[alice].amount");
    assert.deepEqual(
      labels(assuming(`"${alice}": { "|" }`)).filter((label) => label.includes("paused")),
      [],
    );
  });
});

describe("a variable in assume", () => {
  const assuming = (slots: string, account = "vault"): string =>
    `{ "method": "eth_call", "params": [{}, "latest"], "assume": { "storage": { "${account}": ${slots} } } }`;
  const offered = (slots: string, account?: string): readonly string[] => labels(assuming(slots, account), named);
  const named: Around = { ...around, header: header.replace('"vault" }', '"Vault" }') };

  it("is completed, with a value of its type", () => {
    completes("paused", assuming(`{ |‹→"paused": true› }`, "bob"), named);
    completes("balances[alice].amount", assuming(`{ "‹bala|"→balances[alice].amount": 0› }`, vault), named);
    assert.ok(offered(`{ "Vault.|" }`, "alice").includes("Vault.owner"));
    assert.deepEqual(offered(`{ "paused": | }`, "bob"), ["true", "false"]);
    assert.ok(offered(`{ "owner": "|" }`, "bob").includes("alice"));
  });

  it("has its type, its slot and its neighbours in a hover", () => {
    assert.match(
      hoverText(assuming(`{ "pau|sed": false }`, "bob"), named),
      /`bool`.*byte 20[\s\S]*Slot `0`[\s\S]*- `owner`/,
    );
    assert.match(
      hoverText(assuming(`{ "Vault.balances[alice].si|nce": 1 }`, "alice"), named),
      /`uint64`[\s\S]*keccak256/,
    );
  });
});
