import { isObject, type JsonValue, printJson } from "../base/json.ts";
import type { Report } from "../report/report.ts";
import type { CellResult } from "../run/cellResult.ts";
import type { Service } from "../service/service.ts";
import { chooseEndpoint } from "./choose.ts";
import type { DecodeOptions } from "./command.ts";
import { printReports } from "./printReports.ts";
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
  const isMissing = receipt !== undefined && isObject(receipt.answer) && receipt.answer.result === null;
  const known = receipt?.cell.ok === true && !isMissing;
  if (json && receipt) {
    const answers = { answer: receipt.answer, ...(transaction && { transaction: transaction.answer }) };
    terminal.print(printJson({ kind: "receipt", known, ...answers }, 2));
  } else {
    const both = isMissing ? [receipt] : [transaction, receipt];
    const ended = receipt ? both.flatMap((answer) => answer?.cell ?? []) : cells.slice(0, 1); // the first says why
    const reports = ended.flatMap(({ output }) => output.reports);
    printReports(reports.map(untitled), terminal, { mark: false, short: true });
  }
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
): Promise<readonly CellResult[]> {
  const finished: CellResult[] = [];
  const events = { started: () => {}, finished: (cell: CellResult) => void finished.push(cell) };
  await service.run({ uri, cells: methodsOfTransaction.map((_, index) => ({ index })), endpoint }, events, signal);
  return finished;
}

interface Answer {
  readonly cell: CellResult;
  readonly answer: JsonValue;
}

function answerTo(method: string, cells: readonly CellResult[]): Answer | undefined {
  const answers = cells.flatMap((cell) => cell.answers().map((answer) => ({ cell, answer })));
  return answers.find(({ answer }) => isObject(answer) && answer.method === method);
}

/** Leaves out the number of a cell, since no person has written the cell. */
function untitled(report: Report): Report {
  return { ...report, title: report.title.replace(/^cell \d+: /, "") };
}
