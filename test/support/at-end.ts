const ends: (() => Promise<void>)[] = [];

/** For what a helper opens: it goes after the tests of the file, the latest first. Returns what lets it go earlier, once. */
export function atEnd(end: () => unknown): () => Promise<void> {
  let ending: Promise<unknown> | undefined;
  const once = async () => {
    ending ??= Promise.resolve(end());
    await ending;
  };
  ends.push(once);
  return once;
}

export async function endAll(): Promise<void> {
  for (const end of ends.splice(0).reverse()) await end();
}
