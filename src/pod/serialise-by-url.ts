const last = new Map<string, Promise<unknown>>();

/**
 * Lets tasks of this process that change one document run one after the other. Changes by other
 * processes show in the document's ETag.
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
