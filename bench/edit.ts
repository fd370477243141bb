import { createService } from "../server/src/service.ts";
import { quantile, type Row, round } from "./row.ts";
import { benchHost } from "./support.ts";

const uri = "file:///bench.rpc.json";

/** A fresh edit in a notebook of 5,000 cells and 1 MB before each question; in the process, without the wire. */
export async function edit(): Promise<readonly Row[]> {
  const { text, at } = notebook();
  const service = createService(benchHost());
  service.openText(uri, text);
  service.diagnostics(uri);
  const tasks = {
    "edit, then completion": { budget: 10, look: (offset: number) => service.completion(uri, offset) },
    "edit, then hover": { budget: 10, look: (offset: number) => service.hover(uri, offset) },
    "edit, then diagnostics of the file": { budget: 20, look: () => service.diagnostics(uri) },
  };
  return Object.entries(tasks).map(([name, { budget, look }]): Row => {
    const times: number[] = [];
    for (let round = 0; round < 60; round++) {
      const changed = `${text.slice(0, at)}${"0123456789abcdef"[round % 16]}${text.slice(at + 1)}`;
      const begun = performance.now();
      service.changeText(uri, changed);
      look(at);
      if (round >= 10) times.push(performance.now() - begun);
    }
    const baseline = `median ${round(quantile(times, 0.5))} ms, 5,000 cells, ${round(text.length / 1e6)} MB`;
    return { area: "edit", name: `${name}, p95`, value: round(quantile(times, 0.95)), unit: "ms", budget, baseline };
  });
}

/** The offset is inside an address in the middle. */
function notebook(): { readonly text: string; readonly at: number } {
  const cells = Array.from({ length: 5000 }, (_, index) => ({
    name: `balance${index}`,
    method: "eth_getBalance",
    params: [`0x${(index + 1).toString(16).padStart(40, "0")}`, "pending"],
  }));
  const text = JSON.stringify({ endpoint: "local", cells }, null, 2);
  return { text, at: text.indexOf("0x", text.indexOf("balance2500")) + 20 };
}
