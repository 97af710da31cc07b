import { afterEach, expect, onTestFinished, test } from 'vitest';
import { runAnalysis } from '../../src/client/run-analysis.js';
import { startAnalyserService } from '../support/analyser-service.js';
import { record, weekly } from '../support/contributor.js';
import { type FaultRule, type ProxiedServer, startProxiedServer } from '../support/fault-proxy.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';

/** The whole way, by a login that knows nothing of a server that takes changes in one way only. */
let server: ProxiedServer;
const open: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

async function start() {
  server = await startProxiedServer();
  open.push({ close: () => server.stop() });
  const analyserPod = await createInitialisedPod(server);
  const alice = await createInitialisedPod(server);
  open.push(analyserPod, alice);
  await record(alice, weekly([120, 80, 60], [130, 84, 66]));
  const service = await startAnalyserService(server, analyserPod);
  open.push({ close: () => service.stop() });
  return { alice, service };
}

const answer = (status: number) => ({ kind: 'answer', status }) as const;
const ofType =
  (...types: string[]): FaultRule['when'] =>
  ({ method, headers }) =>
    method === 'PATCH' && types.includes(headers['content-type'] ?? '');
const unconditional: FaultRule['when'] = ({ method, headers }) =>
  (method === 'PUT' || method === 'PATCH') &&
  headers['if-match'] === undefined &&
  headers['if-none-match'] === undefined;

async function analyse(
  alice: InitialisedPod,
  service: { analyser: Parameters<typeof runAnalysis>[1] },
) {
  return await runAnalysis(alice, service.analyser, {});
}

test.each([
  ['takes N3 Patch alone', ofType('application/sparql-update'), 415],
  ['wants a condition for every change', unconditional, 428],
] as const)('a server that %s serves an analysis like any other', async (_what, when, status) => {
  const { alice, service } = await start();
  server.proxy.inject({ when, fault: answer(status) });
  for (let round = 1; round <= 2; round++) {
    expect(await analyse(alice, service)).toMatchObject({
      kind: 'completed',
      reply: { published: true, message: '' },
      result: { average: { systolic: 125 } },
    });
  }
  onTestFinished(() => server.proxy.heal());
});

test('where no PATCH is taken, results are handed over all the same', async () => {
  const { alice, service } = await start();
  expect(await analyse(alice, service)).toMatchObject({ kind: 'completed' });
  server.proxy.inject({
    when: ofType('application/sparql-update', 'text/n3'),
    fault: answer(405),
  });
  const outcome = await analyse(alice, service);
  expect(outcome).toMatchObject({ kind: 'completed', reply: { published: true } });
});
