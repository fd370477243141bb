import { isObject, type JsonValue, printJson } from "../base/json.ts";
import type { Report } from "../report/report.ts";
import { reportText } from "../report/text.ts";
import type { FinishedCell } from "../run/finished.ts";
import type { Service } from "../service.ts";
import { chooseEndpoint } from "./choose.ts";
import type { DecodeOptions } from "./command.ts";
import { exitCodes, type Terminal } from "./terminal.ts";

/** The requests of the notebook, each with the hash as its only parameter. */
export const methodsOfTransaction = ["eth_getTransactionByHash", "eth_getTransactionReceipt"] as const;

/**
 * Fetches a transaction and its receipt, by the rules of a notebook, and prints them.
 *
 * @param uri - The notebook with {@link methodsOfTransaction}.
 * @returns The exit code.
 */
export async function printTransaction(
  uri: string,
  { endpoint = "", json }: Pick<DecodeOptions, "endpoint" | "json">,
  service: Service,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  const wrong = await chooseEndpoint(endpoint, [{ uri }], service);
  for (const { what, todo } of wrong) terminal.complain(what, todo);
  if (wrong.length > 0) return exitCodes.usage;
  const cells = await runCells(uri, endpoint, service, signal);
  const [transaction, receipt] = methodsOfTransaction.map((method) => answerTo(method, cells));
  if (!receipt) {
    printReports(cells[0]?.output.reports ?? [], terminal); // it says why nothing was sent
    return exitCodes.failed;
  }
  const isMissing = isObject(receipt.answer) && receipt.answer.result === null;
  const known = receipt.cell.ok && !isMissing;
  const parts = isMissing || !transaction ? [receipt] : [transaction, receipt];
  if (json) {
    const answers = { answer: receipt.answer, ...(transaction && { transaction: transaction.answer }) };
    terminal.print(printJson({ kind: "receipt", known, ...answers }, 2));
  } else
    printReports(
      parts.flatMap(({ cell }) => cell.output.reports),
      terminal,
    );
  if (isMissing)
    terminal.complain(
      "The endpoint has no receipt for this hash.",
      "Check the network, and whether the transaction is mined.",
    );
  return known && !signal.aborted ? exitCodes.ok : exitCodes.failed;
}

async function runCells(
  uri: string,
  endpoint: string,
  service: Service,
  signal: AbortSignal,
): Promise<readonly FinishedCell[]> {
  const finished: FinishedCell[] = [];
  const events = { started: () => {}, finished: (cell: FinishedCell) => void finished.push(cell) };
  await service.run({ uri, cells: methodsOfTransaction.map((_, index) => ({ index })), endpoint }, events, signal);
  return finished;
}

interface Answer {
  readonly cell: FinishedCell;
  readonly answer: JsonValue;
}

function answerTo(method: string, cells: readonly FinishedCell[]): Answer | undefined {
  const answers = cells.flatMap((cell) => cell.answers().map((answer) => ({ cell, answer })));
  return answers.find(({ answer }) => isObject(answer) && answer.method === method);
}

/** Prints reports without numbers of cells, since no person has written these. */
function printReports(reports: readonly Report[], { print, paint, width }: Terminal): void {
  const layout = { mark: false, paint, short: true, ...(width !== undefined && { width }) };
  const untitled = reports.map((report) => ({ ...report, title: report.title.replace(/^cell \d+: /, "") }));
  print(untitled.map((report) => reportText(report, layout)).join("\n\n"));
}
