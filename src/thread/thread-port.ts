import { fromWireError, toWireError, type WireError } from '../base/wire-error.js';

/** What one thread lets the other one call. */
type Offer = Record<string, (...given: never[]) => unknown>;

interface Call {
  name: string;
  given: never[];
  /** Null where no reply is wanted. */
  id: number | null;
}

interface Reply {
  id: number;
  value: never;
  error: WireError | null;
}

interface MessageEnd {
  on(event: 'message', listener: (message: Call | Reply) => void): unknown;
  postMessage(message: object): void;
}

/**
 * One end of the port between the two threads. Each offers functions, which the other calls by name:
 * `tell` wants no reply, `ask` waits for it. Calls arrive in the order in which they were made. The
 * two threads run the same version, so the compiler is all that checks what they say.
 */
export class ThreadPort<Theirs extends Offer> {
  readonly #waiting = new Map<
    number,
    { resolve: (value: never) => void; reject: (error: Error) => void }
  >();
  #lastId = 0;

  constructor(private readonly end: MessageEnd) {}

  /** From now on the other end is heard; what it said before is not lost. */
  offer(own: Offer): void {
    this.end.on('message', (message) => {
      if ('name' in message) this.#serve(own, message);
      else this.#settle(message);
    });
  }

  tell<Name extends keyof Theirs>(name: Name, ...given: Parameters<Theirs[Name]>): void {
    this.end.postMessage({ name, given, id: null });
  }

  ask<Name extends keyof Theirs>(
    name: Name,
    ...given: Parameters<Theirs[Name]>
  ): Promise<Awaited<ReturnType<Theirs[Name]>>> {
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.end.postMessage({ name, given, id });
    });
  }

  /** Fails whoever waits for a reply. */
  fail(error: Error): void {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }

  #serve(own: Offer, { name, given, id }: Call): void {
    const act = () => own[name]?.(...given);
    if (id === null) act();
    else void this.#reply(id, act);
  }

  async #reply(id: number, act: () => unknown): Promise<void> {
    try {
      this.end.postMessage({ id, value: await act(), error: null });
    } catch (error) {
      this.end.postMessage({ id, value: null, error: toWireError(error) });
    }
  }

  #settle({ id, value, error }: Reply): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error === null) waiting?.resolve(value);
    else waiting?.reject(fromWireError(error));
  }
}
