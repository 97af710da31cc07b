import { createServer, type RequestListener } from 'node:http';
import { beforeEach, describe, expect, test } from 'vitest';
import { webIdOfRoot } from '../../src/pod/addresses.js';
import { podIdOfRoot } from '../../src/pod/owner.js';
import { writeEncryptedResources } from '../../src/pod/write-resource.js';
import { askingTime } from '../../src/run/read/deadline.js';
import { readShares } from '../../src/run/read/read-shares.js';
import type { ReadTask } from '../../src/run/read/read-task.js';
import { filesOf, type Pod } from '../../src/run/table/row.js';
import type { SolidClient } from '../../src/solid/solid-client.js';
import { allowReading, createContributor, weekly } from '../support/contributor.js';
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
import { sharedSolidServer } from '../support/solid-server.js';

let client: SolidClient;

const LIMIT_SECONDS = 10;

const three = weekly([110, 70, 60], [111, 70, 60], [112, 70, 60]);

/** Step 4 where there is much to read, and beside another server that is slow or silent. */
const site = sharedSolidServer();
const analyser = await createInitialisedPod(site);
const [alice, bob, carol] = await Promise.all([
  createContributor(site, analyser, three),
  createContributor(site, analyser, three),
  createContributor(site, analyser, three),
]);
// A client remembers how much a server bears.
beforeEach(() => {
  client = createClient();
});

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

describe('a file', () => {
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
