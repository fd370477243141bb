import { message } from "../../../server/src/analysis/message.ts";
import type { Problem, ProblemCode, ProblemWith } from "../../../server/src/analysis/problem.ts";
import { severity } from "../../../server/src/analysis/severity.ts";
import { expectGolden } from "../../support/golden.ts";

/** Problems of a code, without their place and their code. */
type Examples<Code extends ProblemCode> = readonly Omit<ProblemWith<Code>, "code" | "span">[];

const hex = { expected: "an address of 20 bytes", digits: 39, expectedDigits: 40 };
const quantity = { text: "0x01", bits: 256, meant: undefined };
const block = { takesHash: true, decimal: false, meant: undefined, nearest: [] };
const ambiguous = { name: "transfer", declarations: ["f(address)", "f(uint256)"] };

/** Every form that the message of a code has. All sentences are in the golden file, and in no other test. */
const examples: { readonly [Code in ProblemCode]: Examples<Code> } = {
  "json-syntax": [{ what: "a comma is missing" }],
  "not-a-notebook": [{ what: "its root is a number" }],
  "too-deep": [{ isJson: true }, { isJson: false }],
  "conflict-marker": [{ what: "this line begins the version of another branch" }],
  "missing-method": [{}],
  "unknown-member": [{ name: "parms", nearest: ["params"] }],
  "duplicate-key": [
    { name: "method", sent: true },
    { name: "name", sent: false },
  ],
  "unknown-method": [
    { name: "eth_getBalanc", nearest: ["eth_getBalance"], slip: true },
    { name: "acme_height", nearest: [], slip: false },
  ],
  "named-params": [{ method: "eth_call" }],
  "missing-param": [
    { method: "eth_getBalance", name: "address", position: 0, advised: undefined },
    { method: "eth_call", name: "block", position: 1, advised: "Some nodes refuse the call without it." },
  ],
  "missing-block": [
    { method: "eth_getBalance", assumed: "latest", why: "It lags behind." },
    { method: "eth_call", assumed: undefined, why: undefined },
  ],
  "extra-param": [
    { method: "eth_chainId", takes: 0, empty: false },
    { method: "eth_getBalance", takes: 2, empty: true },
    { method: "eth_subscribe", takes: 1, empty: false, kind: "newHeads" },
  ],
  "wrong-type": [{ expected: "an object", found: "a number" }],
  "bad-quantity": [
    { ...quantity, why: "empty" },
    { ...quantity, why: "leading-zeros", meant: "0x1" },
    { ...quantity, why: "decimal", meant: "0x1" },
    { ...quantity, why: "negative" },
    { ...quantity, why: "no-prefix", meant: "0x1" },
    { ...quantity, why: "not-hex", text: "0xzz" },
    { ...quantity, why: "too-large" },
    { ...quantity, why: "milliseconds", meant: "0x1" },
  ],
  "bad-hex": [
    { ...hex, why: "no-prefix" },
    { ...hex, why: "not-hex" },
    { ...hex, why: "not-hex", expected: "bytes", expectedDigits: undefined },
    { ...hex, why: "function", expected: "call data", expectedDigits: undefined },
    { ...hex, why: "odd" },
    { ...hex, why: "length" },
    { ...hex, why: "too-long", expected: "a storage slot of up to 32 bytes", expectedDigits: 64, digits: 70 },
  ],
  "bad-block": [
    { ...block, text: "lastest", nearest: ["latest"] },
    { ...block, text: "ff", takesHash: false, meant: "0xff" },
    { ...block, text: "12", decimal: true, meant: "0xc" },
  ],
  "unknown-value": [{ text: "fast", allowed: ["low", "high"] }],
  "unknown-field": [{ name: "form", nearest: ["from"] }],
  "missing-field": [false, true].map((advice) => ({ names: ["to", "data"], why: "A call needs one of them.", advice })),
  "exclusive-fields": [false, true].map((advice) => ({ names: ["data", "input"], why: "They are the same.", advice })),
  "too-many-items": [{ name: "address", most: 20, found: 1234 }],
  "filter-without-criterion": [{ why: "Name a contract." }],
  "inverted-range": [
    { sure: true, assumed: false },
    { sure: false, assumed: true },
  ],
  "log-range-over-limit": [
    { range: 5000n, atLeast: false, limit: 1999n, endpoint: undefined, splits: false },
    { range: 5000n, atLeast: true, limit: 1999n, endpoint: "main", splits: true },
  ],
  "duplicate-name": [
    { name: "a", taken: "cell" },
    { name: "a", taken: "variable" },
  ],
  "unresolved-placeholder": [{ path: "tx.result", name: "tx", nearest: ["txs"] }],
  "reference-cycle": [{ names: ["a", "b", "a"] }],
  "refused-method": [
    { method: "eth_getLogs", endpoint: "main" },
    { method: "eth_getBlockReceipts", endpoint: "main" },
  ],
  "not-ahead": [
    { text: "pending", instead: "latest", endpoint: "main", why: "it serves no pending block" },
    { text: "newFlashblockTransactions", instead: "newHeads", endpoint: "main", why: "it serves no pending block" },
  ],
  "unknown-endpoint": [{ name: "mian", nearest: ["main"] }],
  "unusable-endpoint": [{ name: "main", origin: "foundry.toml", what: "`KEY` is not set" }],
  "bidi-character": [{ character: "U+202E" }],
  "bad-checksum": [{ right: "0xAb" }],
  "signing-method": (["unknown", "reads", "simulates", "signs", "broadcasts", "changes-node"] as const).map(
    (effect) => ({ method: "acme_do", effect }),
  ),
  "secret-in-file": (["private-key", "mnemonic", "url", "authorization", "secret"] as const).map((what) => ({ what })),
  "unset-value": (["env", "dotenv", "secret"] as const).map((source) => ({ source, name: "KEY", nearest: ["KEYS"] })),
  "sample-placeholder": [{ text: "<address>" }],
  "swapped-params": [{ method: "eth_getBalance", names: ["address", "block"] }],
  "unfilled-placeholder": [{ text: "{{a}}", member: "name" }],
  "bad-path": [
    { why: "no-path", path: "result[", meant: undefined },
    { why: "no-step", path: "tx", meant: "tx.result" },
    { why: "first-step", path: "reslt", meant: "result" },
    { why: "operator", path: "at least", meant: undefined },
  ],
  "unknown-path": [{ until: "logs.result", step: "topic", found: "a list", nearest: ["topics"] }],
  "unknown-operator": [{ name: "~", nearest: [] }],
  "bad-operand": [{ what: "a pattern is a string" }],
  "bad-within": [{ text: "soon" }],
  "saved-by-cell": [{ path: "transfers.csv", cell: "cell `logs`" }],
  "misplaced-explain": [{ method: "eth_call" }],
  "bad-save": [{ what: "A file of logs ends in `.parquet`, `.csv` or `.ndjson`." }],
  "bad-each": [{ what: "There is no value for `holder`." }],
  "bad-variable": [{ what: "With the value of this variable: `5 ether` is not an address." }],
  "bad-assumption": [{ what: "Unknown account `alic`. Did you mean `alice`?" }],
  "bad-openrpc": [{ path: "acme.json", what: "it is not JSON" }],
  "bad-descriptor": [{ path: "words/usdt.json", what: "it includes itself" }],
  "bad-abi": [
    { path: undefined, what: "an entry is a number" },
    { path: "./a.json", what: "it is not JSON" },
  ],
  "unread-abi": [{ path: "./a.json" }],
  "decimal-number": [{ wire: '"0x10"' }],
  "unknown-function": [
    { name: "transfr", nearest: ["transfer"] },
    { name: "foo", nearest: [] },
    { name: "foo(", nearest: [] },
    { name: "foo(uint257)", nearest: [] },
  ],
  "unknown-event": [
    { name: "Foo", nearest: [] },
    { name: "Foo(", nearest: [] },
  ],
  "ambiguous-function": [ambiguous, { name: "f", declarations: ["f(a)", "f(b)", "f(c)", "f(d)", "f(e)", "f(g)"] }],
  "ambiguous-event": [ambiguous],
  "bad-argument": [
    { path: "args[1]", declared: "address to", what: "an address has 20 bytes" },
    { path: "args", declared: undefined, what: "it is not a list" },
  ],
  "bad-amount": (["unit", "precision", "negative", "too-large"] as const).map((why) => ({ text: "1.5", why })),
  "before-first-block": [{ text: "latest - 100", head: 50n }],
};

describe("the messages of problems", () => {
  it("are as the golden file has them", () => {
    const lines = Object.entries(examples).flatMap(([code, all]) =>
      all.map((data) => {
        const problem = { code, span: { start: 0, end: 1 }, ...data } as Problem; // as the table is typed
        return `${code} (${severity(problem)}): ${message(problem)}`;
      }),
    );
    expectGolden("test/server/analysis/messages.golden.txt", `${lines.join("\n")}\n`);
  });
});
