import { createServer, type RequestListener } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { createSolidClient } from '../../src/solid/http-solid-client.js';
import { atEnd } from '../support/at-end.js';
import { createContributor, plantKey, weekly } from '../support/contributor.js';
import { startProxiedServer } from '../support/fault-proxy.js';
import { createInitialisedPod } from '../support/initialised-pod.js';
import { serveUntilEnd } from '../support/listen.js';
import { figuresOnly, withTestRuns } from '../support/test-runs.js';

/** So many readings of 100 + n, one after the other. */
const readings = (count: number, first: number) =>
  weekly(
    ...Array.from({ length: count }, (_, n): [number, number, number] => [first + (n % 5), 80, 60]),
  );

const site = await startProxiedServer();
const analyser = await createInitialisedPod(site);
const caller = await createContributor(site, analyser, readings(30, 118));
await createContributor(site, analyser, readings(50, 128));

afterEach(() => site.proxy.heal());

test('behind a limit of ten requests a second every file is read and the result arrives', async () => {
  const taken: number[] = [];
  const refused = site.proxy.inject({
    when: () => {
      const now = performance.now();
      if (taken.filter((time) => time > now - 1000).length >= 10) return true;
      taken.push(now);
      return false;
    },
    fault: { kind: 'answer', status: 429, headers: { 'retry-after': '1' } },
  });
  await withTestRuns(site, analyser, {}, async (runs) => {
    const report = await runs.ask(caller);
    expect(report).toMatchObject({ status: 'COMPLETED', published: true, pod_count: 2 });
    expect(report).toMatchObject({ files_read: 30, files_skipped: 0 });
  });
  expect(refused.hits).toBeGreaterThan(0);
}, 120_000);

/** In how many ways a server can keep its answers to itself. */
const withoutAnswers: Record<string, RequestListener> = {
  hangs: () => undefined,
  trickles: (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/turtle' });
    const timer = setInterval(() => response.write('#'), 500);
    response.once('close', () => clearInterval(timer));
  },
  'wants to be left alone for ten minutes': (_request, response) =>
    void response.writeHead(429, { 'retry-after': '600' }).end(),
};

test('servers of data.allowed_origins that give no answers cost nobody else their result', async () => {
  const asked = new Map<string, number>();
  const origins = await Promise.all(
    Object.entries(withoutAnswers).map(([name, answer]) =>
      serveUntilEnd(
        createServer((request, response) => {
          asked.set(name, (asked.get(name) ?? 0) + 1);
          answer(request, response);
        }),
      ),
    ),
  );
  const stranger = await createInitialisedPod(site);
  for (const origin of origins) {
    const folder = `${origin}/zoe/app/data/blood_pressure/`;
    const files = Array.from({ length: 12 }, (_, n) => `${folder}bp_${n}.json.enc.ttl`);
    for (const url of [...files, folder]) await plantKey(stranger, analyser, url);
  }
  const client = createSolidClient({
    serverUrl: site.baseUrl,
    allowedOrigins: origins,
    credentials: analyser.account,
  });
  atEnd(() => client.close());
  await withTestRuns(
    site,
    analyser,
    { ...figuresOnly, data: { allowed_origins: origins } },
    async (runs) => {
      const run = async () => {
        const { document } = await runs.run({ caller: caller.pod.webId });
        expect(document.cohort.pod_count).toBe(2);
        for (const origin of origins) {
          const warnings = document.warnings.filter((one) => one.includes(origin));
          expect(warnings.length, origin).toBeGreaterThan(0);
        }
      };
      await run();
      const first = new Map(asked);
      expect([...first.keys()].sort()).toEqual(Object.keys(withoutAnswers).sort());
      await run();
      // A server that wants to be left alone is asked once by the next analysis.
      const busy = 'wants to be left alone for ten minutes';
      expect(asked.get(busy)).toBe((first.get(busy) ?? 0) + 1);
      expect(asked.get('hangs')).toBeGreaterThan(first.get('hangs') ?? 0);
    },
    { client, timeoutSeconds: 20 },
  );
}, 120_000);
