import { assumingMethods } from "../../evaluate/assume/readAssumptions.ts";
import type { EvaluatedRequest } from "../../evaluate/evaluateRequest.ts";
import type { Report } from "../../report/report.ts";
import type { Outcome } from "../../rpc/outcome.ts";

/** How contracts and nodes say that an account has too little, in the names of errors too. */
const shortage = /insufficient|exceeds ?(balance|allowance)|balance too low/i;

const advice = "To see what would happen with enough, add `assume` to the request: a balance, tokens or an allowance.";

/** Says how to simulate a call that failed because an account has too little. */
export function withAssumeHint(report: Report, { method, assumed = [] }: EvaluatedRequest, outcome: Outcome): Report {
  const isShort = outcome.kind === "refused" && shortage.test(report.summary);
  if (!isShort || assumed.length > 0 || !assumingMethods.includes(method)) return report;
  const sections = report.sections.map((one) => (one.kind === "failure" ? { ...one, todo: advice } : one));
  return { ...report, sections };
}
