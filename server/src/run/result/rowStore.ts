import type { Clock } from "../../base/ports.ts";
import type { RowsParams, RowsResult } from "../../protocol/runs.ts";
import { profileOf } from "../../report/flame.ts";
import type { CellOutput, FlameSection, Report, Section, TableSection } from "../../report/report.ts";
import type { NamedProfile } from "../../report/speedscope.ts";
import { tableSource } from "../../report/table.ts";
import { type SearchedTexts, StoredTable } from "./storedTable.ts";

/** Bytes of the answers behind all stored rows; the newest output is stored whatever its size. */
const maxBytes = 256_000_000;
/** Outputs whose rows are stored. */
const maxOutputs = 500;

/** The answers behind the rows of an output. */
export interface KeptRows {
  /** In bytes. */
  readonly size: number;
  /** A request failed, and these are the rows that had come. */
  readonly isPartial?: boolean;
}

/** The tables of one output. */
interface StoredTables extends KeptRows {
  readonly uri: string;
  readonly key: string;
  /** Tables and their kinds by their `rest`. A function makes the table of a kind when it is needed. */
  readonly tables: Map<string, StoredTable | (() => StoredTable | undefined)>;
  /** Traces by the `rest` of their flame graphs. */
  readonly profiles: Map<string, () => NamedProfile | undefined>;
}

/** All rows of the tables in outputs, for as long as a person may look at them. */
export class RowStore {
  readonly #clock: Clock;
  /** By id, the oldest first. */
  readonly #stored = new Map<string, StoredTables>();
  readonly #searched: SearchedTexts = { table: undefined, texts: [] };
  #lastId = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Returns the output with the tables marked that have more rows. Replaces what was stored of the same cell.
   */
  keep(uri: string, key: string, output: CellOutput, rows: KeptRows): CellOutput {
    if (this.#stored.size > 0) this.#remove((one) => one.uri === uri && one.key === key);
    return new MarkedOutput(output, (reports) => this.#mark(uri, key, rows, reports));
  }
  /** Returns one page. A search that takes long ends without rows when the signal aborts. */
  async page({ rest, ...params }: RowsParams, signal: AbortSignal): Promise<RowsResult> {
    return (await this.table(rest)?.page(params, signal)) ?? null;
  }
  /** @param rest - Of a table, or of one of its kinds. */
  table(rest: string): StoredTable | undefined {
    const tables = this.#stored.get(rest.split(".")[0] ?? "")?.tables;
    const stored = tables?.get(rest);
    const table = typeof stored === "function" ? stored() : stored;
    if (table && table !== stored) tables?.set(rest, table);
    return table;
  }
  /** @param rest - Of a flame graph. */
  profile(rest: string): NamedProfile | undefined {
    return this.#stored.get(rest.split(".")[0] ?? "")?.profiles.get(rest)?.();
  }
  /** Whether the request of a table failed after some of its rows. */
  isPartial(rest: string): boolean {
    return this.#stored.get(rest.split(".")[0] ?? "")?.isPartial ?? false;
  }
  forget(uri: string): void {
    this.#remove((one) => one.uri === uri);
  }

  #mark(uri: string, key: string, rows: KeptRows, reports: readonly Report[]): readonly Report[] {
    const kept: StoredTables = { ...rows, uri, key, tables: new Map(), profiles: new Map() };
    const id = String(++this.#lastId);
    const result = reports.map((report) => ({
      ...report,
      sections: report.sections.map((section) => {
        if (section.kind === "table") return this.#marked(section, id, kept);
        return section.kind === "flame" ? markedFlame(section, report.title, id, kept) : section;
      }),
    }));
    if (kept.tables.size + kept.profiles.size > 0) this.#stored.set(id, kept);
    this.#removeOldest();
    return result;
  }
  /** Stores the rows of a table, and prepares those that the output contains for a screen. */
  #marked(section: TableSection, id: string, { tables }: StoredTables): Section {
    const source = tableSource(section);
    if (!source) return section;
    const table = new StoredTable(section, source, this.#clock, this.#searched);
    const rows = section.rows.map((_, index) => table.row(index));
    if (section.total < 2) return { ...section, columns: table.columns, rows };
    const rest = `${id}.${tables.size}`;
    tables.set(rest, table);
    const kinds = source.kinds.map(({ name, count, table: made }) => {
      const key = `${id}.${tables.size}`;
      tables.set(key, () => {
        const part = made();
        const of = tableSource(part);
        return of && new StoredTable(part, of, this.#clock, this.#searched);
      });
      return { name, count, rest: key };
    });
    return { ...section, columns: table.columns, rows, rest, ...(kinds.length > 1 && { kinds }) };
  }
  #removeOldest(): void {
    let bytes = 0;
    for (const { size } of this.#stored.values()) bytes += size;
    for (const [id, { size }] of this.#stored) {
      if ((bytes <= maxBytes && this.#stored.size <= maxOutputs) || this.#stored.size === 1) return;
      this.#stored.delete(id);
      bytes -= size;
    }
  }
  #remove(matches: (tables: StoredTables) => boolean): void {
    for (const [id, tables] of this.#stored) if (matches(tables)) this.#stored.delete(id);
    Object.assign(this.#searched, { table: undefined, texts: [] });
  }
}

/** Stores the calls of a flame graph. */
function markedFlame(section: FlameSection, title: string, id: string, { profiles }: StoredTables): FlameSection {
  const rest = `${id}.calls${profiles.size}`;
  profiles.set(rest, () => {
    const profile = profileOf(section);
    return profile && { ...profile, title };
  });
  return { ...section, rest };
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
