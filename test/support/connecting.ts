import { ServerError } from '../../src/base/errors.js';
import type { Pauses, ReadinessState } from '../../src/service/readiness.js';
import { noLog } from './no-log.js';

export const own = {
  webIds: ['https://pods.example/analyser/profile/card#me'],
  serverUrl: 'https://pods.example/',
};
export const away = new ServerError('unreachable', 'away', { url: own.serverUrl });
export const nothing = () => Promise.resolve();
export const ready: ReadinessState = { ready: true, reason: '' };
/** No second attempt while a test goes on. */
export const later: Pauses = { firstMs: 60_000 };

interface Connection {
  name: string;
  close: () => Promise<void>;
}

/** For a readiness that connects as the test says; with what it has told and closed. */
export function connecting(
  connect: (limit: AbortSignal) => Promise<void>,
  { probe = nothing, pauses = {} }: { probe?: () => Promise<void>; pauses?: Pauses } = {},
) {
  let tries = 0;
  const told: ReadinessState[] = [];
  const closed: string[] = [];
  const connector = {
    async connect(limit: AbortSignal): Promise<Connection> {
      tries += 1;
      const name = `connection ${tries}`;
      await connect(limit);
      return { name, close: () => Promise.resolve(void closed.push(name)) };
    },
    probe,
  };
  const onChange = (state: ReadinessState) => void told.push(state);
  return {
    connector,
    options: { log: noLog, own, onChange, pauses },
    tried: () => tries,
    told,
    closed,
  };
}
