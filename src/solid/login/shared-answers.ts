import { ServerError } from '../../base/errors.js';

interface Answer<T> {
  outcome: Promise<T>;
  /** Infinity until it is there. */
  until: number;
  waiting: number;
}

export interface SharedAnswersOptions<T> {
  /** How long an answer is good. */
  freshMs: (answer: T) => number;
  /** How many may wait for one answer. */
  waitingForOne: number;
  now: () => number;
}

/** Who asks again for what failed has to wait, so that nobody keeps the service busy with it. */
const FAILURE_MS = 5_000;
const WAITING_FOR_ALL = 40;
const MOST_REMEMBERED = 10_000;

/**
 * Asks each question once for all who have it, and remembers the answer, also a failure. A question
 * that nobody answers is waited for by a few and refused to the others, so it holds up nobody else.
 */
export class SharedAnswers<T> {
  readonly #answers = new Map<string, Answer<T>>();
  #waiting = 0;

  constructor(private readonly options: SharedAnswersOptions<T>) {}

  /** `url` is what is asked. */
  async get(url: string, ask: () => Promise<T>, id = url): Promise<T> {
    const known = this.#known(id);
    if (known !== undefined && known.until < Infinity) return await known.outcome;
    const waiting = known?.waiting ?? 0;
    if (waiting >= this.options.waitingForOne || this.#waiting >= WAITING_FOR_ALL) {
      throw tooMany(url);
    }
    const answer = known ?? this.#ask(ask, id);
    answer.waiting += 1;
    this.#waiting += 1;
    try {
      return await answer.outcome;
    } finally {
      answer.waiting -= 1;
      this.#waiting -= 1;
    }
  }

  /** The next to ask does not get what is remembered. */
  forget(id: string): void {
    if (this.#known(id)?.until !== Infinity) this.#answers.delete(id);
  }

  #known(id: string): Answer<T> | undefined {
    const known = this.#answers.get(id);
    return known !== undefined && known.until > this.options.now() ? known : undefined;
  }

  #ask(ask: () => Promise<T>, id: string): Answer<T> {
    const { freshMs, now } = this.options;
    const answer: Answer<T> = { outcome: ask(), until: Infinity, waiting: 0 };
    this.#answers.delete(id);
    this.#answers.set(id, answer);
    const [oldest] = this.#answers.keys();
    if (this.#answers.size > MOST_REMEMBERED && oldest !== undefined) this.#answers.delete(oldest);
    answer.outcome.then(
      (value) => {
        answer.until = now() + freshMs(value);
      },
      () => {
        answer.until = now() + FAILURE_MS;
      },
    );
    return answer;
  }
}

function tooMany(url: string): ServerError {
  const message = `Too many calls wait for an answer about ${url} already; try again later.`;
  return new ServerError('unavailable', message, { url });
}
