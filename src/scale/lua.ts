/** Marks a script that Redis runs: each is atomic. */
export const lua = String.raw;
