/**
 * Returns the member that a node may read for a name: nodes written in Go ignore case, also of letters that fold to one.
 *
 * @see https://pkg.go.dev/encoding/json#Unmarshal
 */
export function memberRead(name: string): string {
  return name.toUpperCase().toLowerCase(); // `ſ` is an `s` in upper case
}
