export interface Counts {
  readonly passed: number;
  readonly failed: number;
}
export function countLine(counts: Counts): string;
export function testCounts(output: string): Counts | undefined;
