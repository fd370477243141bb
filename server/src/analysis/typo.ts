/**
 * Whether two names differ by one typing mistake: one letter too many, too few or wrong, two swapped, or the case.
 *
 * @example isTypo("eth_getBalanc", "eth_getBalance"); //=> true
 */
export function isTypo(typed: string, name: string): boolean {
  if (Math.abs(typed.length - name.length) > 1) return false;
  const a = typed.toLowerCase();
  const b = name.toLowerCase();
  let head = 0;
  while (head < Math.min(a.length, b.length) && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < Math.min(a.length, b.length) - head && a.at(-1 - tail) === b.at(-1 - tail)) tail++;
  const restA = a.slice(head, a.length - tail);
  const restB = b.slice(head, b.length - tail);
  if (restA.length <= 1 && restB.length <= 1) return typed !== name;
  return restA.length === 2 && restA === `${restB[1]}${restB[0]}` && restB.length === 2;
}
