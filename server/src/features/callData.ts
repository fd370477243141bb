import { isFor, namedFits } from "../abi/candidates.ts";
import { type DecodedCall, decodeCalls, type InnerCall } from "../abi/decodeCall.ts";
import { selectorOf } from "../abi/item.ts";
import { abiScope } from "../analysis/abi.ts";
import type { Scope } from "../analysis/scope.ts";
import { memberOf, type TypedToken, textOf } from "../analysis/typedTokens.ts";
import { byteLength, isAddress, isHex } from "../base/hex.ts";
import { code, escaped, figure, joined, type Markdown, markdown } from "../base/markdown.ts";
import { plural } from "../base/text.ts";
import { formatWei } from "../base/units.ts";
import type { Cell } from "../notebook/cell.ts";
import { addressShown } from "../report/shown.ts";
import { wordShown } from "../report/word.ts";
import { declared, functionsAt, sourceText } from "./abiLookup.ts";
import { addressNames } from "./addressNames.ts";
import { abiValueMarkdown, shownMarkdown } from "./valueMarkdown.ts";

/** The contract that the call object around a place calls. */
function callee(path: TypedToken["path"], scope: Scope): string | undefined {
  return addressIn(textOf(memberOf(path.at(-1)?.container, "to")), scope);
}

/** An address that is written out, or that a variable holds; in lower case. */
export function addressIn(written: string | undefined, { variables }: Pick<Scope, "variables">): string | undefined {
  const name = /^\{\{\s*([\w$]+)\s*\}\}$/.exec(written ?? "")?.[1];
  const to = name === undefined ? written : variables.get(name);
  return isAddress(to) ? to.toLowerCase() : undefined;
}

/** Names of the functions that call data fits, or of those with its selector if it fits none. */
export function functionNames(data: string, path: TypedToken["path"], cell: Cell, scope: Scope): readonly string[] {
  const to = callee(path, scope);
  const all = functionsAt(data.slice(0, 10), cell, scope, to);
  if (all.length < 2) return all.map(({ name }) => name);
  const fits = namedFits("function", data.toLowerCase(), abiScope(cell, scope), to);
  const given = fits.filter((fit) => isFor(fit, to));
  return [...new Set((given.length > 0 ? given : fits).map(({ item }) => item.name))];
}

/** Candidates, words of unknown arguments, calls inside of one, and lines that are shown. */
const most = { candidates: 4, words: 8, nested: 8, lines: 80 };

/** Call data argument by argument; all functions that it may be meant for. */
export function callDocs(data: string, path: TypedToken["path"], cell: Cell, scope: Scope): Markdown | undefined {
  if (!isHex(data) || data === "0x") return data === "0x" ? markdown`No call data: a plain transfer.` : undefined;
  if (data.length < 10)
    return markdown`${figure(plural(byteLength(data), "byte"))}: fewer than the four bytes of a selector.`;
  const selector = code(data.slice(0, 10));
  const calls = decodeCalls(data, abiScope(cell, scope), callee(path, scope));
  if (calls.length === 0)
    return joined([markdown`No known function has the selector ${selector}.`, wordLines(data, scope)], "\n\n");
  const more = calls.length - most.candidates;
  return joined(
    [
      calls.length > 1 ? markdown`${calls.length} known functions have the selector ${selector}:` : undefined,
      ...calls.slice(0, most.candidates).map((call) => callLines(call, scope)),
      more > 0 ? markdown`… and ${more} more.` : undefined,
    ],
    "\n\n",
  );
}

function callLines(call: DecodedCall, scope: Scope): Markdown {
  const { item, sources, guess, faults } = call;
  const lines = argumentLines(call, scope, markdown``);
  const left = lines.length - most.lines;
  const shown = [
    ...lines.slice(0, most.lines),
    left > 0 ? markdown`- … and ${figure(plural(left, "line"))} more` : undefined,
  ];
  return joined(
    [
      joined(
        [
          code(declared(item), 300),
          code(selectorOf(item)),
          ...sources.slice(0, 3).map(sourceText),
          guess ? markdown`guessed by its selector` : undefined,
        ],
        " · ",
      ),
      joined(shown, "\n"),
      faults.length > 0 ? markdown`It does not fit exactly: ${escaped(faults.join("; "))}.` : undefined,
    ],
    "\n\n",
  );
}

function argumentLines({ args, inner }: DecodedCall, scope: Scope, indent: Markdown): readonly Markdown[] {
  const names = addressNames(scope);
  return args.flatMap(({ name, type, value }, at) => {
    const label = name === "" ? markdown`argument ${at + 1}` : code(name, 60);
    const calls = inner.filter(({ path }) => path[0] === at);
    const shown = calls.length > 0 ? figure(plural(calls.length, "call")) : abiValueMarkdown(value, type, names);
    const more = calls.length - most.nested;
    return [
      markdown`${indent}- ${label} (${code(type, 80)}): ${shown}`,
      ...calls.slice(0, most.nested).flatMap((one) => innerLines(one, scope, markdown`${indent}  `)),
      ...(more > 0 ? [markdown`${indent}  - … and ${figure(plural(more, "call"))} more`] : []),
    ];
  });
}

function innerLines(
  { to, value, delegate, data, call }: InnerCall,
  scope: Scope,
  indent: Markdown,
): readonly Markdown[] {
  const line = joined(
    [
      delegate ? markdown`${indent}- delegates to` : markdown`${indent}- calls`,
      call
        ? code(call.signature, 200)
        : data === "0x"
          ? markdown`nothing`
          : markdown`unknown ${code(data.slice(0, 10))}`,
      to === undefined ? undefined : markdown`of ${shownMarkdown(addressShown(to, addressNames(scope)))}`,
    ],
    " ",
  );
  const sent = value === undefined || value === "0" ? undefined : markdown`sends ${figure(formatWei(BigInt(value)))}`;
  return [joined([line, sent], ", "), ...(call ? argumentLines(call, scope, markdown`${indent}  `) : [])];
}

/** The words behind an unknown selector, with a probable reading of each. */
function wordLines(data: string, scope: Scope): Markdown {
  const words =
    data
      .toLowerCase()
      .slice(10)
      .match(/.{1,64}/g) ?? [];
  const lines = words.slice(0, most.words).map((word, at) => {
    const shown = word.length === 64 ? wordShown(`0x${word}`, addressNames(scope)) : { text: `0x${word}` };
    return markdown`- word ${at}: ${shownMarkdown({ ...shown, also: shown.also?.slice(0, 1) ?? [] })}`;
  });
  const more = words.length - lines.length;
  return joined([...lines, more > 0 ? markdown`- … and ${figure(plural(more, "word"))} more` : undefined], "\n");
}
