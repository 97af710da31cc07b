import { createServer, type RequestListener } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { webIdOfRoot } from '../../src/pod/addresses.js';
import { podIdOfRoot } from '../../src/pod/owner.js';
import { writeEncryptedResources } from '../../src/pod/write-resource.js';
import { askingTime } from '../../src/run/read/deadline.js';
import { readShares } from '../../src/run/read/read-shares.js';
import type { ReadTask } from '../../src/run/read/read-task.js';
import { filesOf, type Pod } from '../../src/run/table/row.js';
import type { SolidClient } from '../../src/solid/solid-client.js';
import { allowReading, createContributor, weekly } from '../support/contributor.js';
import { type ProxiedRequest, startProxiedServer } from '../support/fault-proxy.js';
import { createInitialisedPod } from '../support/initialised-pod.js';
import { serveUntilEnd } from '../support/listen.js';
import { openClient } from '../support/open-client.js';
import {
  outcomesOf,
  ownerOf,
  podToRead,
  readTask,
  type Share,
  share,
  tableOf,
} from '../support/readings-of.js';

let client: SolidClient;

const LIMIT_SECONDS = 10;

const values = (count: number) =>
  weekly(...Array.from({ length: count }, (_, n): [number, number, number] => [110 + n, 70, 60]));

/** Step 4 on a server that is slow or silent, by a proxy in front of the real one. */
const site = await startProxiedServer();
const analyser = await createInitialisedPod(site);
const [alice, bob, carol] = await Promise.all([
  createContributor(site, analyser, values(3)),
  createContributor(site, analyser, values(30)),
  createContributor(site, analyser, values(3)),
]);
// A client remembers how much a server bears.
beforeEach(() => {
  client = createClient();
});
afterEach(() => site.proxy.heal());

function createClient(allowedOrigins: string[] = []) {
  return openClient({
    serverUrl: site.baseUrl,
    allowedOrigins,
    credentials: analyser.account,
    timeouts: { answerMs: 20_000 },
    policy: { atOnce: 64, tries: 3, slowTries: 1, firstPauseMs: 1 },
  });
}

const { signal: never } = new AbortController();

const read = (
  pods: readonly Pod[],
  { seconds = 120, ...changes }: Partial<ReadTask> & { seconds?: number } = {},
  through = client,
) =>
  readShares(
    { client: through, pod: analyser.pod },
    pods,
    readTask({ time: askingTime(performance.now() + 1000 * seconds, never), ...changes }),
  );

/** What became of files, with how many there are of each kind. */
function kindsOf(reading: Pod | undefined): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { outcome } of reading === undefined ? [] : filesOf(reading)) {
    const name = outcome.kind === 'not read' ? outcome.because : outcome.kind;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

/** One that shares so many files, at which its server need not have any. */
function podAt(root: string, files: number, changes: Omit<Share, 'url'> = {}): Pod {
  const shares = Array.from({ length: files }, (_, n) =>
    share(`${root}app/data/blood_pressure/${n}.enc.ttl`, changes),
  );
  const owner = { root, webId: webIdOfRoot(root), podId: podIdOfRoot(root) };
  return tableOf({ ...owner, rootIs: 'likely' }, shares);
}

const isOf =
  (...urls: readonly string[]) =>
  ({ url }: ProxiedRequest) =>
    urls.some((one) => url.startsWith(one));
const status = (code: number) => ({ kind: 'answer' as const, status: code });

describe('a file', () => {
  test('without an answer is missing for its silence, with any other answer for that', async () => {
    const [silent = '', refused = '', good = ''] = carol.urls;
    site.proxy.inject({ when: isOf(silent), fault: status(500) });
    const answers = site.proxy.inject({ when: isOf(refused), fault: status(401) });
    const [reading] = await read([await podToRead(carol, carol.urls)]);
    expect(reading && filesOf(reading)).toMatchObject([
      { url: silent, outcome: { because: 'silence' } },
      { url: refused, outcome: { because: 'other answer' } },
      { url: good, outcome: { kind: 'read' } },
    ]);
    expect(answers.hits).toBeGreaterThan(0);
    expect(reading?.warnings).toEqual([
      expect.stringContaining(`${silent}: the storage server could not give it (file skipped): `),
      `${refused}: its server does not accept the login (HTTP 401) (file skipped)`,
    ]);
  });

  test('above 4 MB does not count, and its owner is told', async () => {
    const url = `${alice.pod.documents.app}data/size/sealed.enc.ttl`;
    const content = '{"systolic":120,"diastolic":80}'.padEnd(8 * 1024 * 1024, '\n');
    await writeEncryptedResources(alice.client, alice.pod, [{ url, content }]);
    await allowReading(alice, analyser, url);
    const [reading] = await read([tableOf(ownerOf(alice), [share(url)])]);
    expect(reading && outcomesOf(reading)).toEqual({ 'sealed.enc.ttl': 'too large' });
    expect(reading?.warnings).toEqual([
      `${url}: it is larger than 4 MB: split it into smaller files (file skipped)`,
    ]);
  });
});

describe('the order', () => {
  test('[5.3] a huge Pod delays only itself, and is not called whole', async () => {
    const folder = `${bob.pod.documents.app}data/blood_pressure/`;
    const many = Array.from({ length: 40_000 }, (_, n) => share(`${folder}none_${n}.enc.ttl`));
    const [ofBob, ofCarol, ofAlice] = await read(
      [
        tableOf(ownerOf(bob), many),
        await podToRead(carol, carol.urls),
        await podToRead(alice, alice.urls),
      ],
      { seconds: LIMIT_SECONDS, served: [bob.pod.webId] },
    );
    expect([ofCarol, ofAlice].map(kindsOf)).toEqual([{ read: 3 }, { read: 3 }]);
    expect(ofBob?.filesNotAsked).toBeGreaterThan(1000);
    expect(ofBob?.isUnfinished).toBe(true);
    expect(ofBob?.warnings.join()).toMatch(/\d+ shares of \S+ could not be asked for/);
  });

  test('[4.5] a folder that was not listed in time was not asked either', async () => {
    const isFolder = ({ url }: ProxiedRequest) => url.endsWith('/blood_pressure/');
    site.proxy.inject({ when: isFolder, fault: { kind: 'hang' } });
    const folder = share(`${carol.pod.documents.app}data/blood_pressure/`);
    const pod = tableOf(ownerOf(carol), [folder]);
    const [reading] = await read([pod], { seconds: LIMIT_SECONDS });
    expect(reading && outcomesOf(reading)).toEqual({ 'blood_pressure/': 'not asked' });
    expect(reading?.isUnfinished).toBe(true);
  });

  test('in run-once the own server has all the time it needs', async () => {
    const pods = [await podToRead(carol, carol.urls)];
    const [none] = await read(pods, { seconds: 0 });
    expect(kindsOf(none)).toEqual({ 'not asked': 3 });
    const [all] = await read(pods, { seconds: 0, served: 'everybody' });
    expect(kindsOf(all)).toEqual({ read: 3 });
    expect(all?.readings).toHaveLength(3);
  });
});

describe('a Pod that does not answer', () => {
  test.each([
    ['thirty', bob],
    ['three', carol],
  ])(
    'means that the server is gone when the own Pod does not answer either: of %s files',
    async (_, silent) => {
      const { encKeys } = analyser.pod.documents;
      const pods = [await podToRead(silent, silent.urls)];
      site.proxy.inject({ when: isOf(silent.pod.root, encKeys), fault: { kind: 'reset' } });
      await expect(read(pods)).rejects.toMatchObject({
        kind: 'server',
        failure: 'unreachable',
        details: { url: encKeys },
      });
    },
  );
});

const trickle: RequestListener = (_request, response) => {
  response.writeHead(200, { 'content-type': 'text/turtle' });
  const timer = setInterval(() => response.write('#'), 500);
  response.once('close', () => clearInterval(timer));
};
const refuse: RequestListener = (_request, response) =>
  void response.writeHead(429, { 'retry-after': '600' }).end();

describe('another server', () => {
  test.each<[string, RequestListener, string]>([
    ['hangs', () => undefined, 'silence'],
    ['trickles', trickle, 'silence'],
    ['wants to be left alone for ten minutes', refuse, 'not asked'],
  ])(
    '[4.6] that %s keeps nobody waiting for more than ten seconds, in run-once as well',
    async (_, answer, because) => {
      let inHand = 0;
      let most = 0;
      const there = await serveUntilEnd(
        createServer((request, response) => {
          inHand += 1;
          most = Math.max(most, inHand);
          response.once('close', () => {
            inHand -= 1;
          });
          answer(request, response);
        }),
      );
      const through = createClient([there]);
      const pods = [
        podAt(`${there}/zoe/`, 100, { isKnown: true }),
        await podToRead(carol, carol.urls),
      ];
      const [ofZoe, ofCarol] = await read(pods, { seconds: 90, served: 'everybody' }, through);
      expect(kindsOf(ofZoe)).toEqual({ [because]: 100 });
      expect(kindsOf(ofCarol)).toEqual({ read: 3 });
      // While a Pod gives no answer, a quarter of what is asked of one other server at once; and its first page.
      expect(most).toBeLessThanOrEqual(5);
    },
    60_000,
  );
});

test('[4.7] however many servers strangers name, few are asked at a time, beside those with known Pods', async () => {
  const podAt = (host: string, isKnown: boolean) => {
    const root = `https://${host}.example/`;
    const webId = webIdOfRoot(root);
    const owner = { root, webId, podId: podIdOfRoot(root), rootIs: 'certain' as const };
    return tableOf(owner, [share(`${root}app/data/1.json.enc.ttl`, { isKnown })]);
  };
  const strange = Array.from({ length: 300 }, (_, n) => podAt(`a${n}`, false));
  const asked: string[] = [];
  let inHand = 0;
  let most = 0;
  const through: SolidClient = {
    async request(url) {
      const { hostname } = new URL(url);
      asked.push(hostname);
      if (hostname !== 'zoe.example') inHand += 1;
      most = Math.max(most, inHand);
      await nextTurn();
      if (hostname !== 'zoe.example') inHand -= 1;
      return { status: 500, headers: {}, body: Buffer.alloc(0), url };
    },
    close: () => Promise.resolve(),
  };
  await read([...strange, podAt('zoe', true)], {}, through);
  expect(new Set(asked).size).toBe(301);
  expect(most).toBeLessThanOrEqual(64);
  expect(asked[0]).toBe('zoe.example');
});
