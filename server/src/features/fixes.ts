import { check } from "../analysis/check.ts";
import type { Problem } from "../analysis/problem.ts";
import { type Fix, fix, type Site, write } from "./fix.ts";
import { fixNotAhead } from "./fixCadence.ts";
import { fixDuplicate, fixExclusive, fixInverted, fixKey, fixRange, fixTooMany } from "./fixMembers.ts";
import {
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

/** The changes that take a problem away, the best first; none where only a person knows what was meant. */
export function fixesOf(problem: Problem, site: Site): readonly Fix[] {
  switch (problem.code) {
    case "json-syntax":
      return fixSyntax(site);
    case "unknown-member":
    case "unknown-field":
      return fixKey(site, problem);
    case "duplicate-key":
      return fixDuplicate(site, problem);
    case "unknown-method":
      return fixMethod(site, problem);
    case "named-params":
      return fixNamed(site, problem);
    case "missing-param":
      return fixMissingParam(site, problem);
    case "missing-block":
      return fixMissingBlock(site, problem);
    case "extra-param":
      return fixExtra(site, problem);
    case "swapped-params":
      return fixSwapped(site, problem);
    case "wrong-type":
      return fixType(site, problem.span);
    case "bad-quantity":
      return fixQuantity(site, problem);
    case "bad-amount":
      return fixAmount(site, problem);
    case "bad-hex":
      return fixHex(site, problem);
    case "bad-checksum":
      return fixChecksum(site, problem.span, problem.right);
    case "bad-block":
      return fixBlock(site, problem);
    case "unknown-value":
      return fixValue(site, problem);
    case "exclusive-fields":
      return fixExclusive(site, problem);
    case "too-many-items":
      return fixTooMany(site, problem);
    case "inverted-range":
      return fixInverted(site, problem.span);
    case "log-range-over-limit":
      return fixRange(site, problem);
    case "duplicate-name":
      return fixDuplicateName(site, problem);
    case "unresolved-placeholder":
      return fixUnresolved(site, problem);
    case "sample-placeholder":
      return fixSample(site, problem);
    case "unknown-endpoint":
    case "unknown-operator":
      return fixName(
        site,
        problem.span,
        problem.name,
        problem.nearest,
        problem.code === "unknown-operator" || undefined,
      );
    case "bad-path":
      return fixPath(site, problem);
    case "unknown-path":
      return fixStep(site, problem.span, problem.step, problem.nearest);
    case "unfilled-placeholder":
      return fixUnfilled(site, problem);
    case "bad-within":
      return fixWithin(site, problem.span, problem.text);
    case "bad-operand":
      return fixOperand(site, problem);
    case "bidi-character":
      return fixHidden(site, problem.span, hiddenIn(site));
    case "secret-in-file":
      return fixSecret(site, problem);
    case "unset-value":
      return fixUnset(site, problem);
    case "decimal-number":
      return write(site, problem.span, problem.wire, false); // a run does that by itself
    case "unknown-function":
    case "unknown-event":
      return fixName(site, problem.span, problem.name, problem.nearest);
    case "ambiguous-function":
    case "ambiguous-event":
      return problem.declarations.flatMap((one) => write(site, problem.span, JSON.stringify(one), false));
    case "not-ahead":
      return fixNotAhead(site, problem);
    case "not-a-notebook":
    case "too-deep":
    case "conflict-marker":
    case "missing-method":
    case "missing-field":
    case "filter-without-criterion":
    case "reference-cycle":
    case "refused-method":
    case "unusable-endpoint":
    case "signing-method":
    case "bad-openrpc":
    case "bad-abi":
    case "unread-abi":
    case "bad-argument":
    case "before-first-block":
      return [];
  }
}

function fixSyntax(site: Site): readonly Fix[] {
  const made = syntaxFix(site.cell, site.scope.variables);
  return made ? fix(site, made.title, true, ...made.edits) : [];
}

function hiddenIn({ cell, scope }: Site): readonly Problem["span"][] {
  return check(cell, scope).flatMap(({ code, span }) => (code === "bidi-character" ? [span] : []));
}
