import { loadKeysOfAddresses } from "../abi/address.ts";
import { type Mask, openMask } from "../base/mask.ts";
import type { Clock } from "../base/ports.ts";
import { htmlPage, type PageCell } from "../convert/htmlPage.ts";
import { literalSecrets } from "../convert/secretRemover.ts";
import type { ExportPageParams } from "../protocol/conversion.ts";
import type { Report, Section } from "../report/report.ts";
import type { RowStore } from "../run/result/rowStore.ts";

/** Rows in a page: of one table, and of all together. */
const maxRows = { ofTable: 2000, ofPage: 20_000 };

interface PageSupport {
  readonly rowStore: RowStore;
  readonly mask: Mask;
  readonly clock: Clock;
  readonly version?: string | undefined;
}

/** Writes a notebook with its results as one HTML page. Hides values of the host, and keys that are written in cells. */
export async function exportPage(
  { title, cells, script }: ExportPageParams,
  { rowStore, mask, clock, version }: PageSupport,
): Promise<string> {
  const rows = new PageRows(rowStore);
  await Promise.all(cells.map(({ text }) => loadKeysOfAddresses(text)));
  const literals = openMask();
  for (const value of literalSecrets(cells)) literals.add(value, "‹hidden›");
  const shown = cells.map((cell) =>
    hiddenCell({ ...cell, reports: cell.reports.map((one) => rows.fill(one)) }, [mask, literals]),
  );
  return htmlPage({
    title: literals.text(mask.text(title)),
    cells: shown,
    missingRows: rows.missing,
    exportedAt: clock.date(),
    version,
    script,
  });
}

function hiddenCell({ kind, text, reports }: PageCell, masks: readonly Mask[]): PageCell {
  return {
    kind,
    text: masks.reduce((rest, mask) => mask.text(rest), text),
    reports: masks.reduce((rest, mask) => mask.own(rest), reports),
  };
}

/** Puts the stored rows into tables, which no server answers for in a page. */
class PageRows {
  missing = 0;
  readonly #store: RowStore;
  #left = maxRows.ofPage;

  constructor(store: RowStore) {
    this.#store = store;
  }

  /** Leaves out what only an editor can do. */
  fill({ live: _live, ...report }: Report): Report {
    return { ...report, sections: report.sections.map((section) => this.#filled(section)) };
  }

  #filled(section: Section): Section {
    if (section.kind !== "table") return section;
    const { rest, kinds: _kinds, ...table } = section;
    const stored = rest === undefined ? undefined : this.#store.table(rest);
    const most = Math.min(section.total, maxRows.ofTable, Math.max(this.#left, section.rows.length));
    const rows = [...table.rows];
    while (stored && rows.length < most) rows.push(stored.row(rows.length));
    this.#left -= rows.length;
    this.missing += section.total - rows.length;
    return { ...table, rows };
  }
}
