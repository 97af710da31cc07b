import { once } from 'node:events';
import { expect, test } from 'vitest';
import { startAnalyserService } from '../support/analyser-service.js';
import { createContributor, weekly } from '../support/contributor.js';
import { createInitialisedPod } from '../support/initialised-pod.js';
import { collectOwn } from '../support/published.js';
import { sharedSolidServer } from '../support/solid-server.js';
import { analyseMessage, GrpcAttacker } from './grpc-attacker.js';

const LOOPS = 60;

const server = sharedSolidServer();
const analyser = await createInitialisedPod(server);
const alice = await createContributor(server, analyser, weekly([120, 80, 60]));
const service = await startAnalyserService(server, analyser, {
  grpc: { max_queued: 20 },
});

/** Calls at once when the call before has ended in whatever way; tells how many have ended. */
async function callWithoutEnd(
  attacker: GrpcAttacker,
  nextWebId: () => string,
  enough: { readonly signal: AbortSignal; readonly told: Promise<unknown> },
): Promise<number> {
  let ended = 0;
  let session = attacker.session('127.0.0.2');
  while (!enough.signal.aborted) {
    if (session.closed || session.destroyed) session = attacker.session('127.0.0.2');
    const call = attacker.openCall(session);
    const closed = new Promise((resolve) => call.once('close', resolve));
    call.end(analyseMessage(nextWebId()));
    await Promise.race([closed, enough.told]);
    ended += 1;
  }
  return ended;
}

let invented = 0;
const serverUrl = () => sharedSolidServer().baseUrl;

test.each([
  ['names that do not exist', () => `${serverUrl()}nobody-${(invented += 1)}/profile/card#me`],
  ['the name of whoever else calls', () => alice.pod.webId],
])(
  '[T12] one address that calls without end in %s keeps nobody from a result',
  async (_, nextWebId) => {
    await expect.poll(async () => (await service.client.status())['ready']).toBe(true);
    using attacker = new GrpcAttacker(service.port);
    const stop = new AbortController();
    const enough = { signal: stop.signal, told: once(stop.signal, 'abort') };
    const loops = Array.from({ length: LOOPS }, () => callWithoutEnd(attacker, nextWebId, enough));
    try {
      for (let call = 0; call < 3; call += 1) {
        const reply = await service.client.analyse(alice.pod.webId);
        expect(reply).toMatchObject({ status: 'ANALYSE_STATUS_COMPLETED', published: true });
        expect((await collectOwn(analyser, alice)).generated_at).toBe(reply['generated_at']);
      }
    } finally {
      // Or they would call on through the next test.
      stop.abort();
    }
    const ended = (await Promise.all(loops)).reduce((sum, one) => sum + one, 0);
    // More than the queue holds, so that it was full all the time.
    expect(ended).toBeGreaterThan(3 * LOOPS);
  },
  180_000,
);
