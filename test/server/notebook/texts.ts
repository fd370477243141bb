import fc from "fast-check";

/** JSON as tokens, so that files are generated as people and tools write them, not as `JSON.stringify` would. */
export type Tree =
  | string
  | { readonly open: "[" | "{"; readonly items: readonly Tree[] }
  | { readonly key: string; readonly value: Tree };

/** White space between two tokens, told how deep it is and whether it is at a place where formatters break lines. */
export type Gap = (depth: number, line: boolean) => string;

function print(tree: Tree, gap: Gap, depth = 0): string {
  if (typeof tree === "string") return tree;
  if ("key" in tree)
    return `${tree.key}${gap(depth, false)}:${gap(depth, false) || " "}${print(tree.value, gap, depth)}`;
  const close = tree.open === "[" ? "]" : "}";
  const items = tree.items.map((item) => gap(depth + 1, true) + print(item, gap, depth + 1));
  return `${tree.open}${items.join(`${gap(depth, false)},`)}${gap(depth, true)}${close}`;
}

const list = (items: readonly Tree[]): Tree => ({ open: "[", items });
const object = (items: readonly Tree[]): Tree => ({ open: "{", items });

const str = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 8 }).map((text) => JSON.stringify(text)),
  fc.constantFrom(
    ...['"\\u00e9"', '"\\ud800"', '"\\/"', '"😀 \u2028"', '"{{alice}}"'],
    ...['"<<<<<<<"', '"[{"', '"a\\r\\nb"', '"\\\\"', '""'],
  ),
);
const numbers = "0 -0 1.0 9007199254740993 1e400 1E+2 -12.5e-7 true false null";
const number = fc.constantFrom(...numbers.split(" "));
/** Names of members; one is empty. */
const names = "method params markdown text batch cells name endpoint variables $schema id  c\\u0065lls __proto__";
const key = fc.oneof(
  fc.constantFrom(...names.split(" ")).map((name) => `"${name}"`),
  str,
);

const value: fc.Arbitrary<Tree> = fc.letrec<{ value: Tree }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.oneof(str, number),
    fc.array(tie("value"), { maxLength: 3 }).map(list),
    fc.array(fc.record({ key, value: tie("value") }), { maxLength: 3 }).map(object),
  ),
})).value;

const member = fc.record({ key, value });
const lines = fc.oneof(str, fc.array(str, { maxLength: 3 }).map(list));
const named = (name: string, of: fc.Arbitrary<Tree>): fc.Arbitrary<Tree> =>
  of.map((value) => ({ key: `"${name}"`, value }));
const withMore = (one: fc.Arbitrary<Tree>): fc.Arbitrary<Tree> =>
  fc
    .tuple(fc.array(member, { maxLength: 2 }), one, fc.array(member, { maxLength: 2 }))
    .map((parts) => object(parts.flat()));

const request = withMore(named("method", fc.constantFrom('"eth_chainId"', '"eth_call"')));
const deep = fc
  .constantFrom("[", '{"a":')
  .map(
    (open) => open.repeat(600) + (open === "[" ? "]" : `1${"}".repeat(600)}`) + (open === "[" ? "]".repeat(599) : ""),
  );

const cell: fc.Arbitrary<Tree> = fc.oneof(
  { weight: 4, arbitrary: request },
  { weight: 2, arbitrary: named("markdown", lines).map((one) => object([one])) },
  withMore(named("markdown", lines)),
  named("text", lines).map((one) => object([one])),
  fc.constant<Tree>(object([{ key: '"text"', value: list(['"{ \\"method\\": \\"eth_chainId\\" }"']) }])),
  withMore(named("batch", fc.array(request, { maxLength: 2 }).map(list))),
  fc.array(request, { maxLength: 2 }).map(list),
  fc.constantFrom<Tree>(object([{ key: '"endpoint"', value: '"local"' }]), object([]), list([])),
  value,
  { weight: 1, arbitrary: deep },
);

const root: fc.Arbitrary<Tree> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.array(member, { maxLength: 3 }), fc.array(cell, { maxLength: 4 }), fc.array(member, { maxLength: 2 }))
      .map(([before, cells, after]) => object([...before, { key: '"cells"', value: list(cells) }, ...after])),
  },
  { weight: 2, arbitrary: fc.array(cell, { maxLength: 4 }).map(list) },
  request,
  withMore(named("batch", fc.array(request, { maxLength: 2 }).map(list))),
);

const space = fc.constantFrom("", "", " ", "\n", "\r\n", "\r", "\t", "\n  ", "\r\n\t", "   ", "\n\n", "\n    ");
const pretty = fc
  .record({
    eol: fc.constantFrom("\n", "\r\n", "\r"),
    unit: fc.constantFrom("  ", "\t", "    ", ""),
    from: fc.constantFrom(1, 2, 3, 9),
  })
  .map(
    ({ eol, unit, from }): Gap =>
      (depth, line) =>
        line && depth < from ? eol + unit.repeat(depth) : "",
  );
/** Formatters keep short cells on one line, at a depth of their own; some files have no format at all. */
const gap: fc.Arbitrary<Gap> = fc.oneof(
  { weight: 3, arbitrary: pretty },
  fc.array(space, { minLength: 1, maxLength: 17 }).map((spaces): Gap => {
    let i = 0;
    return () => spaces[i++ % spaces.length] ?? "";
  }),
);

const fileWith = (of: fc.Arbitrary<Gap>): fc.Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom("", "", "\ufeff", "\n", "\ufeff \r\n"), root, of, fc.constantFrom("", "\n", "\r\n", " \n\n"))
    .map(([before, tree, gap, after]) => before + print(tree, gap) + after);

/** The text of a file that is JSON, mostly one that is a notebook. */
export const file = fileWith(gap);
/** Does the same as {@link file}, indented as formatters do it. */
export const formattedFile = fileWith(pretty);

/** Texts that people leave in a cell: requests, and unfinished ones. */
export const typed = fc.oneof(
  fc.constantFrom(
    '{ "method": "eth_blockNumber" }',
    '{\n  "method": "eth_call",\n  "params": [\n\n    "x"\n  ]\n}',
    '\n{ "method": "a" }\n ',
    '{ "batch": [] }',
    '[{ "method": "a" }]',
    "",
    "eth_call",
    '{ "method": ',
    '{ "markdown": "x" }',
    '{ "text": ["x"] }',
    "12",
    "  two\n\n  lines ",
    '{ "name": 1, "method": 9007199254740993 }',
  ),
  fc.string({ unit: "grapheme", maxLength: 12 }).filter((text) => !/[\r\ufeff]/.test(text)),
);
