import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { podAverageSchema } from '../../src/documents/published-document.js';
import { podIdOfRoot } from '../../src/pod/owner.js';
import { type AnalysisReport, reportOfFailure } from '../../src/run/analysis-report.js';
import { unlock } from '../../src/run/connection.js';
import { createSolidClient } from '../../src/solid/http-solid-client.js';
import { openResultsStore } from '../../src/store/results-store.js';
import { readStateMarker } from '../../src/store/state.js';
import { createContributor, weekly } from '../support/contributor.js';
import {
  type Fault,
  type ProxiedRequest,
  type ProxiedServer,
  startProxiedServer,
} from '../support/fault-proxy.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import { readHeld } from '../support/open-with-key.js';
import { outputBelow } from '../support/output-below.js';
import { newFolder } from '../support/temp-folder.js';
import { type Sections, startTestRuns } from '../support/test-runs.js';

/**
 * One kind of request of an analysis meets one fault, for as long as the analysis lasts. What
 * the caller hears, what the reader of an earlier result can still open, what is in var/, and
 * what the next analysis comes to.
 */
const faults = {
  reset: { kind: 'reset' },
  hang: { kind: 'hang' },
  '500': { kind: 'answer', status: 500 },
  '503 with Retry-After': { kind: 'answer', status: 503, headers: { 'retry-after': '1' } },
  '401': { kind: 'answer', status: 401 },
  '403': { kind: 'answer', status: 403 },
  '404': { kind: 'answer', status: 404 },
  truncated: { kind: 'truncate', bytes: 5 },
  'wrong content type': { kind: 'headers', values: { 'content-type': 'image/png' } },
  trickle: { kind: 'trickle', bytes: 1, everyMs: 100 },
  'success that is none': { kind: 'answer', status: 205 },
  'success that is not told': { kind: 'reset-after' },
} as const satisfies Record<string, Fault>;
type FaultName = keyof typeof faults;

interface Kind {
  /** The answer holds nothing that could be cut. */
  isWrite?: true;
  /** Without it a caller has figures, and no result. */
  isOfResult?: true;
  /** A document keeps its key, and its access rules as long as its readers stay the same. */
  isOnlyAtFirst?: true;
}

const kinds = {
  discovery: {},
  token: {},
  'enc-keys': {},
  inbox: {},
  reading: {},
  'ind-keys': {},
  'new key': { isWrite: true, isOnlyAtFirst: true },
  'access read': {},
  'access closed': { isWrite: true, isOfResult: true, isOnlyAtFirst: true },
  document: { isWrite: true, isOfResult: true },
  'access opened': { isWrite: true, isOfResult: true, isOnlyAtFirst: true },
  'public key': { isOfResult: true },
  'reader’s inbox': { isOfResult: true },
  key: { isWrite: true, isOfResult: true },
  'own log': { isWrite: true },
  'reader’s log': { isWrite: true },
} as const satisfies Record<string, Kind>;

type RequestKind = keyof typeof kinds;
const about = (kind: RequestKind): Kind => kinds[kind];

type Outcome = 'whole' | 'FAILED' | 'NO_DATA' | 'unpublished';

/** Worked out from what each step needs, not from what was seen. */
function expectedOutcome(kind: RequestKind, fault: FaultName): Outcome {
  const { isWrite = false, isOfResult = false } = about(kind);
  // Only what is inside counts.
  if (fault === 'wrong content type') return 'whole';
  if (isWrite && (fault === 'trickle' || fault === 'truncated')) return 'whole';
  if (fault === 'success that is none') {
    return kind === 'key' ? 'unpublished' : 'whole';
  }
  // After silence about a write, the client looks whether it was made.
  if (fault === 'success that is not told' && isWrite) return 'whole';
  switch (kind) {
    case 'reading':
      return 'NO_DATA';
    case 'inbox':
    case 'own log':
    case 'reader’s log':
    case 'ind-keys':
    case 'new key':
      // What was read before counts without an inbox; a result arrives without a line in a log, and
      // without the document that tells its key to the app.
      return 'whole';
    case 'access read':
      // A document without rules of its own is given them, as the first time.
      return fault === '404' ? 'whole' : 'unpublished';
    default:
      // With the figures there, the own document or its key is not. Without its login and its own keys the
      // Analyser can do nothing.
      return isOfResult ? 'unpublished' : 'FAILED';
  }
}

function appliesTo(fault: FaultName, kind: RequestKind): boolean {
  return fault !== 'success that is none' || about(kind).isWrite === true;
}

/**
 * The faults for each of the requests, against a server of their own: every one of them, or every
 * nth along the diagonal, so that each request and each fault has its turn.
 */
export async function testFaults({ everyNth = 1 } = {}): Promise<void> {
  const server = await startProxiedServer();
  const analyser = await createInitialisedPod(server);
  const alice = await createContributor(server, analyser, weekly([120, 80, 60], [130, 90, 70]));
  const folder = await newFolder();
  let cases = 0;
  // What one case leaves behind is whole, so it is the earlier result of the next one.
  let published: Published | null = null;
  const check = async (kind: RequestKind, fault: FaultName) => {
    cases += 1;
    const { isOnlyAtFirst: isFirst = false } = about(kind);
    if (isFirst || published === null) published = { resultsDir: `results-${cases}`, key: null };
    const scene: Scene = { server, analyser, alice, folder, ...published };
    published = null;
    try {
      if (!isFirst && scene.key === null) scene.key = await publishOnce(scene);
      const key = await checkOne(scene, kind, fault);
      published = { resultsDir: scene.resultsDir, key };
    } finally {
      server.proxy.heal();
    }
  };

  const names = Object.keys(faults).filter((name): name is FaultName => name in faults);
  const requests = Object.keys(kinds).filter((name): name is RequestKind => name in kinds);
  describe.each(requests)('the request for: %s', (kind) => {
    const position = requests.indexOf(kind);
    const chosen = names
      .filter((fault) => appliesTo(fault, kind))
      .filter((_, index) => (position + index) % everyNth === 0);
    test.each(chosen)('met by: %s', (fault) => check(kind, fault));
  });
}

interface Published {
  resultsDir: string;
  /** Of the result; null when there is none yet, so that keys and access rules are made anew. */
  key: Buffer | null;
}

interface Scene extends Published {
  server: ProxiedServer;
  analyser: InitialisedPod;
  alice: InitialisedPod;
  /** Holds var/. */
  folder: string;
}

/** Answers the key of the result. */
async function checkOne(scene: Scene, kind: RequestKind, fault: FaultName): Promise<Buffer> {
  const { proxy } = scene.server;
  const hits = proxy.inject({ when: matcher(scene, kind), fault: faults[fault] });
  const report = await analyse(scene);
  expect(hits.hits, 'the fault never struck').toBeGreaterThan(0);
  proxy.heal();

  const expected = expectedOutcome(kind, fault);
  if (expected === 'whole') {
    expect(report).toMatchObject({ status: 'COMPLETED', published: true });
  } else if (expected === 'unpublished') {
    expect(report).toMatchObject({ status: 'COMPLETED', published: false, result_url: '' });
    expect(report.message).toContain('did not reach your Pod');
  } else {
    expect(report).toMatchObject({ status: expected, published: false, result_url: '' });
    expect(report.message).toMatch(/^[A-Z\d].+\.$/);
  }

  if (scene.key !== null) {
    const kept = await readResult(scene, scene.key);
    expect(kept.average).toEqual({ systolic: 125, diastolic: 85, heart_rate: 65 });
  }
  await expectOrder(scene.folder);

  const next = await analyse(scene);
  expect(next).toMatchObject({ status: 'COMPLETED', published: true, files_read: 2 });
  const result = await readResult(scene);
  expect(result.generated_at).toBe(next.generated_at);
  if (scene.key !== null) expect(result.key).toEqual(scene.key);
  await expectOrder(scene.folder);
  return result.key;
}

async function publishOnce(scene: Scene): Promise<Buffer> {
  const report = await analyse(scene);
  expect(report).toMatchObject({ status: 'COMPLETED', published: true });
  return (await readResult(scene)).key;
}

/** With a login of its own, so that every kind of request is made. */
async function analyse(scene: Scene): Promise<AnalysisReport> {
  const { server, analyser, alice, folder, resultsDir } = scene;
  const client = createSolidClient({
    serverUrl: server.baseUrl,
    credentials: analyser.account,
    timeouts: { answerMs: 2_500, idleMs: 2_500, totalMs: 3_500 },
    policy: { tries: 3, slowTries: 1, firstPauseMs: 5, longestPauseMs: 20, mostRefusals: 3 },
  });
  const sections: Sections = {
    sharing: { results_dir: resultsDir },
    output: { render_charts: false, ...outputBelow(folder) },
  };
  try {
    const runs = await startTestRuns(server, analyser, sections, { client });
    const { account, securityKey } = analyser;
    const secrets = { ...account, securityKey, grpcToken: null, redisUrl: null };
    const { pod } = await unlock(client, runs.config, secrets, new AbortController().signal);
    pod.dispose();
    return await runs.ask(alice);
  } catch (error) {
    return reportOfFailure(error);
  } finally {
    await client.close();
  }
}

function resultAddress({ analyser, alice, resultsDir }: Scene): string {
  const podId = podIdOfRoot(alice.pod.root);
  return `${analyser.pod.documents.app}data/${resultsDir}/${podId}/bp-average.json.enc.ttl`;
}

/** As the app does: whoever holds a key does not look it up again. */
async function readResult(scene: Scene, heldKey?: Buffer) {
  const { text, key } = await readHeld(scene.alice, resultAddress(scene), heldKey);
  return { ...podAverageSchema.parse(JSON.parse(text)), key };
}

function matcher(scene: Scene, kind: RequestKind): (request: ProxiedRequest) => boolean {
  const { documents } = scene.analyser.pod;
  const reader = scene.alice.pod.documents;
  const result = resultAddress(scene).replaceAll(/:(?=\d+-)/g, '(?::|%3A)');
  const acl = new RegExp(`^${result}\\.acl$`);
  const isAcl = ({ method, url }: ProxiedRequest) => method === 'PUT' && acl.test(url);
  const namesReader = ({ body }: ProxiedRequest) => body.includes(scene.alice.pod.webId);
  const is = (wanted: string, address: string) => (request: ProxiedRequest) =>
    request.method === wanted && request.url === address;
  const matchers: Record<RequestKind, (request: ProxiedRequest) => boolean> = {
    discovery: ({ url }) => url.endsWith('/.well-known/openid-configuration'),
    token: ({ method, url }) => method === 'POST' && url.includes('/.oidc/token'),
    'enc-keys': is('GET', documents.encKeys),
    inbox: is('GET', documents.sharedKeys),
    reading: ({ method, url }) =>
      method === 'GET' && url.startsWith(`${reader.app}data/blood_pressure/`),
    'ind-keys': is('GET', documents.indKeys),
    'new key': is('PATCH', documents.indKeys),
    'access read': ({ method, url }) => method === 'GET' && acl.test(url),
    'access closed': (request) => isAcl(request) && !namesReader(request),
    document: ({ method, url }) => method === 'PUT' && new RegExp(`^${result}$`).test(url),
    'access opened': (request) => isAcl(request) && namesReader(request),
    'public key': is('GET', reader.publicKey),
    'reader’s inbox': is('GET', reader.sharedKeys),
    key: is('PATCH', reader.sharedKeys),
    'own log': is('PATCH', documents.permissionsLog),
    'reader’s log': is('PATCH', reader.permissionsLog),
  };
  return matchers[kind];
}

/** Whole documents, nothing half written, no turn that is never given back. */
async function expectOrder(folder: string): Promise<void> {
  const marker = await readStateMarker(join(folder, 'state')).catch(() => null);
  expect(marker?.running ?? null).toBeNull();
  const store = openResultsStore(join(folder, 'results'));
  const latest = await store.readLatest();
  expect(['found', 'absent']).toContain(latest.state);
  const files = await readdir(folder, { recursive: true });
  expect(files.filter((name) => name.endsWith('.tmp'))).toEqual([]);
}
