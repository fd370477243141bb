/**
 * Returns one member of each item.
 *
 * @example pluck([{ code: 1 }, { code: 2 }], "code"); //=> [1, 2]
 */
export function pluck<Item, Key extends keyof Item>(items: readonly Item[], key: Key): readonly Item[Key][] {
  return items.map((item) => item[key]);
}
