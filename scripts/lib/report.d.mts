export interface Counts {
  readonly passed: number;
  readonly failed: number;
}
export function countLine(counts: Counts): string;
export function testCounts(output: string): Counts | undefined;
export function failedLine(file: string, title: string): string;
export function failedTests(output: string): readonly string[];
export function durationLine(file: string, ms: number): string;
export function durations(output: string): readonly (readonly [file: string, ms: number])[];
export function progressLine(done: number, all: number, unit: string): string;
export function progress(output: string): string | undefined;
