import { isArray, isObject } from "../../base/json.ts";
import type { EvaluatedRequest } from "../../evaluate/evaluateRequest.ts";
import { withImpossibleTrace } from "../../report/additions.ts";
import { resultOf } from "../../rpc/outcome.ts";
import { unusableWhy } from "../../trace/servedFrames.ts";
import type { Observation } from "./observation.ts";

/** A trace that a cell asks for and that cannot be one of a call. It is shown as it is, and says so. */
export const impossibleTrace: Observation<true> = {
  concerns: (_cell, requests) => requests.some(asksForCalls),
  of: (_cell, request) => asksForCalls(request) || undefined,
  hidden: (found) => found,
  adds: (_found, { outcome }) => {
    const trace = resultOf(outcome);
    const why = trace === undefined ? undefined : unusableWhy(trace);
    return why === undefined ? {} : { report: (report) => withImpossibleTrace(report, why) };
  },
};

/** Other tracers have other answers. */
function asksForCalls({ method, params }: EvaluatedRequest): boolean {
  const isTrace = method === "debug_traceCall" || method === "debug_traceTransaction";
  return isTrace && isArray(params) && params.some((one) => isObject(one) && one.tracer === "callTracer");
}
