import type { AbiScope } from "../abi/abiScope.ts";
import type { AbiParam } from "../abi/type.ts";
import { isAddress } from "../base/hex.ts";
import { isObject, type JsonObject, type JsonValue } from "../base/json.ts";
import { oneLine, plural } from "../base/text.ts";
import { grouped } from "../base/units.ts";
import type { MethodSpec } from "../catalog/spec.ts";
import { itemsOf, typeNamed } from "../catalog/types.ts";
import { answerTime, type Outcome } from "../rpc/outcome.ts";
import { factsOf } from "./facts.ts";
import { failureView } from "./failure.ts";
import { guessNote } from "./guessNote.ts";
import { objectSections } from "./object.ts";
import type { Field, Report, Section, Shown } from "./report.ts";
import { answerFault, resultView } from "./result.ts";
import { returnedFields } from "./returnData.ts";
import { plainText } from "./screenTable.ts";
import { addressShown, badShown, plainShown, saidText } from "./shown.ts";
import { type Cells, maxRows, nothing, type Point, series, table } from "./table.ts";
import { valueShown } from "./value.ts";
import type { ViewContext } from "./view.ts";

/** A request of a cell with `each`, and its outcome. */
export interface EachAnswer {
  readonly request: {
    readonly method: string;
    readonly spec?: MethodSpec | undefined;
    readonly params: JsonValue | undefined;
    readonly returns: readonly AbiParam[] | undefined;
  };
  readonly outcome: Outcome;
  readonly scope: AbiScope;
  /** The values that the request was made with, by their names. */
  readonly row?: JsonObject;
}

/** Shows the answers of a cell with `each`: a table with its values and the results, and what changes over a number as charts. */
export function eachReport(
  title: string,
  all: readonly EachAnswer[],
  context: ViewContext,
  durationMs: number,
): Omit<Report, "status"> {
  const answers = all.filter(({ outcome }) => outcome.kind !== "unreachable" || outcome.reason !== "cancelled");
  const failed = answers.filter((answer) => faultOf(answer) !== undefined).length;
  const columns = columnsOf(answers, context);
  const rows = table(answers, columns, undefined, { json: jsonOf });
  const missing = all.length - answers.length;
  const counts = [
    missing > 0 ? `${grouped(answers.length)} of ${plural(all.length, "row")}` : plural(answers.length, "row"),
    ...(failed > 0 ? [`${grouped(failed)} failed`] : []),
  ];
  const [exchange] = all.map((one) => one.outcome.exchange);
  return {
    title: oneLine(title, 120),
    summary: counts.join(", "),
    sections: [...charts(answers, columns), rows, ...guessNote([rows])],
    facts: exchange ? factsOf(undefined, null, { ...exchange, durationMs, batch: 1, attempts: 1 }) : [],
    ...(exchange && { ranAt: answerTime(answers.at(-1)?.outcome.exchange ?? exchange) }),
  };
}

function columnsOf(answers: readonly EachAnswer[], context: ViewContext): readonly Cells<EachAnswer>[] {
  const values = Object.keys(answers[0]?.row ?? {}).map((name): Cells<EachAnswer> => {
    const areNumbers = answers.every(({ row }) => isNumber(row?.[name]));
    return {
      name: oneLine(name, 60),
      align: areNumbers ? "right" : "left",
      of: ({ row }) => rowValue(row?.[name] ?? null, context),
    };
  });
  let last: { readonly answer: EachAnswer; readonly fields: readonly Field[] } | undefined;
  const fieldsOf = (answer: EachAnswer): readonly Field[] => {
    if (last?.answer !== answer) last = { answer, fields: resultFields(answer, context) };
    return last.fields;
  };
  const failures = answers.some((answer) => faultOf(answer) !== undefined);
  const found = new Map(
    answers
      .slice(0, maxRows)
      .flatMap(fieldsOf)
      .map(({ name, value }) => [name, value]),
  );
  const results = [...found].map(
    ([name, value]): Cells<EachAnswer> => ({
      name,
      align: numberOf(value) === undefined ? "left" : "right",
      of: (answer) => fieldsOf(answer).find((field) => field.name === name)?.value ?? nothing,
    }),
  );
  const error: Cells<EachAnswer> = { name: "error", of: (answer) => errorOf(answer, context) };
  return [...values, ...results, ...(failures ? [error] : [])];
}

function jsonOf({ outcome }: EachAnswer): JsonValue {
  return outcome.kind === "answered" ? outcome.result.value : { message: outcome.message };
}

function isNumber(value: JsonValue | undefined): value is number | bigint {
  return typeof value === "bigint" || typeof value === "number";
}

function rowValue(value: JsonValue, { labels }: ViewContext): Shown {
  if (isNumber(value)) return { text: grouped(value), raw: String(value) };
  return isAddress(value) ? addressShown(value, labels) : plainShown(value);
}

/** Says why a row has no result. */
function faultOf({ request: { spec }, outcome }: EachAnswer): string | undefined {
  return outcome.kind === "answered" ? answerFault(spec, outcome.result.value) : outcome.kind;
}

function errorOf(answer: EachAnswer, context: ViewContext): Shown {
  const { request, outcome } = answer;
  const fault = faultOf(answer);
  if (fault === undefined) return nothing;
  if (outcome.kind === "answered") return badShown(outcome.result.value, fault);
  const { summary } = failureView(outcome, request.method, { ...context, ...given(answer) });
  return { text: oneLine(summary, 300), role: "bad" };
}

function given({ request, scope }: EachAnswer): Pick<ViewContext, "params" | "returns" | "scope"> {
  return { params: request.params ?? [], returns: request.returns, scope };
}

/** The result of a row: the values that a call returned, the fields of an object, or one value. */
function resultFields(answer: EachAnswer, all: ViewContext): readonly Field[] {
  const { request, outcome } = answer;
  if (outcome.kind !== "answered" || faultOf(answer) !== undefined) return [];
  const context = { ...all, ...given(answer) };
  const { spec } = request;
  const { value } = outcome.result;
  const type = spec && typeNamed(spec.result);
  const returned = type?.kind === "bytes" && type.role === "returndata" ? returnedFields(value, context) : undefined;
  if (returned) return returned;
  if (spec && isObject(value)) {
    const [fields] = objectSections(spec.result, value, context);
    if (fields?.kind === "fields") return fields.fields;
  }
  const isList = spec !== undefined && itemsOf(spec.result) !== undefined;
  const shown = isList
    ? { text: resultView(spec, value, context).summary }
    : valueShown(spec?.result ?? "any", value, context);
  return [{ name: "result", value: shown }];
}

/** Returns the number that a value is, in its smallest unit; `undefined` for text, and for bytes that could be one. */
function numberOf(shown: Shown): number | undefined {
  const { role } = shown;
  if (role !== undefined && role !== "amount") return undefined;
  const plain = plainText(shown);
  return /^-?\d+$/.test(plain) ? Number(plain) : undefined;
}

/** Charts of one cell. */
const maxCharts = 6;
/** Rows of which charts are made. */
const maxChartRows = 10_000;

/** Draws the numbers of the results over the last value that is a number, such as a block: a line for each of the other values. */
function charts(answers: readonly EachAnswer[], columns: readonly Cells<EachAnswer>[]): readonly Section[] {
  const names = Object.keys(answers[0]?.row ?? {});
  const over = names.findLast((name) => answers.every(({ row }) => isNumber(row?.[name])));
  if (over === undefined || answers.length > maxChartRows) return [];
  const shownAt = (name: string, answer: EachAnswer): Shown => columns[names.indexOf(name)]?.of(answer, 0) ?? nothing;
  const groups = new Map<string, EachAnswer[]>();
  for (const answer of answers) {
    const key = names.flatMap((name) => (name === over ? [] : saidText(shownAt(name, answer)))).join(", ");
    const group = groups.get(key);
    if (group) group.push(answer);
    else groups.set(key, [answer]);
  }
  const found: Section[] = [];
  for (const { name, of, align } of columns.slice(names.length)) {
    for (const [group, some] of align === "right" ? groups : []) {
      const points = some.flatMap((answer): readonly Point[] => {
        const shown = of(answer, 0);
        const value = numberOf(shown);
        return value === undefined ? [] : [{ at: shownAt(over, answer).text, value, text: shown.text }];
      });
      const changes = points.some(
        ({ value, at }) => value !== points[0]?.value && String(value) !== at.replaceAll(",", ""),
      );
      if (changes && found.length < maxCharts)
        found.push(...series(group === "" ? name : `${name}, ${group}`, "line", over, points));
    }
  }
  return found;
}
