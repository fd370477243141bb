import { isNativeLogger } from "../abi/token.ts";
import { quantity } from "../base/hex.ts";
import { isArray, isObject, type JsonObject } from "../base/json.ts";
import { plural } from "../base/text.ts";
import { logText } from "./logs.ts";
import type { HeadlinePart, Section, TreeNode } from "./report.ts";
import { briefText, quantityShown } from "./shown.ts";
import {
  callParts,
  doesShown,
  failureText,
  partiesText,
  partyName,
  resultShown,
  type SimulatedCall,
} from "./simulatedCall.ts";
import type { ViewContext } from "./view.ts";

/** Calls in a tree. */
const maxCalls = 200;
/** Events that are listed under a call. */
const maxEvents = 50;

/** The calls of a simulation, each with its events; those that failed are open. */
export function callTree(calls: readonly SimulatedCall[], context: ViewContext): Section {
  const nodes = calls.slice(0, maxCalls).map((call) => nodeOf(call, context));
  const left = calls.length - nodes.length;
  const more: readonly TreeNode[] =
    left > 0 ? [{ parts: [{ text: `${plural(left, "more call")} in the table`, role: "quiet" }], children: [] }] : [];
  const hidesCalls = calls.some(({ asked }) => hasData(asked));
  return { kind: "tree", title: "Calls", ...(hidesCalls && { partial }), nodes: [...nodes, ...more] };
}

const partial =
  "A simulation does not list calls inside calls. A contract inside is shown if it emitted an event; debug_traceCall shows all.";

/** Whether a call runs code. */
export function hasData({ input, data }: JsonObject): boolean {
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
