import type { Clock } from "../base/ports.ts";
import type { RowsParams, RowsResult } from "../protocol/runs.ts";
import type { CellOutput } from "../report/cellOutput.ts";
import type { Report, Section } from "../report/report.ts";
import { rowsBeyond } from "../report/table.ts";

/** The rows that outputs leave out, for as long as someone may scroll to them. */
export interface RowStore {
  /**
   * The output with its tables marked that have more rows. What was kept of the same cell goes.
   *
   * @param size - Bytes of the answers behind it.
   */
  keep(uri: string, key: string, output: CellOutput, size: number): CellOutput;
  /** One page. A search that takes long ends with what it has when the signal aborts. */
  page(params: RowsParams, signal: AbortSignal): Promise<RowsResult>;
  forget(uri: string): void;
}

/** Rows of one page at most. */
const maxPage = 1000;
/** Bytes of answers behind the rows that are kept; the newest output stays, however large. */
const maxBytes = 256_000_000;
/** Characters of a filter that count. */
const maxFilter = 200;
/** Milliseconds after which a search lets others in. */
const turn = 10;

interface StoredTable {
  readonly uri: string;
  readonly key: string;
  readonly size: number;
  readonly rows: ReadonlyMap<string, RowAt>;
  readonly totals: ReadonlyMap<string, number>;
}

type RowAt = NonNullable<ReturnType<typeof rowsBeyond>>;

export function openRowStore(clock: Clock): RowStore {
  /** By number, the oldest first. */
  const all = new Map<string, StoredTable>();
  let last = 0;

  const makeRoom = (): void => {
    let bytes = 0;
    for (const { size } of all.values()) bytes += size;
    for (const [id, { size }] of all) {
      if (bytes <= maxBytes || all.size === 1) return;
      all.delete(id);
      bytes -= size;
    }
  };
  const drop = (isGone: (kept: StoredTable) => boolean): void => {
    for (const [id, kept] of all) if (isGone(kept)) all.delete(id);
  };
  const marked = (uri: string, key: string, size: number, reports: readonly Report[]): readonly Report[] => {
    const rows = new Map<string, RowAt>();
    const totals = new Map<string, number>();
    const id = String(++last);
    const mark = (section: Section): Section => {
      const beyond = section.kind === "table" ? rowsBeyond(section) : undefined;
      if (section.kind !== "table" || !beyond) return section;
      const rest = `${id}.${rows.size}`;
      rows.set(rest, beyond);
      totals.set(rest, section.total);
      return { ...section, rest };
    };
    const result = reports.map((report) => ({ ...report, sections: report.sections.map(mark) }));
    if (rows.size > 0) all.set(id, { uri, key, size, rows, totals });
    makeRoom();
    return result;
  };

  return {
    keep(uri, key, output, size) {
      if (all.size > 0) drop((kept) => kept.uri === uri && kept.key === key);
      return new MarkedOutput(output, (reports) => marked(uri, key, size, reports));
    },
    async page({ rest, from, count, filter = "" }, signal) {
      const kept = all.get(rest.split(".")[0] ?? "");
      const rowAt = kept?.rows.get(rest);
      const total = kept?.totals.get(rest) ?? 0;
      if (!rowAt) return null;
      const wanted = filter.slice(0, maxFilter).trim().toLowerCase();
      const most = count >= 1 ? Math.min(count, maxPage) : 1;
      const rows: ReturnType<RowAt>[] = [];
      let index = Math.max(0, Math.trunc(from));
      for (let since = clock.now(); index < total && rows.length < most && !signal.aborted; index++) {
        const row = rowAt(index);
        if (wanted === "" || holds(row, wanted)) rows.push(row);
        if (clock.now() - since < turn) continue;
        await clock.sleep(0, signal);
        since = clock.now();
      }
      return { rows, next: index < total ? index : null };
    },
    forget: (uri) => drop((kept) => kept.uri === uri),
  };
}

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

function holds(row: ReturnType<RowAt>, wanted: string): boolean {
  return row.some(
    ({ text, raw }) => text.toLowerCase().includes(wanted) || raw?.toLowerCase().includes(wanted) === true,
  );
}
