/** One way in which an address is written, and the keys that were handed over under it. */
export interface Spelling {
  address: string;
  keys: readonly Buffer[];
}
