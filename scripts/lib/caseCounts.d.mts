export function beginTest(title: string): void;
export function countCases(cases: number): void;
export function takeCases(): readonly (readonly [title: string, cases: number])[];
