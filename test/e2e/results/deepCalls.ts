import type { FlameFrame, Report } from "../../../server/src/report/report.ts";

/** The report of a trace: three calls inside one, and thirty inside the first of them. */
export function deepCalls(): Report {
  const inside = Array.from({ length: 30 }, (_, at): FlameFrame => {
    const width = 40_000 - 100 * at;
    return { name: `inside ${at + 1}`, depth: at + 2, start: 0, width, gas: width.toLocaleString("en") };
  });
  const frames: readonly FlameFrame[] = [
    { name: "Router", depth: 0, start: 0, width: 100_000, gas: "100,000", own: "20,000" },
    { name: "first", depth: 1, start: 0, width: 50_000, gas: "50,000", own: "10,000" },
    ...inside,
    { name: "second", depth: 1, start: 50_000, width: 30_000, gas: "30,000", failed: "too small" },
    { name: "third", depth: 1, start: 80_000, width: 0, gas: "0" },
  ];
  const text = "100,000 gas in 34 calls. Most gas of their own: Router 20,000 (20%)";
  return {
    title: "cell 1: debug_traceTransaction",
    summary: "34 calls, 100,000 gas",
    status: "ok",
    sections: [{ kind: "flame", title: "Gas by call", frames, total: 100_000, text, rest: "1.calls0" }],
    facts: [],
  };
}
