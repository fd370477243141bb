import assert from "node:assert/strict";

export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Element[];
  /** Its own, without that of its children. */
  readonly text: string;
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/**
 * Reads XML of elements, attributes and text, as strict as XML 1.0 is about them; fails the test if it is not well
 * formed.
 *
 * @see https://www.w3.org/TR/xml/#charsets (characters that a document may contain)
 */
export function parseXml(xml: string): Element {
  assert.doesNotMatch(xml, /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u);
  const [declaration = ""] = /^<\?xml version="1\.0" encoding="UTF-8"\?>\n/.exec(xml) ?? assert.fail("no declaration");
  const token = /<(\/?)([A-Za-z][\w.-]*)((?: [A-Za-z][\w.:-]*="[^"<]*")*)(\/?)>|([^<]+)/gy;
  token.lastIndex = declaration.length;
  const root = { name: "", attributes: {}, children: [] as Element[], text: "" };
  const open = [root];
  while (token.lastIndex < xml.length) {
    const at = token.lastIndex;
    const found = token.exec(xml) ?? assert.fail(`not XML: ${xml.slice(at, at + 80)}`);
    const [, closes, name = "", attributes = "", isEmpty, text] = found;
    const parent = open.at(-1) ?? assert.fail("too much is closed");
    if (text !== undefined) parent.text += unescaped(text);
    else if (closes) assert.equal(open.pop()?.name, name);
    else {
      const pairs = [...attributes.matchAll(/ ([\w.:-]+)="([^"]*)"/g)].map(([, key = "", value = ""]) => [key, value]);
      assert.equal(new Set(pairs.map(([key]) => key)).size, pairs.length, "no attribute comes twice");
      const made = Object.fromEntries(pairs.map(([key = "", value = ""]) => [key, unescaped(value)]));
      const element = { name, attributes: made, children: [], text: "" };
      parent.children.push(element);
      if (!isEmpty) open.push(element);
    }
  }
  assert.equal(open.length, 1, "everything is closed");
  assert.equal(root.children.length, 1, "one root");
  return root.children[0] ?? assert.fail("no root");
}

function unescaped(text: string): string {
  return text.replace(/&([^;]*);?/g, (all, name) => entities[name] ?? assert.fail(`no entity: ${all}`));
}
