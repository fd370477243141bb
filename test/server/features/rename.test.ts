import assert from "node:assert/strict";
import fc from "fast-check";
import { names } from "../../../server/src/analysis/order.ts";
import { dependencies } from "../../../server/src/analysis/references.ts";
import { rename, renameable } from "../../../server/src/features/rename.ts";
import { type Around, change, local } from "../../support/cell.ts";
import { times } from "../../support/depth.ts";
import { inText, type Spot, spotIn, spotsIn } from "../../support/notebook.ts";

function renamed({ text, document, cell, offset, scope }: Spot, name: string): string | { readonly refused: string } {
  const edits = rename(cell, offset, name, scope);
  if ("refused" in edits) return edits;
  return edits
    .map((edit) => ({ ...inText(document, edit), insert: edit.insert }))
    .sort((a, b) => b.start - a.start)
    .reduce((all, { start, end, insert }) => all.slice(0, start) + insert + all.slice(end), text);
}

/** Checks the name at the cursor, and the {@link change} of the notebook as it takes another. */
function check(old: string, name: string, marked: string, around: Around = {}): void {
  const [before, after] = change(marked);
  const spot = spotIn(before, around);
  assert.equal(renameable(spot.cell, spot.offset, spot.scope)?.name, old);
  assert.equal(renamed(spot, name), after);
  assert.ok(JSON.parse(after));
}

function refuses(marked: string, name: string, sentence: string, around: Around = {}): void {
  assert.deepEqual(renamed(spotIn(marked, around), name), { refused: sentence });
}

const alice = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

describe("rename", () => {
  it("renames a variable in the header and in every placeholder", () =>
    check(
      "who",
      "größe-1",
      `{ "variables": { "‹who→größe-1›": 1, "whom": 2 }, "cells": [{ "method": "a", "params": [{ "{{‹who→größe-1›}}": "\\n{{ ‹wh|o→größe-1› }}, {{whom}}" }] }] }`,
    ));

  it("renames a cell and keeps the rest of paths", () =>
    check(
      "logs",
      "transfers",
      `[{ "name": "‹lo|gs→transfers›", "method": "a" }, { "method": "b", "params": ["{{‹logs→transfers›.decoded[0].args.to}}", "{{{{logs}}}}", "logs"] }]`,
    ));

  it("renames an item of a batch, and a batch", () => {
    check(
      "one",
      "two",
      `[{ "name": "all", "batch": [{ "name": "‹one→two›", "method": "a" }] }, { "method": "b", "params": ["{{|‹one→two›}}", "{{all[0]}}"] }]`,
    );
    check("all", "both", `[{ "batch": [], "name": "‹all|→both›" }]`);
  });

  it("gives a copied cell a name of its own", () => {
    const rest = `{ "method": "a", "params": ["{{b}}"] }`;
    check("b", "c", `[{ "name": "b", "method": "a" }, { "name": "|‹b→c›", "method": "a" }, ${rest}]`);
  });

  it("renames the label of an address, from wherever the address stands", () => {
    const notebook = (address: string, label: string): string =>
      `{ "labels": { "${alice}": "${label}" }, "cells": [{ "method": "a", "params": ["${address}", "{{alice}}"] }] }`;
    const label = (marked: string): string => `‹${marked}→alice \\"the first\\" $›`;
    check("alice", `alice "the first" $`, notebook(alice, label("al|ice")));
    check("alice", `alice "the first" $`, notebook(`${alice}|`, label("alice")));
  });

  it("renames accounts in `assume`: variables and labels", () => {
    const assume = (who: string): string =>
      `[{ "method": "eth_call", "params": [], "assume": { "balance": { "${who}": 1 }, "allowance": { "T": { "{{vic}}": { "${who}": "${who}" } } }, "storage": { "T": { "${who}": 1 } } } }]`;
    const renamedIn = (who: string): string =>
      assume(who).replace(`"T": { "${who}"`, '"T": { "old"').replace(`: "${who}"`, ': "old"');
    const [before, after] = [renamedIn("old"), renamedIn("new")];
    check("old", "new", `{ "variables": { "‹old|→new›": "${alice}" }, "cells": ‹${before}→${after}› }`);
    check("old", "new", `{ "labels": { "${alice}": "‹old|→new›" }, "cells": ‹${before}→${after}› }`);
  });

  it("renames an endpoint that no file declares, in the notebook", () =>
    check("mian", "main", `{ "endpoint": "‹mian→main›", "cells": [{ "endpoint": "‹mi|an→main›", "method": "a" }] }`, {
      endpoints: [{ ...local, name: "main" }],
    }));

  it("says where an endpoint is to be renamed", () => {
    const marked = `[{ "endpoint": "lo|cal", "method": "a" }]`;
    refuses(marked, "x", "`local` is built in and keeps its name.");
    const endpoints = [{ ...local, origin: "../rpc-endpoints.json" }];
    refuses(marked, "x", "`local` is named in ../rpc-endpoints.json: rename it there.", { endpoints });
  });

  it("refuses names that are taken, in a sentence", () => {
    const notebook = `{ "variables": { "a": 1, "b": 2 }, "cells": [{ "name": "c", "method": "m", "params": ["{{|a}}", "{{d}}"] }] }`;
    refuses(notebook, "b", "A variable is already called `b`.");
    refuses(notebook, "c", "A cell is already called `c`.");
    refuses(notebook, "d", "`{{d}}` is already in the notebook and would then mean this.");
  });

  it("refuses names that placeholders cannot spell, in a sentence", () => {
    const notebook = `[{ "name": "|a", "method": "m" }]`;
    refuses(notebook, " ", "A name has at least one character.");
    refuses(notebook, "$env", "A name cannot begin with `$`, as `$env` and `$secret` do.");
    const why =
      "cannot be used in a placeholder: a name has letters, digits, `_` and `-`, and begins with a letter or `_`.";
    for (const name of ["a.b", "a b", "1a", "a[0]", "a\u202eb", "{{a}}"]) {
      refuses(notebook, name, `\`${name.replace("\u202e", "\\u202e")}\` ${why}`);
    }
  });

  it("has nothing to rename elsewhere", () => {
    for (const marked of [
      `[{ "method": "eth_c|all" }]`,
      `[{ "method": "a", "params": ["{{un|known}}"] }]`,
      `[{ "method": "a", "params": ["${alice}|"] }]`,
      `[{ "name": "b", "method": "a", "params": ["{{b.re|sult}}"] }]`,
    ]) {
      const { cell, offset, scope } = spotIn(marked);
      assert.equal(renameable(cell, offset, scope), undefined);
      refuses(marked, "x", "There is nothing to rename here.");
    }
  });

  it("changes nothing where the name stays", () => {
    const marked = `[{ "name": "a b|", "method": "m" }]`;
    assert.equal(renamed(spotIn(marked), "a b"), marked.replace("|", ""));
  });

  const name = fc.constantFrom("a", "b", "c-1", "größe", "_x", "__proto__", "constructor");
  const placeholder = fc
    .tuple(
      name,
      fc.constantFrom("", ".result", "[0].to", ".$x"),
      fc.constantFrom("{{N}}", "{{ N\\t}}", "\\u00e9 {{N}} 0x", "{{{{N}}}}"),
    )
    .map(([name, path, frame]) => frame.replace("N", name + path));
  const request = fc
    .record({ name: fc.option(name), key: placeholder, values: fc.array(placeholder, { maxLength: 3 }) })
    .map(
      ({ name, key, values }) =>
        `{ ${name === null ? "" : `"name": "${name}", `}"method": "m",\n "params": [{ "${key}": "${values.join("")}" }] }`,
    );
  const notebook = fc
    .record({
      variables: fc.uniqueArray(name, { maxLength: 3 }),
      cells: fc.array(
        fc.oneof(
          request,
          fc.array(request, { maxLength: 2 }).map((all) => `{"batch":[${all.join()}]}`),
        ),
        { minLength: 1, maxLength: 4 },
      ),
    })
    .map(
      ({ variables, cells }) =>
        `{ "variables": { ${variables.map((one) => `"${one}": "\\u0061"`).join(", ")} }, "cells": [${cells.join(",\n")}] }`,
    );

  /** The meaning of each placeholder: the place of a variable or of a cell. */
  const graph = ({ scope: { variables, cells } }: Spot): readonly number[] =>
    cells.flatMap((cell) =>
      dependencies(cell).map(({ name }) => {
        const target = names(cells).get(name)?.cell;
        return variables.has(name) ? -2 - [...variables.keys()].indexOf(name) : target ? cells.indexOf(target) : -1;
      }),
    );
  /** The places where there is something to rename. */
  const renameables = (text: string): readonly Spot[] => {
    const spots = spotsIn(text);
    return Array.from(text, (_, at) => spots(at)).flatMap((spot) => (spot && nameAt(spot) !== undefined ? [spot] : []));
  };
  const nameAt = ({ cell, offset, scope }: Spot): string | undefined => renameable(cell, offset, scope)?.name;

  it("leaves every reference what it was, and back again every byte", () => {
    let both = 0;
    fc.assert(
      fc.property(notebook, fc.nat(), name, (text, choice, other) => {
        const places = renameables(text);
        const before = places[choice % places.length];
        const old = before && nameAt(before);
        if (!before || old === undefined) return;
        const after = renamed(before, other);
        if (typeof after !== "string") return;
        const there = renameables(after).find((spot) => nameAt(spot) === other);
        assert.ok(there, after);
        assert.deepEqual(graph(there), graph(before));
        const back = renamed(there, old);
        // a copy may still have the old name
        if (typeof back !== "string") assert.match(back.refused, / is already called /);
        else assert.equal(back, text);
        both += typeof back === "string" && other !== old ? 1 : 0;
      }),
      { numRuns: times(200) },
    );
    assert.ok(both > times(20, 1), "enough of them were renamed there and back");
  });
});
