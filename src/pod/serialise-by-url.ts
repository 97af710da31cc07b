const last = new Map<string, Promise<unknown>>();

/**
 * Callers of this process that change one document do it one after the other; those of
 * other processes are told apart by the document's ETag.
 */
export function serialiseByUrl<T>(url: string, task: () => Promise<T>): Promise<T> {
  const before = last.get(url) ?? Promise.resolve();
  const mine = before.then(task, task);
  last.set(url, mine);
  const forget = () => {
    if (last.get(url) === mine) last.delete(url);
  };
  mine.then(forget, forget);
  return mine;
}
