/** Tasks that take much memory each run one after the other, in the order in which they came. */
export class OneAtATime {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(task: () => Promise<T>): Promise<T> {
    const mine = this.#last.then(task, task);
    this.#last = mine.catch(() => undefined);
    return mine;
  }
}
