import assert from "node:assert/strict";
import { reportView } from "../../../client/src/renderer/reportView.ts";
import type { Report, Shown } from "../../../client/src/renderer/types.ts";
import { hostileTexts } from "../../support/hostileText.ts";

/** As much of a page as the renderer uses: what it makes of it can be looked at. */
class FakeElement {
  readonly attributes = new Map<string, string>();
  readonly children: (FakeElement | string)[] = [];
  readonly tag: string;
  hidden = false;
  disabled = false;
  constructor(tag: string) {
    this.tag = tag;
  }
  setAttribute(name: string, value: string): void {
    this.attributes.set(name, value);
  }
  append(...children: readonly (FakeElement | string)[]): void {
    this.children.push(...children);
  }
  replaceChildren(...children: readonly (FakeElement | string)[]): void {
    this.children.splice(0, this.children.length, ...children);
  }
  set textContent(text: string) {
    this.children.splice(0, this.children.length, text);
  }
  readonly style = {};
  readonly classList = { toggle(): void {} };
  readonly cells: readonly [] = [];
  readonly childNodes: readonly [] = [];
  readonly firstChild = null;
  insertBefore(child: FakeElement): void {
    this.children.push(child);
  }
  remove(): void {}
  contains(): boolean {
    return false;
  }
  querySelectorAll(): readonly [] {
    return [];
  }
  addEventListener(): void {}
}

const known = {
  tags: /^(?:article|header|span|h3|h4|code|section|dl|dt|dd|div|p|strong|pre|button|table|thead|tbody|tr|th|td|colgroup|col|input|svg|path|rect|text|title|details|summary|ul|li)$/,
  attributes:
    /^(?:class|title|type|role|tabindex|scope|placeholder|spellcheck|draggable|value|viewBox|width|height|d|fill|fill-rule|x|y|rx|open|text-anchor|aria-[a-z]+)$/,
};

function look(element: FakeElement): readonly string[] {
  assert.match(element.tag, known.tags);
  for (const name of element.attributes.keys()) assert.match(name, known.attributes);
  return element.children.flatMap((child) => (typeof child === "string" ? [child] : look(child)));
}

describe("the renderer of a notebook", () => {
  const before = new Map<string, unknown>();
  before.set("document", Reflect.get(globalThis, "document"));
  before.set("MutationObserver", Reflect.get(globalThis, "MutationObserver"));
  beforeEach(() => {
    const document = {
      createElement: (tag: string) => new FakeElement(tag),
      createElementNS: (_: string, tag: string) => new FakeElement(tag),
      createTextNode: (text: string) => text,
    };
    Object.assign(globalThis, {
      document,
      MutationObserver: class {
        observe(): void {}
      },
    });
  });
  afterEach(() => {
    for (const [name, value] of before) Object.assign(globalThis, { [name]: value });
  });

  it("shows everything in a report as text", () => {
    for (const { text } of hostileTexts) {
      const value = { text, raw: text, also: [text], role: text, struck: false } as unknown as Shown; // a report from any source
      const report = {
        title: text,
        summary: text,
        status: text,
        headline: [{ text, exact: text, role: text, share: 0.5, since: 0 }],
        facts: [{ name: text, value: text }],
        sections: [
          { kind: "fields", title: text, fields: [{ name: text, value }] },
          { kind: "table", title: text, columns: [{ name: text, align: text }], rows: [[value]], total: 1 },
          { kind: "failure", what: text, todo: text, fields: [{ name: text, value }] },
          { kind: "note", text },
          { kind: "text", title: text, text, length: text.length },
          { kind: "exact", forms: [text, text] },
          {
            kind: "tree",
            title: text,
            partial: text,
            nodes: [{ parts: [{ text }], children: [{ parts: [{ text }], children: [] }] }],
          },
          {
            kind: "flame",
            title: text,
            frames: [
              { name: text, depth: 0, start: 0, width: 1, gas: text, own: text, failed: text },
              { name: text, depth: 1, start: 0, width: text },
            ],
            total: 1,
            text,
            note: text,
            rest: text,
          },
          { kind: "flow", moves: [{ from: text, to: text, amount: text }], balances: [text], text },
        ],
      } as unknown as Report;
      const around = { copy: async () => true, ask: undefined, act: () => {}, output: text, explorer: text };
      const made = reportView(report, around) as unknown as FakeElement;
      const texts = look(made);
      assert.ok(texts.filter((one) => one === text).length >= 8 || text === "");
    }
  });
});
