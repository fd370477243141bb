import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { tags } from "../../server/src/catalog/tags.ts";
import { operators } from "../../server/src/evaluate/operators.ts";
import { directives, wireMembers } from "../../server/src/notebook/cell.ts";
import { headerKeys } from "../../server/src/notebook/header.ts";

const read = (file: string): unknown => JSON.parse(readFileSync(`syntaxes/${file}`, "utf8"));

/** All values of that key, at any depth. */
function valuesOf(key: string, json: unknown): readonly string[] {
  if (typeof json !== "object" || json === null) return [];
  return Object.entries(json).flatMap(([name, value]) =>
    name === key && typeof value === "string" ? [value] : valuesOf(key, value),
  );
}

describe("the grammar", () => {
  const grammar = read("rpc-request.tmLanguage.json");
  const names = valuesOf("begin", grammar)
    .flatMap((begin) => /^\("\)\((.*?)\)\("\)/.exec(begin)?.[1]?.split("|") ?? [])
    .map((name) => name.replace("\\", ""));

  it("knows the members of a request and of a header", () => {
    for (const key of [...wireMembers, ...directives, ...headerKeys, "cells", "batch", "markdown", "text"]) {
      assert.ok(names.includes(key), key);
    }
  });

  it("knows the block tags", () => {
    const all = tags.map(({ tag }) => tag).toSorted();
    const rule = valuesOf("match", grammar).find((match) => match.includes("pending"));
    assert.deepEqual(
      /\(([a-z|]+)\)/
        .exec(rule ?? "")?.[1]
        ?.split("|")
        .toSorted(),
      all,
    );
  });

  it("knows the operators of expectations", () => {
    const rule = valuesOf("match", grammar).find((match) => match.includes("matches"));
    const names = /\(([^()"]+)\)/.exec(rule ?? "")?.[1]?.split("|");
    assert.deepEqual(names?.toSorted(), Object.keys(operators).toSorted());
  });

  it("includes only rules that there are", () => {
    const { repository } = grammar as { readonly repository: object }; // a grammar without one would fail below
    const included = valuesOf("include", grammar).map((name) => name.slice(1));
    assert.deepEqual(
      included.filter((name) => !Object.hasOwn(repository, name)),
      [],
    );
    assert.deepEqual(
      Object.keys(repository).filter((name) => !included.includes(name)),
      [],
    );
  });

  it("reads a whole notebook as cells are read", () => {
    assert.deepEqual(valuesOf("include", read("rpc-notebook.tmLanguage.json")), ["source.json.rpc-request"]);
  });
});

describe("the language configuration", () => {
  // the file is ours, and a wrong shape fails at once
  const configuration = read("language-configuration.json") as {
    readonly wordPattern: { readonly pattern: string; readonly flags: string };
    readonly indentationRules: { readonly increaseIndentPattern: string; readonly decreaseIndentPattern: string };
  };

  const words = (text: string): readonly string[] => {
    const { pattern, flags } = configuration.wordPattern;
    return text.match(new RegExp(pattern, `${flags}g`)) ?? [];
  };

  it("takes methods, addresses, names in placeholders and amounts as words", () => {
    assert.deepEqual(words('"method": "eth_getBalance"'), ["method", "eth_getBalance"]);
    assert.deepEqual(words('["0x70997970C51812dc3A010C7d01b50e0d17dc79C8",'), [
      "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
    ]);
    assert.deepEqual(words('"{{my-cell.result}}{{$env.HOME}}"'), ["my-cell", "result", "$env", "HOME"]);
    assert.deepEqual(words('"1.5 ether"'), ["1.5", "ether"]);
    assert.deepEqual(words('"größe", "latest - 100"'), ["größe", "latest", "100"]);
  });

  it("indents after an opening bracket and closes in line with it", () => {
    const { increaseIndentPattern, decreaseIndentPattern } = configuration.indentationRules;
    for (const line of ['{ "params": [', "  {", '"{{alice}}": {'])
      assert.match(line, new RegExp(increaseIndentPattern));
    for (const line of ['{ "params": [] }', '"{{alice}}",'])
      assert.doesNotMatch(line, new RegExp(increaseIndentPattern));
    for (const line of ["  ]", "},"]) assert.match(line, new RegExp(decreaseIndentPattern));
  });
});
