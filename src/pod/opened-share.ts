import { RecentMemory } from './recent-memory.js';

/** What one share of an inbox says, once its values have been opened. */
export type OpenedShare = {
  /** Values that were opened for it. */
  values: number;
} & (
  | {
      /** Canonical. */
      url: string;
      /** Its id is the one the app computes from the address it carries. */
      genuine: boolean;
      /** Null when it was not wanted, so that they stayed sealed. */
      keys: Buffer[] | null;
      /** Null when nobody asked. */
      modes: string[] | null;
    }
  | {
      id: string;
      /** Words that go after the entry's name. */
      problem: string;
    }
);

const MOST_REMEMBERED = 100_000;

/** What has been opened, by the name of the entry: the same text says the same for ever. */
export type OpenedShares = RecentMemory<OpenedShare>;

export function createOpenedShares(): OpenedShares {
  return new RecentMemory(MOST_REMEMBERED);
}
