import { requestedCalls } from "../abi/decodedResult.ts";
import { innerReason } from "../abi/decodeRevert.ts";
import { isNativeLogger, withoutRepeatedNative } from "../abi/token.ts";
import { quantity } from "../base/hex.ts";
import { isArray, isObject, type JsonObject, type JsonValue } from "../base/json.ts";
import { plural } from "../base/text.ts";
import { grouped } from "../base/units.ts";
import { flowSections } from "./flow.ts";
import { type LogRow, logSections, logText } from "./logs.ts";
import type { Field, HeadlinePart, Section, Shown, TreeNode } from "./report.ts";
import { innerReturned } from "./returnData.ts";
import { type InnerRow, innerRows, innerSections } from "./returnedValues.ts";
import { addressShown, blockTimeShown, briefText, hashShown, partyShown, quantityShown, statusShown } from "./shown.ts";
import {
  callParts,
  doesShown,
  failureText,
  partiesText,
  partyName,
  resultShown,
  type SimulatedCall,
} from "./simulatedCall.ts";
import { type Cells, filled, logCounts, nonZero, nothing, present, quantities, table } from "./table.ts";
import { folded, foldedTable, type View, type ViewContext } from "./view.ts";

/** The result of `eth_simulateV1`. */
export function simulationView(blocks: readonly JsonValue[], context: ViewContext): View {
  const known = blocks.filter(isObject);
  const asked = requestedCalls(context.params, known);
  const calls = known.flatMap((block, index) => callRows(block, asked[index] ?? []));
  const failed = calls.filter(({ call }) => call.status === "0x0");
  const gas = calls.reduce((sum, { call }) => sum + (quantity(call.gasUsed) ?? 0n), 0n);
  const why = failed[0] && failureText(failed[0], context, innerReason);
  const flow = flowSections(calls, context);
  return {
    summary: [
      plural(blocks.length, "simulated block"),
      plural(calls.length, "call"),
      ...(failed.length > 0 ? [`${failed.length} failed (${failed.length > 1 ? "first: " : ""}${why})`] : []),
      `${grouped(gas)} gas`,
    ].join(", "),
    headline: headlineOf(calls, failed.length, gas, known, context),
    sections: [
      ...flow,
      ...(flow.length > 0 ? unseenNotes(calls, context) : []),
      ...(calls.length > 0 ? [callTree(calls, context)] : []),
      ...(calls.length > 0 ? [{ ...callTable(calls, known.length > 1, context), folded: true as const }] : []),
      ...innerSections(innerOf(calls, known.length > 1, context), context),
      ...logSections(
        calls.flatMap((row) => logRows(row, known.length > 1)),
        known.length > 1 ? ["Block", "Call"] : ["Call"],
        context,
      ).map(foldedTable),
      ...blockSections(known, context).map(folded),
    ],
  };
}

/** Contracts may send native currency, which a simulation shows only if it is asked to, or if the chain logs it. */
function unseenNotes(calls: readonly SimulatedCall[], context: ViewContext): readonly Section[] {
  const [asked] = isArray(context.params) ? context.params : [];
  const done = calls.filter(({ call }) => call.status !== "0x0");
  const isShown = isObject(asked) && asked.traceTransfers === true;
  const isLogged = done.some(
    ({ call }) => isArray(call.logs) && call.logs.some((log) => isObject(log) && isNativeLogger(log.address)),
  );
  if (isShown || isLogged || !done.some((one) => hasData(one.asked))) return [];
  const text = 'Native currency that contracts send is not shown: the request lacks `"traceTransfers": true`.';
  return [{ kind: "note", text }];
}

function headlineOf(
  calls: readonly SimulatedCall[],
  failed: number,
  gas: bigint,
  blocks: readonly JsonObject[],
  { params }: ViewContext,
): readonly HeadlinePart[] {
  const [only] = blocks;
  const fee = blocks.length === 1 ? quantityShown(only?.baseFeePerGas ?? null, "wei") : undefined;
  const tag = isArray(params) ? params[1] : undefined;
  const about = [
    ...(blocks.length > 1 ? [plural(blocks.length, "block")] : []),
    `${grouped(gas)} gas`,
    ...(fee && fee.role !== "bad" ? [`base fee ${briefText(fee)}`] : []),
    ...(typeof tag === "string" && /^[a-z]+$/.test(tag) ? [`on top of ${tag}`] : []),
  ];
  return [
    { text: `${plural(calls.length, "call")}${failed > 0 ? `, ${failed} reverted` : ""}` },
    { text: about.join(" · "), role: "quiet" },
  ];
}

function callRows(block: JsonObject, asked: readonly JsonValue[]): readonly SimulatedCall[] {
  const calls = isArray(block.calls) ? block.calls : [];
  return calls.filter(isObject).map((call, index) => {
    const request = asked[index];
    const { logs } = call;
    // what both the node and the chain log is one transfer
    const once = isArray(logs) ? { ...call, logs: withoutRepeatedNative(logs) } : call;
    return { block: numberOf(block), call: once, asked: isObject(request) ? request : {}, index };
  });
}

/** The results of the calls inside the calls, by the positions of both. */
function innerOf(calls: readonly SimulatedCall[], severalBlocks: boolean, context: ViewContext): readonly InnerRow[] {
  return calls.flatMap(({ call, asked, block, index }) => {
    if (call.status === "0x0") return [];
    const place = `${severalBlocks ? `${block.text} › ` : ""}${calls.length > 1 ? `${index} › ` : ""}`;
    return innerRows(innerReturned(asked, call.returnData ?? null, context), place);
  });
}

function numberOf({ number }: JsonObject): Shown {
  return present(number, (value) => quantityShown(value, "block"));
}

function callTable(calls: readonly SimulatedCall[], severalBlocks: boolean, context: ViewContext): Section {
  const { labels } = context;
  const columns: readonly Cells<SimulatedCall>[] = [
    ...(severalBlocks ? [{ name: "Block", align: "right" as const, of: ({ block }: SimulatedCall) => block }] : []),
    { name: "Call", align: "right", of: ({ index }) => ({ text: String(index) }) },
    { name: "Status", of: ({ call }) => statusShown(call.status) },
    { name: "To", of: ({ asked }) => (typeof asked.to === "string" ? partyShown(asked.to, labels) : nothing) },
    { name: "Does", of: ({ asked }) => doesShown(asked, context) },
    { name: "Result", of: (call) => resultShown(call, context) },
    quantities("Value", "wei", ({ asked }) => nonZero(asked.value)),
    {
      name: "Gas",
      align: "right",
      of: ({ call }) => (call.gasUsed === undefined ? nothing : quantityShown(call.gasUsed, "gas")),
    },
    quantities("Peak gas", "gas", ({ call: { maxUsedGas, gasUsed } }) =>
      typeof maxUsedGas === "string" && maxUsedGas !== gasUsed ? maxUsedGas : undefined,
    ),
    logCounts(({ call }) => call.logs),
    { name: "From", of: ({ asked }) => (typeof asked.from === "string" ? partyShown(asked.from, labels) : nothing) },
  ];
  return table(calls, filled(calls, columns), "Calls");
}

function logRows({ block, call, index }: SimulatedCall, severalBlocks: boolean): readonly LogRow[] {
  const place = [...(severalBlocks ? [block] : []), { text: String(index) }];
  return isArray(call.logs) ? call.logs.map((log) => ({ log, place })) : [];
}

/** One block as fields, several as a table. */
function blockSections(blocks: readonly JsonObject[], { labels }: ViewContext): readonly Section[] {
  const columns: readonly Cells<JsonObject>[] = [
    { name: "Block", align: "right", of: numberOf },
    { name: "Time", of: ({ timestamp, timestampMs }) => blockTimeShown(timestamp, timestampMs) ?? nothing },
    { name: "Calls", align: "right", of: ({ calls }) => ({ text: String(isArray(calls) ? calls.length : 0) }) },
    quantities("Gas used", "gas", ({ gasUsed }) => gasUsed),
    quantities("Gas limit", "gas", ({ gasLimit }) => gasLimit),
    quantities("Base fee", "wei", ({ baseFeePerGas }) => baseFeePerGas),
    { name: "Fee recipient", of: show("miner", (value) => addressShown(value, labels)) },
    { name: "Hash", of: show("hash", hashShown) },
    { name: "Parent", of: show("parentHash", hashShown) },
    { name: "State root", of: show("stateRoot", hashShown) },
  ];
  const [only] = blocks;
  if (only === undefined) return [];
  if (blocks.length > 1) return blockTable(blocks, columns);
  const fields = columns.map(({ name, of }): Field => ({ name, value: of(only, 0) }));
  return [{ kind: "fields", title: "Block", fields: fields.filter(({ value }) => value.text !== "") }];
}

/** Skipped numbers can give many blocks without calls; past a screenful only those with calls are worth a row. */
function blockTable(blocks: readonly JsonObject[], columns: readonly Cells<JsonObject>[]): readonly Section[] {
  const busy = blocks.filter(({ calls }) => isArray(calls) && calls.length > 0);
  const rows = blocks.length > 20 ? busy : blocks;
  const left = blocks.length - rows.length;
  return [
    ...(rows.length > 0 ? [table(rows, filled(rows, columns), "Blocks")] : []),
    ...(left > 0 ? [{ kind: "note" as const, text: `Not listed: ${plural(left, "block")} without calls.` }] : []),
  ];
}

function show(name: string, how: (value: JsonValue) => Shown): (block: JsonObject) => Shown {
  return (block) => present(block[name], how);
}

/** Calls in a tree. */
const maxCalls = 200;
/** Events that are listed under a call. */
const maxEvents = 50;

/** The calls of a simulation, each with its events; those that failed are open. */
function callTree(calls: readonly SimulatedCall[], context: ViewContext): Section {
  const nodes = calls.slice(0, maxCalls).map((call) => nodeOf(call, context));
  const left = calls.length - nodes.length;
  const more: readonly TreeNode[] =
    left > 0 ? [{ parts: [{ text: `${plural(left, "more call")} in the table`, role: "quiet" }], children: [] }] : [];
  const hidesCalls = calls.some(({ asked }) => hasData(asked));
  return { kind: "tree", title: "Calls", ...(hidesCalls && { partial }), nodes: [...nodes, ...more] };
}

const partial =
  "A simulation does not list calls inside calls. A contract inside is shown if it emitted an event. Run with Calls Inside (rpc-notebook trace) shows all.";

/** Whether a call runs code. */
function hasData({ input, data }: JsonObject): boolean {
  const bytes = input ?? data;
  return typeof bytes === "string" && bytes !== "0x";
}

function nodeOf(simulated: SimulatedCall, context: ViewContext): TreeNode {
  const { call, asked, index } = simulated;
  const failed = call.status === "0x0";
  const gas = quantity(call.gasUsed) === undefined ? "" : `${quantityShown(call.gasUsed ?? null, "gas").text} gas`;
  const parts: readonly HeadlinePart[] = [
    { text: `${index} ·`, role: "quiet" },
    ...actionParts(asked, context),
    ...(failed ? [{ text: "reverted", role: "bad" as const }] : returnedParts(simulated, context)),
    ...(gas === "" ? [] : [{ text: gas, role: "quiet" as const }]),
  ];
  const why: readonly TreeNode[] = failed
    ? [{ parts: [{ text: failureText(simulated, context).replace(/^reverted: /, ""), role: "bad" }], children: [] }]
    : [];
  return { parts, ...(failed && { open: true }), children: [...why, ...eventNodes(call, asked, context)] };
}

/** `= 2.5 DUSD`: what a call returned, if it says more than that the call succeeded. */
function returnedParts(simulated: SimulatedCall, context: ViewContext): readonly HeadlinePart[] {
  const { asked, call } = simulated;
  const creates = asked.to === undefined || asked.to === null;
  if (creates || call.returnData === undefined || call.returnData === "0x") return [];
  const result = resultShown(simulated, context);
  return result.text === "" ? [] : [{ text: `= ${briefText(result)}`, exact: result.text, role: "plain" }];
}

function actionParts(asked: JsonObject, context: ViewContext): readonly HeadlinePart[] {
  const to = asked.to === undefined || asked.to === null ? "new contract" : partyName(asked.to, context);
  return callParts(partiesText(partyName(asked.from, context), to), doesShown(asked, context), asked.value);
}

/** The events of a call. Those of another contract are under it: it was called inside. */
function eventNodes({ logs }: JsonObject, { to }: JsonObject, context: ViewContext): readonly TreeNode[] {
  const nodes: TreeNode[] = [];
  let inside: { readonly address: string; readonly events: TreeNode[] } | undefined;
  for (const log of (isArray(logs) ? logs : []).slice(0, maxEvents)) {
    const event: TreeNode = { parts: [{ text: logText(log, context), role: "quiet" }], children: [] };
    const address = isObject(log) && typeof log.address === "string" ? log.address : "";
    if (typeof to !== "string" || isNativeLogger(address) || address.toLowerCase() === to.toLowerCase()) {
      inside = undefined;
      nodes.push(event);
    } else if (inside?.address === address) inside.events.push(event);
    else {
      inside = { address, events: [event] };
      const parts = [{ text: partyName(address, context) }, { text: "called inside", role: "quiet" as const }];
      nodes.push({ parts, open: true, children: inside.events });
    }
  }
  return nodes;
}
