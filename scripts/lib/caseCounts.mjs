/** Cases by the title of their test, since they were last taken. @type {Map<string, number>} */
const counts = new Map();
let current = "";

/** @param {string} title */
export function beginTest(title) {
  current = title;
}

/** Adds to the number of cases that the running test tries. @param {number} cases */
export function countCases(cases) {
  if (current !== "") counts.set(current, (counts.get(current) ?? 0) + cases);
}

/** @returns {readonly (readonly [title: string, cases: number])[]} */
export function takeCases() {
  const taken = [...counts];
  counts.clear();
  return taken;
}
