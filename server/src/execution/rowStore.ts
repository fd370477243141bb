import type { Clock } from "../base/ports.ts";
import type { RowsParams, RowsResult } from "../protocol/runs.ts";
import type { CellOutput } from "../report/cellOutput.ts";
import type { Report, Section } from "../report/report.ts";
import { rowFilter, rowsBeyond } from "../report/table.ts";

/** Rows of one page. */
const maxPageRows = 1000;
/** Bytes of the answers behind all stored rows; the newest output is stored whatever its size. */
const maxBytes = 256_000_000;
/** Milliseconds after which a search lets other work run. */
const maxSearchTurnMs = 10;

/** The tables of one output. */
interface StoredTables {
  readonly uri: string;
  readonly key: string;
  /** Bytes of the answers behind them. */
  readonly size: number;
  /** By the `rest` of a table. */
  readonly rows: ReadonlyMap<string, RowAt>;
  readonly totals: ReadonlyMap<string, number>;
}

type RowAt = NonNullable<ReturnType<typeof rowsBeyond>>;

/** The rows that outputs leave out, for as long as a person may scroll to them. */
export class RowStore {
  readonly #clock: Clock;
  /** By id, the oldest first. */
  readonly #stored = new Map<string, StoredTables>();
  #lastId = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Returns the output with the tables marked that have more rows. Replaces what was stored of the same cell.
   *
   * @param size - Bytes of the answers behind it.
   */
  keep(uri: string, key: string, output: CellOutput, size: number): CellOutput {
    if (this.#stored.size > 0) this.#remove((one) => one.uri === uri && one.key === key);
    return new MarkedOutput(output, (reports) => this.#mark(uri, key, size, reports));
  }
  /** Returns one page. A search that takes long ends with what it has when the signal aborts. */
  async page({ rest, from, count, filter = "" }: RowsParams, signal: AbortSignal): Promise<RowsResult> {
    const tables = this.#stored.get(rest.split(".")[0] ?? "");
    const rowAt = tables?.rows.get(rest);
    const total = tables?.totals.get(rest) ?? 0;
    if (!rowAt) return null;
    const matches = rowFilter(filter);
    const maxRows = count >= 1 ? Math.min(count, maxPageRows) : 1;
    const rows: ReturnType<RowAt>[] = [];
    let index = Math.max(0, Math.trunc(from));
    for (let since = this.#clock.now(); index < total && rows.length < maxRows && !signal.aborted; index++) {
      const row = rowAt(index);
      if (!matches || matches(row)) rows.push(row);
      if (this.#clock.now() - since < maxSearchTurnMs) continue;
      await this.#clock.sleep(0, signal);
      since = this.#clock.now();
    }
    return { rows, next: index < total ? index : null };
  }
  forget(uri: string): void {
    this.#remove((one) => one.uri === uri);
  }

  #mark(uri: string, key: string, size: number, reports: readonly Report[]): readonly Report[] {
    const rows = new Map<string, RowAt>();
    const totals = new Map<string, number>();
    const id = String(++this.#lastId);
    const marked = (section: Section): Section => {
      const beyond = section.kind === "table" ? rowsBeyond(section) : undefined;
      if (section.kind !== "table" || !beyond) return section;
      const rest = `${id}.${rows.size}`;
      rows.set(rest, beyond);
      totals.set(rest, section.total);
      return { ...section, rest };
    };
    const result = reports.map((report) => ({ ...report, sections: report.sections.map(marked) }));
    if (rows.size > 0) this.#stored.set(id, { uri, key, size, rows, totals });
    this.#removeOldest();
    return result;
  }
  #removeOldest(): void {
    let bytes = 0;
    for (const { size } of this.#stored.values()) bytes += size;
    for (const [id, { size }] of this.#stored) {
      if (bytes <= maxBytes || this.#stored.size === 1) return;
      this.#stored.delete(id);
      bytes -= size;
    }
  }
  #remove(matches: (tables: StoredTables) => boolean): void {
    for (const [id, tables] of this.#stored) if (matches(tables)) this.#stored.delete(id);
  }
}

/** An output whose tables are marked when its reports are needed. */
class MarkedOutput implements CellOutput {
  readonly ok: boolean;
  readonly startedAt: number;
  readonly durationMs: number;
  readonly #output: CellOutput;
  readonly #mark: (reports: readonly Report[]) => readonly Report[];
  #reports: readonly Report[] | undefined;

  constructor(output: CellOutput, mark: (reports: readonly Report[]) => readonly Report[]) {
    this.ok = output.ok;
    this.startedAt = output.startedAt;
    this.durationMs = output.durationMs;
    this.#output = output;
    this.#mark = mark;
  }

  get reports(): readonly Report[] {
    this.#reports ??= this.#mark(this.#output.reports);
    return this.#reports;
  }
  get text(): string {
    return this.#output.text;
  }
  get json(): string {
    return this.#output.json;
  }
}
