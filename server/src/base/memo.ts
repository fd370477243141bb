/** Makes a value when it is first asked for, and not while files are loaded: that would be part of every start. */
export function once<Value extends NonNullable<unknown>>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/**
 * Remembers what a function makes of an object, for as long as the object exists.
 *
 * @param make - Depends on nothing but the object.
 * @example const nameOf = memoByObject((cell: Cell) => parsedName(cell));
 */
export function memoByObject<Key extends object, Value extends NonNullable<unknown>>(
  make: (key: Key) => Value,
): (key: Key) => Value {
  const values = new WeakMap<Key, Value>();
  return (key) => {
    const remembered = values.get(key);
    if (remembered !== undefined) return remembered;
    const value = make(key);
    values.set(key, value);
    return value;
  };
}

/**
 * Remembers what a function makes of an object and something beside it: only the last result for each object, since
 * what is beside it changes seldom.
 *
 * @param make - Depends on nothing but the two, compared by identity.
 */
export function memoByPair<Key extends object, Beside, Value>(
  make: (key: Key, beside: Beside) => Value,
): (key: Key, beside: Beside) => Value {
  const values = new WeakMap<Key, { readonly beside: Beside; readonly value: Value }>();
  return (key, beside) => {
    const last = values.get(key);
    if (last && last.beside === beside) return last.value;
    const value = make(key, beside);
    values.set(key, { beside, value });
    return value;
  };
}

/**
 * Remembers the last result of a function.
 *
 * @param make - Depends on nothing but what it is given, which is compared with `===`.
 */
export function memoOfLast<Given extends readonly unknown[], Value>(
  make: (...given: Given) => Value,
): (...given: Given) => Value {
  let last: { readonly given: Given; readonly value: Value } | undefined;
  return (...given) => {
    if (!last?.given.every((one, at) => one === given[at])) last = { given, value: make(...given) };
    return last.value;
  };
}
