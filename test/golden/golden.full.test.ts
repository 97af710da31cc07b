import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openOwnPod } from '../../src/client/client.js';
import { openAnalysisIndex } from '../../src/store/analysis-index.js';
import { openResultsStore } from '../../src/store/results-store.js';
import { runMode } from '../support/command-line.js';
import { openWithKey } from '../support/open-with-key.js';
import { checkPodAverage } from '../support/published.js';
import {
  type GoldenWorld,
  goldenFolder,
  type Name,
  openGoldenWorld,
  PORT,
  restore,
  secretsOf,
  settingsOf,
} from './golden-world.js';

/** What make.ts recorded for them, averaged by hand. */
const averages: Record<Exclude<Name, 'analyser'>, object> = {
  ada: { systolic: 125, diastolic: 82, heart_rate: 62 },
  ben: { systolic: 140, diastolic: 90, heart_rate: 70 },
  cleo: { systolic: 112, diastolic: 72, heart_rate: 60 },
};
const cohort = { systolic: 125.67, diastolic: 81.33, heart_rate: 64 };

let world: GoldenWorld;
let cwd: string;
beforeAll(async () => {
  world = await openGoldenWorld();
});
afterAll(async () => {
  await world.server.stop();
});

describe.each(['1.0'])('what version %s left behind', (version) => {
  let held: Record<string, string>;
  beforeAll(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'bp-golden-'));
    held = await restore(world, version, cwd);
  });
  afterAll(() => rm(cwd, { recursive: true }));

  const ofAnalyser = (path: string) => join(world.server.rootDir, 'analyser', path);

  test('is read on: the same figures, the same keys, nothing withheld', async () => {
    const keysBefore = await readFile(ofAnalyser('app/encryption/ind-keys.ttl'), 'utf8');
    const env = secretsOf(world);
    const { code, out, err } = await runMode(['run-once', '--json'], { cwd, env });
    expect(code, err).toBe(0);
    expect(err).not.toMatch(/withheld|damaged|"level":[45]0/);
    expect(JSON.parse(out)).toMatchObject({ pod_count: 3 });

    const latest = await openResultsStore(join(cwd, 'var/results')).readLatest();
    expect(latest).toMatchObject({
      state: 'found',
      document: {
        cohort: { average_of_averages: cohort },
        sharing: { cohort_release: { average_of_averages: cohort, withheld: null } },
        warnings: [],
      },
    });
    for (const name of ['ada', 'ben', 'cleo'] as const) {
      const own = await openOwnPod(settingsOf(world, name));
      const url = `${world.server.baseUrl}analyser/app/data/analyser/localhost:${PORT}-${name}/bp-average.json.enc.ttl`;
      const text = await openWithKey(own.client, url, Buffer.from(held[url] ?? '', 'hex'));
      expect(checkPodAverage(JSON.parse(text))).toMatchObject({ average: averages[name] });
      await own.close();
    }
    expect(await readFile(ofAnalyser('app/encryption/ind-keys.ttl'), 'utf8')).toBe(keysBefore);
    expect(await readdir(ofAnalyser('app/analyser'))).toEqual(['memory.txt']);
  });

  test('its runs are served on', async () => {
    const stored = await readdir(join(goldenFolder(version), 'var/results'));
    const ids = stored.flatMap((name) => /^run-(.+)\.json$/.exec(name)?.[1] ?? []);
    expect(ids).toHaveLength(2);
    const resultsDir = join(cwd, 'var/results');
    for (const id of ids) {
      const run = await openResultsStore(resultsDir).readRun(id);
      expect(run).toMatchObject({ state: 'found', document: { run_id: id } });
    }
    const news = await openAnalysisIndex(resultsDir).follow()();
    expect(news?.summaries.map(({ run_id }) => run_id)).toEqual(expect.arrayContaining(ids));
  });
});
