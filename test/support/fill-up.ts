/**
 * Writes the largest filler that there is room for, to the last hundred bytes, and answers its size;
 * `fill` answers with the status.
 */
export async function fillUp(
  fill: (bytes: number) => Promise<number>,
  quota: number,
): Promise<number> {
  let [fits, tooMuch] = [0, quota];
  while (tooMuch - fits > 100) {
    const middle = Math.ceil((fits + tooMuch) / 2);
    if ((await fill(middle)) === 413) tooMuch = middle;
    else fits = middle;
  }
  return fits;
}
