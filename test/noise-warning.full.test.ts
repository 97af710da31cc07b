import { join } from 'node:path';
import { expect, test } from 'vitest';
import { noiseWarnings } from '../src/cli/operator/describe-release.js';
import { configSchema } from '../src/config/schema.js';
import { openResultsStore } from '../src/store/results-store.js';
import { startService } from './grpc/child-service.js';
import { startCommand, waitForEnd } from './support/child-process.js';
import { writeConfigFile } from './support/config-file.js';
import { sampleResults } from './support/results-sample.js';
import { folderForEach } from './support/temp-folder.js';

const folder = folderForEach();

const noise = (epsilon: number) => ({ epsilon, every_days: 30, budget: 3 * epsilon });

function warningsOf(cohort_release: object) {
  const server_url = 'https://pods.example.org/';
  const web_id = `${server_url}analyser/profile/card#me`;
  const results_dir = join(folder(), 'var/results');
  const config = {
    analyser: { web_id, server_url },
    sharing: { cohort_release },
    output: { results_dir },
  };
  return noiseWarnings(configSchema.parse(config));
}

/** The last run had so many Pods in its averages. */
async function storeRunOf(pods: number): Promise<void> {
  const document = sampleResults('20260819T091500Z', ['pods.example.org-anna']);
  document.cohort.included_pod_count = pods;
  await openResultsStore(join(folder(), 'var/results')).write(document);
}

// With epsilon 1 the noise of 128 Pods is as large as their sampling error: (√2 × 120 / 15)².
test('noise that drowns the figures of a small cohort is warned of', async () => {
  const [unknown] = await warningsOf(noise(1));
  expect(unknown).toMatch(/fewer than 128 Pods are mostly noise\. Pods so far: not known yet\./);
  await storeRunOf(5);
  expect(await warningsOf(noise(1))).toEqual([
    'sharing.cohort_release.epsilon: with 1, cohort figures of fewer than 128 Pods are mostly noise. Pods so far: 5. For small cohorts set share_cohort_average: false instead.',
  ]);
  await storeRunOf(127);
  expect(await warningsOf(noise(1))).toHaveLength(1);
});

test('noise that is small beside the sampling error is not, nor are exact figures', async () => {
  await storeRunOf(128);
  expect(await warningsOf(noise(1))).toEqual([]);
  await storeRunOf(5);
  expect(await warningsOf({})).toEqual([]);
});

/** Nobody answers at its storage server: the warning comes before the first login. */
async function configure(): Promise<void> {
  const webId = 'http://127.0.0.1:1/analyser/profile/card#me';
  const nobody = { root: '', email: '', password: '', resource: '' };
  const account = { ...nobody, webId, clientId: 'id', clientSecret: 'secret' };
  const sections = {
    sharing: { cohort_release: noise(0.1) },
    grpc: { host: '127.0.0.1', port: 0 },
  };
  await writeConfigFile(folder(), { account, securityKey: 'a key' }, sections);
  await storeRunOf(20);
}

const expected = 'fewer than 12800 Pods are mostly noise. Pods so far: 20.';

test('the service warns when it starts', async () => {
  await configure();
  await using service = await startService(folder());
  expect(await service.logged('mostly noise')).toContain(expected);
});

test('run-once warns when it starts', async () => {
  await configure();
  const { err, code } = await waitForEnd(startCommand(['run-once'], { cwd: folder() }));
  expect(err).toContain(expected);
  expect(code).not.toBe(0);
});
