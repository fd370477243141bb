import assert from "node:assert/strict";
import { printJson } from "../../../../server/src/base/json.ts";
import { openMask } from "../../../../server/src/base/mask.ts";
import { span } from "../../../../server/src/base/span.ts";
import type { Assumption } from "../../../../server/src/evaluate/assume/assumption.ts";
import { caseView } from "../../../../server/src/report/case.ts";
import type { CaseFacts } from "../../../../server/src/report/caseFacts.ts";
import type { ExplainedPayment } from "../../../../server/src/report/explainedPayment.ts";
import { paymentsJson, withPayments } from "../../../../server/src/report/paymentCauses.ts";
import type { Report } from "../../../../server/src/report/report.ts";
import { reportText } from "../../../../server/src/report/text.ts";
import type { ViewContext } from "../../../../server/src/report/view.ts";
import { assumed as assumedObservation } from "../../../../server/src/run/observe/assumed.ts";
import { maskedFacts, maskedPayment } from "../../../../server/src/run/observe/maskFound.ts";
import { maskedLog, maskedOutput } from "../../../../server/src/run/result/maskRun.ts";

/** Longer than what a report shows of a text. */
const secret = "Tg7pQz4LmVx9Rk2WdYc8Hs5NfJb3Ea6UtGi1OqZwXvCyBrKlMnPdSfThJgAe07D4";
const hash = `0x${"ab".repeat(32)}` as const;
const [from, to, token] = [`0x${"11".repeat(20)}`, `0x${"22".repeat(20)}`, `0x${"33".repeat(20)}`] as const;
const word = (value: bigint) => `0x${value.toString(16).padStart(64, "0")}` as const;
const context: ViewContext = { labels: new Map(), params: [], returns: undefined, scope: undefined, tokens: new Map() };

const facts: CaseFacts = {
  hash,
  place: { endpoint: "main", host: "a.example", chainId: 10n, others: ["other"], kind: "ordinary", blockMs: 2000 },
  transaction: { hash, from, to, nonce: "0x7", gas: "0x5208", value: "0xa", input: "0x", type: "0x2" },
  receipt: { transactionHash: hash, from, to, status: "0x0", gasUsed: "0x5208", blockNumber: "0x64", logs: [] },
  block: { number: 100n, timeMs: 1_700_000_000_000, hash },
  heads: { latest: 123_456n, safe: 100n, finalized: undefined },
  nonces: undefined,
  replacement: undefined,
  trace: undefined,
  reread: { method: "eth_call", block: 99n, succeeded: false, revertData: "0x", message: `refused: ${secret}` },
  gaps: [{ what: "the calls inside", method: "debug_traceTransaction", why: `No: ${secret}` }],
  life: [{ name: "block", how: "block", at: 1_700_000_000_000 }],
};

const domain = { name: "USD Coin", version: "2", chainId: 10n, verifyingContract: token };
const payment: ExplainedPayment = {
  place: undefined,
  facts: {
    payment: {
      kind: "transfer",
      name: "transferWithAuthorization",
      args: ["from", "to", "value", "validAfter", "validBefore", "nonce", "v", "r", "s"],
      words: {
        from: word(BigInt(from)),
        to: word(BigInt(to)),
        value: word(123_456_789n),
        validAfter: word(0n),
        validBefore: word(1_699_999_999n),
        nonce: word(7_777_777n),
      },
      signer: from,
      signature: `0x${"44".repeat(65)}`,
      isBytes: false,
    },
    token,
    caller: to,
    time: 1_700_000_000n,
    block: 100n,
    chainId: 10n,
    tokenFacts: {
      name: "USD Coin",
      symbol: secret,
      version: "2",
      decimals: 6,
      domain,
      separator: hash,
      implementation: undefined,
      isUsed: false,
      isUsedInBlock: false,
      isSilent: false,
      nonce: undefined,
      balance: 23_456_789n,
      isPaused: false,
      blocked: ["to"],
    },
    code: "0x",
  },
  own: { separator: hash, members: domain },
  signature: { faults: [], readings: [{ r: 1n, s: 1n, yParity: 0, faults: [] }], factory: undefined },
  searched: {
    match: {
      faults: [],
      changes: [
        { part: "domain", member: "name", signed: `it is ${secret}`, expected: "USD Coin" },
        { part: "unknown domain", signed: { name: secret, version: secret } },
      ],
    },
    recovered: from,
  },
  acceptance: { isAccepted: false, changes: [{ part: "domain", member: "salt", signed: secret, expected: undefined }] },
  ending: undefined,
  revertData: undefined,
  message: `reverted: ${secret}`,
};
const ofContract: ExplainedPayment = { ...payment, facts: { ...payment.facts, code: "0x6001" } };

const assumed: readonly Assumption[] = [
  { text: "the time is 2026", override: { kind: "time", value: "0x67000000" }, span: span(0, 10) },
  { text: "alice has 5", override: { kind: "balance", address: from, value: "0x5" }, span: span(11, 20) },
  {
    text: `slot a of b holds ${secret}`,
    override: { kind: "slot", address: to, slot: word(3n), value: word(123_456n), mask: word(255n) },
    span: span(21, 30),
    reading: { to: token, data: "0x70a08231", value: 123_456n },
  },
];

const report = { title: "", summary: "", status: "failed", sections: [], facts: [] } as const;

/** What a person sees of it. */
function shown(secrets: readonly string[]): string {
  const mask = openMask();
  for (const one of secrets) mask.add(one, "{{$secret.KEY}}");
  const paid = [payment, ofContract].map((one) => maskedPayment(one, mask));
  const added = assumedObservation.adds(assumedObservation.hidden(assumed, mask));
  const made = [
    withPayments(report, paid, context, () => []),
    paymentsJson(paid, context),
    caseView(maskedFacts(facts, mask), context),
    added.report(report),
    added.json(),
  ];
  return mask.text(printJson(JSON.parse(JSON.stringify(made))));
}

/** Every value and every member's name in a value. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value !== "object" || value === null) return [String(value)];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...textsIn(inner)]);
}

describe("what a run found out, masked", () => {
  it("has no part of a secret in what a token or a node says", () => {
    assert.match(shown([]), new RegExp(secret.slice(0, 20)));
    const text = shown([secret]);
    for (let at = 0; at + 8 <= secret.length; at++)
      assert.doesNotMatch(text, new RegExp(secret.slice(at, at + 8)), text);
    assert.match(text, /Signed for the domain name .*secret\.KEY/);
  });
  for (const one of new Set(textsIn([facts, payment, assumed])))
    if (one !== "")
      it(`is shown whole if ${one.slice(0, 40)} is a secret`, () => {
        const text = shown([one]);
        assert.match(text, /domain\.name|secret\.KEY/);
        assert.match(text, /Expired: valid until|secret\.KEY/);
      });
  it("stays JSON if a list of bytes is a secret", () => {
    const mask = openMask();
    mask.add(secret, "{{$secret.KEY}}");
    const json = printJson({ bytes: [...Buffer.from(secret)], rest: [1, 2] }, 2);
    const masked = maskedOutput({ ok: true, reports: [], text: "", json, startedAt: 0, durationMs: 0 }, mask);
    assert.deepEqual(JSON.parse(masked.json), { bytes: "[{{$secret.KEY}}]", rest: [1, 2] });
  });
  it("is a report of the same form, whatever is a secret", () => {
    const shownReport: Report = {
      title: "t",
      summary: `s ${secret}`,
      status: "failed",
      headline: [{ text: "h", role: "bad" }],
      sections: [
        { kind: "fields", title: "F", fields: [{ name: "n", value: { text: secret, role: "hash" } }] },
        { kind: "failure", what: "w", todo: "d", fields: [], actions: [{ kind: "run", label: "Run" }] },
      ],
      facts: [{ name: "f", value: "v" }],
    };
    const output = { ok: true, reports: [shownReport], text: "", json: "", startedAt: 0, durationMs: 0 };
    const formOf = (report: Report | undefined): unknown => ({
      members: Object.keys(report ?? {}),
      status: report?.status,
      roles: report?.headline?.map(({ role }) => role),
      sections: report?.sections.map((section) => [section.kind, Object.keys(section)]),
      lines: reportText(report ?? shownReport).split("\n").length,
    });
    for (const one of textsIn(shownReport)) {
      const mask = openMask();
      mask.add(one, "{{$secret.KEY}}");
      const [masked] = maskedOutput(output, mask).reports;
      assert.deepEqual(formOf(masked), formOf(shownReport), one);
      if (one === secret) assert.doesNotMatch(printJson(JSON.parse(JSON.stringify(masked))), new RegExp(secret));
    }
  });
});

describe("the log", () => {
  it("hides values in what happened and in its cause", () => {
    const [mask, lines] = [openMask(), [] as string[]];
    mask.add(secret, "‹secret KEY›");
    const note = (...texts: readonly unknown[]): void => void lines.push(texts.join(" "));
    const log = maskedLog({ info: note, warn: note, error: note }, mask);
    for (const write of [log.info, log.warn, log.error]) write(`it said ${secret}`);
    for (const cause of [new Error(`of ${secret}`), secret]) log.error("It failed", cause);
    assert.equal(lines.length, 5);
    for (const line of lines) assert.match(line, /‹secret KEY›/);
    assert.ok(!lines.join("\n").includes(secret));
  });
});
