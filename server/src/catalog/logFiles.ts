/** Files that logs are saved in, by the end of their names. */
export const logFileForms = ["csv", "ndjson", "parquet"] as const;
export type LogFileForm = (typeof logFileForms)[number];

/** @returns `undefined` for a name that ends in none of them. */
export function logFileForm(name: string): LogFileForm | undefined {
  return logFileForms.find((form) => name.toLowerCase().endsWith(`.${form}`));
}
