import assert from "node:assert/strict";
import type { Memento } from "vscode";
import type { ApproveMethodsParams } from "../../server/src/protocol/host.ts";
import { l10n, useFakeVscode, vscode } from "../support/vscode.ts";

describe("approvals of a workspace", () => {
  const words = { question: "Send requests?", detail: ["First.", "Second."], more: "Last.", yes: ["Allow"], no: "No" };
  const question = {
    words,
    site: "https://a.example",
    inClear: false,
    source: 'The endpoint "main" is in rpc-endpoints.json.',
    values: ["$secret.KEY"],
    grants: ["https://a.example", "https://a.example $secret.KEY"],
  };
  const methods: ApproveMethodsParams = {
    words: { ...words, yes: ["Send", "Always"] },
    site: "https://a.example",
    endpoint: "main",
    methods: ["acme_x"],
    grants: ["https://a.example method acme_x"],
  };
  const writes = { words, writes: [] };
  const cost = { words, site: "https://a.example", endpoint: "a", requests: 501 };
  let detail: string;
  let stored: unknown;
  let storedEverywhere: unknown;
  let shown: string[];
  let buttons: string[];
  let answer: string | undefined;
  let isTrusted: boolean;
  before(useFakeVscode);
  beforeEach(() => {
    [stored, shown, answer, isTrusted] = [undefined, [], undefined, true];
    vscode.l10n = l10n;
    vscode.window = {
      async showWarningMessage(message: string, options: { readonly detail: string }, ...offered: string[]) {
        shown.push(message);
        detail = options.detail;
        buttons = offered;
        return answer;
      },
    };
    vscode.workspace = {
      get isTrusted() {
        return isTrusted;
      },
    };
  });
  const open = async () => {
    const [{ answers }, { allApprovals, approvals }] = await Promise.all([
      import("../../client/src/trust.ts"),
      import("../../client/src/approvals.ts"),
    ]);
    const memory = {
      get: (_: string, otherwise?: unknown) => stored ?? otherwise,
      update: async (_: string, value: unknown) => {
        stored = JSON.parse(JSON.stringify(value));
      },
    } as unknown as Memento; // no more of it is used
    const everywhere = {
      get: (_: string, otherwise?: unknown) => storedEverywhere ?? otherwise,
      update: async (_: string, value: unknown) => {
        storedEverywhere = value;
      },
    } as unknown as Memento; // the same
    const hosts = allApprovals(approvals(memory, undefined), approvals(everywhere, undefined));
    return answers(hosts, {} as never, {} as never); // neither secrets nor files are asked for
  };

  it("come from a yes, and last", async () => {
    assert.deepEqual(await (await open()).approveHost(question), { approved: false });
    answer = "Allow";
    assert.deepEqual(await (await open()).approveHost(question), { approved: true });
    answer = undefined;
    assert.deepEqual(await (await open()).approveHost(question), { approved: true });
    assert.deepEqual(shown, Array(2).fill("Send requests?"));
  });

  it("are for no other site and no other value", async () => {
    stored = question.grants;
    for (const grants of [["http://a.example"], ["https://a.example", "https://a.example $secret.OTHER"]])
      assert.deepEqual(await (await open()).approveHost({ ...question, grants }), { approved: false });
  });

  it("count for nothing in a workspace that is not trusted", async () => {
    [stored, answer, isTrusted] = [question.grants, "Allow", false];
    assert.deepEqual(await (await open()).approveHost(question), { approved: false });
    assert.deepEqual(await (await open()).approveMethods(methods), { approved: "no" });
    assert.deepEqual(await (await open()).approveWrites(writes), { approved: false });
    assert.deepEqual(await (await open()).approveCost(cost), { approved: false });
    assert.deepEqual(shown, []);
  });

  it("are not all that a workspace needs to write files beside a notebook: it must be trusted", async () => {
    isTrusted = false;
    vscode.Uri = { parse: (uri: string) => ({ path: new URL(uri).pathname }) };
    const file = { uri: "file:///a.rpc.snapshot.json", before: "{}", text: "[]" };
    assert.deepEqual(await (await open()).writeFile(file), { kind: "failed", reason: "untrusted", detail: "" });
  });

  it("are empty if the stored ones are damaged", async () => {
    for (stored of ["https://a.example $secret.KEY", { length: 2 }, [1, null, question.grants], 7])
      assert.deepEqual(await (await open()).approveHost(question), { approved: false });
  });

  it("of lookups last as long and as far as a person says, a no too", async () => {
    const [always, never] = ["https://look.example lookup", "https://look.example no-lookup"];
    const asked = { words: { ...question.words, yes: ["Now", "Here", "Always", "Never"] }, site: "", always, never };
    for (const [said, approved, here, there] of [
      ["Now", "once", undefined, undefined],
      [undefined, "no", undefined, undefined],
      ["Here", "workspace", [always], undefined],
      ["Always", "always", undefined, [always]],
      ["Never", "never", undefined, [never]],
    ] as const) {
      [answer, stored, storedEverywhere] = [said, undefined, undefined];
      assert.deepEqual(await (await open()).approveLookup(asked), { approved });
      assert.deepEqual([stored, storedEverywhere], [here, there]);
    }
    answer = "Now";
    assert.deepEqual(await (await open()).approveLookup(asked), { approved: "never" });
    isTrusted = false;
    assert.deepEqual(await (await open()).approveLookup(asked), { approved: "no" });
  });

  it("of methods last only where a person says always", async () => {
    for (const [said, approved, kept] of [
      ["Send", "once", undefined],
      [undefined, "no", undefined],
      ["something else", "no", undefined],
      ["Always", "always", methods.grants],
    ] as const) {
      answer = said;
      assert.deepEqual(await (await open()).approveMethods(methods), { approved });
      assert.deepEqual(stored, kept);
    }
    assert.deepEqual(buttons, ["Send", "Always"]);
  });

  it("of requests that write show the server's words, and are for one run", async () => {
    answer = "Allow";
    assert.deepEqual(await (await open()).approveWrites(writes), { approved: true });
    assert.deepEqual(await (await open()).approveCost(cost), { approved: true });
    assert.equal(shown.pop(), "Send requests?");
    assert.deepEqual([shown, detail, buttons], [["Send requests?"], "First.\nSecond.\n\nLast.", ["Allow"]]);
    assert.equal(stored, undefined);
  });
});
