import { parseItem } from "../abi/item.ts";
import { notAhead } from "../analysis/cellEndpoint.ts";
import { check } from "../analysis/check.ts";
import type { Problem, ProblemCode, ProblemWith } from "../analysis/problem.ts";
import type { Span } from "../base/span.ts";
import { replace } from "./edits.ts";
import { type Fix, fix, inTitle, type Site, write } from "./fix.ts";
import { fixDuplicate, fixExclusive, fixInverted, fixKey, fixRange, fixTooMany } from "./fixMembers.ts";
import {
  fixAssumption,
  fixDuplicateName,
  fixHidden,
  fixMethod,
  fixName,
  fixOperand,
  fixPath,
  fixStep,
  fixUnfilled,
  fixUnresolved,
} from "./fixNames.ts";
import { fixExtra, fixMissingBlock, fixMissingParam, fixNamed, fixSwapped } from "./fixParams.ts";
import { syntaxFix } from "./fixSyntax.ts";
import {
  fixAmount,
  fixBlock,
  fixChecksum,
  fixHex,
  fixQuantity,
  fixSample,
  fixSecret,
  fixType,
  fixUnset,
  fixValue,
  fixWithin,
} from "./fixValues.ts";

type Fixer<Code extends ProblemCode> = (site: Site, problem: ProblemWith<Code>) => readonly Fix[];

/** Only a person knows what was meant. */
const none = (): readonly Fix[] => [];

const fixers: { readonly [Code in ProblemCode]: Fixer<Code> } = {
  "json-syntax": fixSyntax,
  "not-a-notebook": none,
  "too-deep": none,
  "conflict-marker": none,
  "missing-method": none,
  "unknown-member": fixKey,
  "unknown-field": fixKey,
  "duplicate-key": fixDuplicate,
  "unknown-method": fixMethod,
  "named-params": fixNamed,
  "missing-param": fixMissingParam,
  "missing-block": fixMissingBlock,
  "extra-param": fixExtra,
  "swapped-params": fixSwapped,
  "missing-field": none,
  "exclusive-fields": fixExclusive,
  "too-many-items": fixTooMany,
  "filter-without-criterion": none,
  "inverted-range": (site, { span }) => fixInverted(site, span),
  "log-range-over-limit": fixRange,
  "refused-method": none,
  "signing-method": none,
  "not-ahead": fixNotAhead,
  "wrong-type": (site, { span }) => fixType(site, span),
  "bad-quantity": fixQuantity,
  "bad-amount": fixAmount,
  "bad-hex": fixHex,
  "bad-checksum": (site, { span, right }) => fixChecksum(site, span, right),
  "bad-block": fixBlock,
  "unknown-value": fixValue,
  "sample-placeholder": fixSample,
  "decimal-number": (site, { span, wire }) => write(site, span, wire, false), // a run does that by itself
  "unknown-function": fixItemName,
  "unknown-event": fixItemName,
  "ambiguous-function": chooseDeclaration,
  "ambiguous-event": chooseDeclaration,
  "bad-argument": none,
  "before-first-block": none,
  "duplicate-name": fixDuplicateName,
  "unresolved-placeholder": fixUnresolved,
  "reference-cycle": none,
  "unfilled-placeholder": fixUnfilled,
  "unknown-endpoint": fixItemName,
  "unusable-endpoint": none,
  "unknown-operator": (site, { span, name, nearest }) => fixName(site, span, name, nearest, true),
  "bad-path": fixPath,
  "unknown-path": (site, { span, step, nearest }) => fixStep(site, span, step, nearest),
  "bad-within": (site, { span, text }) => fixWithin(site, span, text),
  "saved-by-cell": none,
  "misplaced-explain": (site, { span }) => fixKey(site, { code: "unknown-member", span, name: "explain", nearest: [] }),
  "bad-assumption": fixAssumption,
  "bad-each": none,
  "bad-variable": none,
  "bad-save": none,
  "bad-operand": fixOperand,
  "bidi-character": (site, { span }) => fixHidden(site, span, hiddenIn(site)),
  "secret-in-file": fixSecret,
  "unset-value": fixUnset,
  "bad-openrpc": none,
  "bad-descriptor": none,
  "bad-abi": none,
  "unread-abi": none,
};

/** Returns the changes that remove a problem, the best first; none if only a person knows what was meant. */
export function fixesOf(problem: Problem, site: Site): readonly Fix[] {
  const fixer = fixers[problem.code] as Fixer<ProblemCode>; // the one for this code
  return fixer(site, problem);
}

function fixItemName(site: Site, { span, name, nearest }: NamedProblem): readonly Fix[] {
  return fixName(site, span, name, nearest);
}

interface NamedProblem {
  readonly span: Span;
  readonly name: string;
  readonly nearest: readonly string[];
}

function chooseDeclaration(site: Site, { span, declarations }: ProblemWith<"ambiguous-event">): readonly Fix[] {
  return declarations.flatMap((one) => {
    const signature = parseItem(one, "")?.signature ?? one; // short, so that titles differ where they are cut
    return fix(site, `Write ${inTitle(signature)}`, false, replace(span, JSON.stringify(one)));
  });
}

function fixSyntax(site: Site): readonly Fix[] {
  const made = syntaxFix(site.cell, site.scope.variables);
  return made ? fix(site, made.title, true, ...made.edits) : [];
}

function hiddenIn({ cell, scope }: Site): readonly Problem["span"][] {
  return check(cell, scope).flatMap(({ code, span }) => (code === "bidi-character" ? [span] : []));
}

/** Fixes for chains without pre-confirmed state: at this place, and at all places of the notebook at once. */
function fixNotAhead(site: Site, { span, instead }: ProblemWith<"not-ahead">): readonly Fix[] {
  const edits = site.scope.cells.flatMap((cell) =>
    notAhead(cell, site.scope).flatMap((one) =>
      one.code === "not-ahead" ? [{ cell, ...replace(one.span, JSON.stringify(one.instead)) }] : [],
    ),
  );
  const all = { title: `Use sealed state in the whole notebook (${edits.length} places)`, preferred: false, edits };
  return [...write(site, span, JSON.stringify(instead)), ...(edits.length > 1 ? [all] : [])];
}
