import assert from "node:assert/strict";

/** The record of a script that used an editor on the notebook of a workplace. */
export interface Written {
  readonly failed?: string;
  readonly diagnostics: readonly { readonly code?: string; readonly message: string; readonly text: string }[];
  /** Code actions on the unknown method. */
  readonly actions: readonly string[];
  readonly completions: readonly string[];
  /** The line, after a completion was accepted. */
  readonly completed: string;
  readonly hover: string;
  readonly signature: string;
  readonly references: number;
  /** The line that "Go to definition" leads to. */
  readonly declaration: string;
  readonly symbols: readonly string[];
  /** The titles of the code lenses or code actions at a cell. */
  readonly lenses: readonly string[];
  readonly result: string;
  readonly messages: string;
}

/** Adds the tests of every editor that a script can drive. */
export function itWorks(written: () => Written, saved: () => string): void {
  it("underlines what is wrong, to the character", () => {
    const [first, ...more] = written().diagnostics;
    assert.equal(first?.text, '"eth_getBalanc"');
    assert.match(first?.message ?? "", /Did you mean `eth_getBalance`\?/);
    assert.deepEqual(
      more.map(({ text }) => text),
      ['"la"'],
    );
  });

  it("fixes it with a quick fix", () => assert.match(written().actions[0] ?? "", /eth_getBalance/));

  it("completes block tags", () => {
    assert.ok(written().completions.includes("latest"));
    assert.match(written().completed, /"params": \["\{\{alice}}", "latest"\] }/);
  });

  it("explains methods and their parameters", () => {
    assert.match(written().hover, /balance of an account/);
    assert.match(written().signature, /^eth_getBalance\(address, block/);
  });

  it("renames a variable everywhere, and finds its declaration", () => {
    assert.equal(written().references, 3);
    assert.match(written().declaration, /"bob": "0x7099/);
  });

  it("lists the cells", () => {
    const { symbols } = written();
    assert.ok(["balance", "nonce"].every((name) => symbols.some((symbol) => symbol.includes(name))));
  });

  it("runs a cell, and shows its result", () => {
    assert.ok(written().lenses.includes("Run"));
    assert.match(written().result, /1 ether/);
  });

  it("formats with two spaces, and saves the same", () => {
    assert.match(saved(), /\n {6}"method": "eth_getBalance",\n {6}"params": \["\{\{bob}}", "pending"\]\n/);
    assert.match(saved(), /\n {6}"method": "eth_getTransactionCount",\n {6}"params": \["\{\{bob}}", "latest"\]\n/);
  });

  it("calls nothing in the configuration deprecated", () =>
    assert.doesNotMatch(written().messages, /deprecated|obsolete/i));
}
