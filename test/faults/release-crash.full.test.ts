import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { podAverageSchema } from '../../src/documents/published-document.js';
import { readSharedWithMe } from '../../src/pod/sharing/read-shared-with-me.js';
import { openResultsStore } from '../../src/store/results-store.js';
import { startNode, waitForEnd } from '../support/child-process.js';
import { createContributor, weekly } from '../support/contributor.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import { ownResultAddress } from '../support/published.js';
import { sharedSolidServer } from '../support/solid-server.js';

const dieAtWrite = fileURLToPath(new URL('./die-at-write.mjs', import.meta.url));
const server = sharedSolidServer();
let folder: string;
let analyser: InitialisedPod;
let reader: InitialisedPod;
let other: InitialisedPod;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bp-release-crash-'));
  analyser = await createInitialisedPod(server);
  reader = await createContributor(server, analyser, weekly([120, 80, 60]));
  other = await createContributor(server, analyser, weekly([140, 90, 70]));
}, 180_000);
afterAll(async () => {
  await Promise.all([analyser.close(), reader.close(), other.close()]);
  await rm(folder, { recursive: true });
});

interface Place {
  cwd: string;
  resultsDir: string;
}

/** As if nothing had ever been sent out. So much noise that two draws are hardly ever the same. */
async function startAnew(write: number): Promise<Place> {
  const place = { cwd: join(folder, String(write)), resultsDir: `results-${write}` };
  const { webId, appDir, documents } = analyser.pod;
  await analyser.client.request(`${documents.app}analyser/memory.txt`, {
    method: 'DELETE',
  });
  await mkdir(place.cwd, { recursive: true });
  await writeFile(
    join(place.cwd, 'config.yaml'),
    `analyser: {web_id: "${webId}", server_url: "${server.baseUrl}", app_dir_name: ${appDir}}
sharing:
  results_dir: ${place.resultsDir}
  cohort_release:
    epsilon: 0.5
    every_days: 3650
    budget: 1.5
    bounds: {systolic: [0, 1000], diastolic: [0, 1000], heart_rate: [0, 1000]}
output: {render_charts: false}
`,
    { mode: 0o600 },
  );
  return place;
}

function runOnce({ cwd }: Place, diesAt: number | null) {
  const { account, securityKey } = analyser;
  const child = startNode(['--import', dieAtWrite, inject('compiledMain'), 'run-once'], {
    cwd,
    env: {
      APP_ANALYSER_SECURITY_KEY: securityKey,
      APP_ANALYSER_CLIENT_ID: account.clientId,
      APP_ANALYSER_CLIENT_SECRET: account.clientSecret,
      ...(diesAt !== null && { DIE_AT_WRITE: String(diesAt) }),
    },
  });
  return waitForEnd(child);
}

/** What the reader can open at this moment; null without a result. */
async function figuresOfReader({ resultsDir }: Place) {
  const url = ownResultAddress(analyser, reader, resultsDir);
  try {
    const { text } = await readSharedWithMe(reader.client, reader.pod, url);
    return podAverageSchema.parse(JSON.parse(text)).cohort.average_of_averages;
  } catch {
    return null;
  }
}

test(
  'after kill -9 at any write there is one figure for one release',
  async () => {
    let seenAfterCrash = 0;
    for (let write = 1; ; write += 1) {
      const place = await startAnew(write);
      const crash = await runOnce(place, write);
      const sent = await figuresOfReader(place);
      const next = await runOnce(place, null);
      expect(next.code, next.err).toBe(0);
      const figures = await figuresOfReader(place);
      expect(figures?.systolic).toEqual(expect.any(Number));
      if (sent !== null) expect(figures).toEqual(sent);
      const latest = await openResultsStore(join(place.cwd, 'var/results')).readLatest();
      expect(latest).toMatchObject({
        document: {
          sharing: {
            cohort_release: { average_of_averages: figures, withheld: null },
          },
        },
      });
      if (crash.signal === null) break;
      expect(crash.signal).toBe('SIGKILL');
      if (sent !== null) seenAfterCrash += 1;
      // Record, mark, both run documents, two results, keys, access, hand-over and logs.
      expect(write).toBeLessThan(200);
    }
    expect(seenAfterCrash).toBeGreaterThan(3);
  },
  20 * 60_000,
);
