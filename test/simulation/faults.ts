import { ServerError } from '../../src/base/errors.js';
import type { Exchange } from '../../src/solid/requests/transport.js';
import type { SolidAnswer } from '../../src/solid/solid-client.js';
import { wait } from '../support/wait.js';
import { type Fault, type Target, targets } from './plan.js';

/** Tells for each request of an analysis which fault meets it. */
export function faultsOf(faults: readonly Fault[]) {
  const tries = new Map<string, number>();
  return (request: string): Fault | undefined => {
    const distinct = [...tries.keys()];
    const before = tries.get(request) ?? 0;
    const number = before === 0 ? distinct.length : distinct.indexOf(request);
    const isAt = ({ at, times }: Fault) => {
      if (before >= times) return false;
      if (typeof at === 'number') return at === number;
      const ofKind = [...distinct, request].filter((one) => targets[at.target].test(one));
      const isMeant = targets[at.target].test(request);
      return isMeant && (meetsAll(at.target) || ofKind.indexOf(request) === at.who);
    };
    const fault = faults.find(isAt);
    tries.set(request, before + 1);
    return fault;
  };
}

/** Of some kinds it meets every request: there is one in an analysis, or a whole server is meant. */
function meetsAll(target: Target): boolean {
  return ['the memory', 'the inbox', 'the key of a document', 'another server'].includes(target);
}

/** What a request meets instead of the server. */
export async function meet(
  { kind }: Fault,
  { method, url, signal }: Exchange,
  serve: () => SolidAnswer,
): Promise<SolidAnswer> {
  const answer = (status: number, headers = {}, body = ''): SolidAnswer => ({
    status,
    headers,
    body: Buffer.from(body),
    url,
  });
  const lost = () => new ServerError('unreachable', `${url} could not be reached.`, { url });
  switch (kind) {
    case 'lost after':
      serve();
      throw lost();
    case 'lost':
      throw lost();
    case 'slow after':
    case 'slow':
      if (kind === 'slow after') serve();
      await wait(20_000, signal);
      throw new ServerError('slow', `${url} did not answer in time.`, { url });
    case '503':
      return answer(503, { 'retry-after': '1' });
    case 'page':
      // A write that is answered with success and not made is nothing that anybody could notice.
      if (method !== 'GET' || url.endsWith('/memory.txt')) throw lost();
      return answer(200, { 'content-type': 'text/html' }, '<html>Please log in</html>');
    case '500':
    case '429':
    case '403':
    case '404':
    case '401':
    case '507':
      return answer(Number(kind));
  }
}
