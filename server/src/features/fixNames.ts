import { firstSteps } from "../analysis/checkPath.ts";
import type { ProblemWith } from "../analysis/problem.ts";
import { isTypo } from "../analysis/typo.ts";
import { printJson } from "../base/json.ts";
import { type Span, slice } from "../base/span.ts";
import type { BadAssumption } from "../evaluate/assume/assumption.ts";
import { isOperator } from "../evaluate/operators.ts";
import { nodeAt, propertyOf, replace, textOf } from "./edits.ts";
import { type Fix, fix, inTitle, type Site, write } from "./fix.ts";
import { quote } from "./fixValues.ts";
import { freeName, newVariable, nothingYet } from "./variables.ts";

/** Replaces a string with the name that was probably meant. */
export function fixName(
  site: Site,
  at: Span,
  name: string,
  nearest: readonly string[],
  sure?: boolean,
): readonly Fix[] {
  return nearest.flatMap((one) => {
    const isSure = nearest.length === 1 && (sure ?? isTypo(name, one));
    return write(site, at, quote(one), isSure);
  });
}

export function fixAssumption(site: Site, { span: at, instead }: BadAssumption): readonly Fix[] {
  return instead === undefined ? [] : fixName(site, at, slice(site.cell.text, at).slice(1, -1), [instead]);
}

export function fixMethod(
  site: Site,
  { span: at, name, nearest, slip }: ProblemWith<"unknown-method">,
): readonly Fix[] {
  return slip ? fixName(site, at, name, nearest, true) : [];
}

/** References take the first of equal names, so that the other one can have any. */
export function fixDuplicateName(site: Site, { span: at, name }: ProblemWith<"duplicate-name">): readonly Fix[] {
  const free = freeName(name.replace(/\d{1,9}$/, ""), site.scope, Number(/\d{1,9}$/.exec(name)?.[0] ?? 1) + 1);
  return fix(site, `Rename it to ${inTitle(free)}`, true, replace(at, quote(free)));
}

export function fixUnresolved(site: Site, problem: ProblemWith<"unresolved-placeholder">): readonly Fix[] {
  const { span: at, name, path, nearest } = problem;
  const { text } = site.cell;
  const written = text.slice(at.start, at.end);
  const meant = nearest.flatMap((one) =>
    fix(
      site,
      `Write ${inTitle(`{{${one}${path.slice(name.length)}}}`)}`,
      nearest.length === 1 && isTypo(name, one),
      replace(
        at,
        written.replace(name, () => one),
      ),
    ),
  );
  const variable = path === name ? newVariable(name, nothingYet, site.scope) : undefined;
  const made: readonly Fix[] = variable
    ? [{ title: `Add a variable ${inTitle(name)} to the header`, preferred: false, edits: [variable] }]
    : [];
  return [...meant, ...made, ...fix(site, "Send the braces as text", false, replace(at, `{{${written}}}`))];
}

/** The value itself, where a variable has it and nothing is around the placeholder; or braces that are meant. */
export function fixUnfilled(site: Site, { span: at, text }: ProblemWith<"unfilled-placeholder">): readonly Fix[] {
  const quotes = { start: at.start - 1, end: at.end + 1 };
  const value = site.scope.variables.get(text.slice(2, -2).trim());
  const whole = nodeAt(site.cell.root, quotes)?.value === text;
  const json = whole && value !== undefined ? printJson(value) : "{{";
  return [
    ...(json.includes("{{") ? [] : write(site, quotes, json, false)),
    ...fix(site, "Keep the braces as text", false, replace(at, `{{${text}}}`)),
  ];
}

export function fixPath(site: Site, { span: at, why, meant }: ProblemWith<"bad-path">): readonly Fix[] {
  const node = nodeAt(site.cell.root, at);
  if (why === "operator") return wrapped(site, at);
  if (meant === undefined) return [];
  if (node) return write(site, at, quote(meant)); // a key of `expect`
  const written = why === "no-step" ? `{{${meant}}}` : meant;
  return fix(site, `Write ${inTitle(written)}`, why === "no-step" || firstSteps.includes(meant), replace(at, written));
}

/** Operators without a path are about the result. */
function wrapped(site: Site, at: Span): readonly Fix[] {
  const property = propertyOf(nodeAt(site.cell.root, at));
  const expect = property?.parent;
  const keys = expect?.children?.map(({ children }) => String(children?.[0]?.value)) ?? [];
  if (!expect || !keys.every(isOperator)) return [];
  return fix(site, 'Put it under `"result"`', true, replace(expect, `{ "result": ${textOf(site.cell.text, expect)} }`));
}

/** A step of a path, in a key or in a placeholder. */
export function fixStep(site: Site, at: Span, step: string, nearest: readonly string[]): readonly Fix[] {
  const node = nodeAt(site.cell.root, at); // a key with escapes is underlined whole
  if (node) return [];
  return nearest.flatMap((one) =>
    fix(
      site,
      `Write ${inTitle(one)}`,
      nearest.length === 1 && (one.startsWith("[") || isTypo(step, one)),
      replace(at, one),
    ),
  );
}

/** `in` takes a list, also of one. */
export function fixOperand(site: Site, { span: at }: ProblemWith<"bad-operand">): readonly Fix[] {
  const node = nodeAt(site.cell.root, at);
  const key = node?.parent?.children?.[0]?.value;
  if (!node || key !== "in") return [];
  return fix(site, "Put it in a list", true, replace(node, `[${textOf(site.cell.text, node)}]`));
}

/** One mark, and all of them at once. */
export function fixHidden(site: Site, at: Span, marks: readonly Span[]): readonly Fix[] {
  const one = fix(site, "Delete the hidden character", true, replace(at, ""));
  if (marks.length < 2) return one;
  return [
    ...one,
    ...fix(site, `Delete all ${marks.length} hidden characters`, false, ...marks.map((mark) => replace(mark, ""))),
  ];
}
