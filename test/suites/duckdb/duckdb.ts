import { createRequire } from "node:module";

/** The part of `@duckdb/node-api` that is used here. */
interface DuckDb {
  readonly DuckDBConnection: {
    create(): Promise<{ runAndReadAll(sql: string): Promise<{ getRowObjects(): Record<string, unknown>[] }> }>;
  };
}

/** Runs a query over files. Only a thorough run has the engine. */
export async function query(sql: string): Promise<readonly Record<string, unknown>[]> {
  const { DuckDBConnection }: DuckDb = createRequire(import.meta.url)("@duckdb/node-api");
  const connection = await DuckDBConnection.create();
  return (await connection.runAndReadAll(sql)).getRowObjects();
}
