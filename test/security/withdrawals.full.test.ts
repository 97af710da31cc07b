import { afterEach, expect, test } from 'vitest';
import { chunksOf } from '../../src/base/lists.js';
import { createContributor, weekly } from '../support/contributor.js';
import { startProxiedServer } from '../support/fault-proxy.js';
import { createInitialisedPod } from '../support/initialised-pod.js';
import { removeMemory } from '../support/memory-of.js';
import { startTestRuns } from '../support/test-runs.js';
import { createAttacker } from './attacker.js';

/** Strangers who name addresses without end, after somebody has taken a reading back. */
const site = await startProxiedServer();
const inHurry = { timeoutSeconds: 40 };
afterEach(() => site.proxy.heal());

test.each([
  ['her own Pod', 'hers', false],
  ['their own Pod', 'theirs', false],
  ['their own Pod, and the server says "not now" to most of these', 'theirs', true],
])(
  '[4.3][5.2] what is taken back counts no more at the next analysis, whatever strangers name in %s',
  async (_, whose, isBusy) => {
    const analyser = await createInitialisedPod(site);
    const [alice, bob, mallory] = await Promise.all([
      createContributor(site, analyser, weekly([110, 70, 50], [150, 90, 60])),
      createContributor(site, analyser, weekly([90, 80, 60])),
      createInitialisedPod(site),
    ]);
    const runs = await startTestRuns(site, analyser, { output: { render_charts: false } }, inHurry);
    const cohortOf = async () => (await runs.run({ caller: bob.pod.webId })).document.cohort;
    expect((await cohortOf()).average_of_averages.systolic).toBe((130 + 90) / 2);
    const [, taken = ''] = alice.urls;
    await alice.client.request(taken, { method: 'DELETE' });
    const folder = `${(whose === 'hers' ? alice : mallory).pod.documents.app}data/blood_pressure/`;
    const named = Array.from({ length: 5_000 }, (_, n) => ({ url: `${folder}none_${n}.enc.ttl` }));
    const attacker = await createAttacker(mallory, analyser);
    for (const some of chunksOf(named, 1_000)) await attacker.plant(some);
    if (isBusy) {
      site.proxy.inject({
        when: ({ url }) => url.includes('/none_'),
        skip: 100,
        fault: { kind: 'answer', status: 429, headers: { 'retry-after': '600' } },
      });
    }
    const { carried_pod_count, average_of_averages } = await cohortOf();
    expect(carried_pod_count).toBe(undefined);
    // In her Pod perhaps not all was asked for that is named: then it is out, and no part of it counts.
    const expected = whose === 'hers' ? [90, 100] : [100];
    expect(expected).toContain(average_of_averages.systolic);
    await removeMemory(analyser);
  },
);
