import { MINUTE_MS } from './utc-time.js';

/** A warning that strangers can cause often: the first is told at once, then once a minute the last, with a count. */
export class RareWarning<Fields extends object> {
  #latest: Fields | null = null;
  #count = 0;
  #isSilent = false;

  constructor(private readonly tell: (fields: Fields & { times: number }) => void) {}

  note(fields: Fields): void {
    this.#latest = fields;
    this.#count += 1;
    if (!this.#isSilent) this.#tellLatest(fields);
  }

  #tellLatest(fields: Fields): void {
    this.tell({ ...fields, times: this.#count });
    this.#latest = null;
    this.#count = 0;
    this.#isSilent = true;
    setTimeout(() => {
      this.#isSilent = false;
      if (this.#latest !== null) this.#tellLatest(this.#latest);
    }, MINUTE_MS).unref();
  }
}
