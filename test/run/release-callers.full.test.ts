import { describe, expect, test } from 'vitest';
import { DAY_MS as day } from '../../src/base/utc-time.js';
import type { AnalysisQueue } from '../../src/service/analysis-queue.js';
import type { SolidClient } from '../../src/solid/solid-client.js';
import { openResultsStore } from '../../src/store/results-store.js';
import { askTogether } from '../support/ask-together.js';
import { runMode } from '../support/command-line.js';
import { writeConfigFile } from '../support/config-file.js';
import { createContributor, weekly } from '../support/contributor.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import { memoryAddress, memoryOf, removeMemory } from '../support/memory-of.js';
import { checkResults, cohortAddress, collectCohort, collectOwn } from '../support/published.js';
import { recordRequests } from '../support/recording-client.js';
import { takeSnapshot } from '../support/snapshot.js';
import { sharedSolidServer } from '../support/solid-server.js';
import { noCharts, type Sharing, startTestRuns, type TestRuns } from '../support/test-runs.js';

type Section = NonNullable<Sharing['cohort_release']>;

/** So much noise that two draws are hardly ever the same, and a release each day. */
const noisy = {
  epsilon: 0.1,
  every_days: 1,
  budget: 100,
  bounds: { systolic: [0, 1000], diastolic: [0, 1000], heart_rate: [0, 1000] },
} satisfies Section;

const server = sharedSolidServer();
const analyser = await createInitialisedPod(server);
const anna = await createContributor(server, analyser, weekly([120, 80, 60]));
const ben = await createContributor(server, analyser, weekly([140, 90, 70]));
/** Shares nothing. */
const nobody = await createInitialisedPod(server);

const webIds = (...people: InitialisedPod[]) => people.map(({ pod }) => pod.webId);

/** With a var/ of its own. */
function open(section: Section, now?: () => Date): Promise<TestRuns> {
  const sections = { ...noCharts, sharing: { cohort_release: section } };
  return startTestRuns(server, analyser, sections, { ...(now && { tools: { now } }) });
}

/** As if nothing had ever been sent out. */
async function openAnew(...given: Parameters<typeof open>): Promise<TestRuns> {
  await removeMemory(analyser);
  return open(...given);
}

/** What is on record of what was sent out. */
async function recordedBy(runs: TestRuns) {
  const { memory, version } = await memoryOf(runs);
  return { record: memory.releases, withheld: memory.withheld, version };
}

async function runDocument({ config }: TestRuns, runId: string) {
  const found = await openResultsStore(config.output.results_dir).readRun(runId);
  if (found.state !== 'found') throw new Error(`Run ${runId} is ${found.state}.`);
  return checkResults(found.document);
}

describe('A release', () => {
  test('[5.9][5.10] is one for all callers of a turn, and recorded before any figure leaves', async () => {
    const runs = await openAnew(noisy);
    const client = recordRequests(analyser.client);
    const replies = await askTogether(runs, webIds(anna, ben, nobody, anna), { client });
    const statuses = replies.map(({ status }) => status);
    expect(statuses).toEqual(['COMPLETED', 'COMPLETED', 'NO_DATA', 'COMPLETED']);

    const { cohort } = await collectCohort(analyser, anna);
    expect(cohort.average_of_averages.systolic).toEqual(expect.any(Number));
    // So large that the bounds alone say where the average is.
    const cohort_noise = { systolic: 1000, diastolic: 1000, heart_rate: 1000 };
    for (const person of [anna, ben]) {
      expect(await collectOwn(analyser, person)).toMatchObject({ cohort, cohort_noise });
      expect(await collectCohort(analyser, person)).toMatchObject({ cohort, cohort_noise });
    }
    // Somebody of whom nothing is known leaves no run document.
    for (const { run_id } of replies.filter(({ status }) => status === 'COMPLETED')) {
      const { sharing } = await runDocument(runs, run_id);
      expect(sharing.cohort_release).toMatchObject({
        average_of_averages: cohort.average_of_averages,
      });
    }

    const written = client.requests
      .filter(({ method }) => method === 'PUT' || method === 'PATCH')
      .map(({ url }) => url)
      .filter((url) => !url.endsWith('/ind-keys.ttl'));
    expect(written.lastIndexOf(memoryAddress(analyser))).toBe(0);
    expect(written).toContain(cohortAddress(analyser));
  });

  test('[5.10] is recorded before anybody is left out, so also when those who would be sent it cancel', async () => {
    const runs = await openAnew(noisy);
    let queue: AnalysisQueue | null = null;
    const client: SolidClient = {
      ...analyser.client,
      async request(url, options) {
        // The release has yet to be worked out, for a caller who then is gone.
        if (url === memoryAddress(analyser) && options?.method === undefined) {
          queue?.cancel(anna.pod.webId);
        }
        return analyser.client.request(url, options);
      },
    };
    const onQueue = (running: AnalysisQueue) => {
      queue = running;
    };
    const replies = await askTogether(runs, webIds(anna, nobody), { client, onQueue });
    expect(replies.map(({ status }) => status)).toEqual(['CANCELLED', 'NO_DATA']);
    expect((await recordedBy(runs)).record).not.toEqual([]);
    expect(await takeSnapshot(runs.config.output.results_dir)).toEqual({});
  });

  test('[5.10] is the last one once the budget is used up, and release says until when', async () => {
    let now = Date.now();
    const section = { ...noisy, budget: 0.3, per_days: 10 };
    const runs = await openAnew(section, () => new Date(now));
    const first = await runs.run({ caller: anna.pod.webId });
    const released = first.document.sharing.cohort_release;
    now += 2 * day;
    const second = await runs.run({ caller: anna.pod.webId });
    expect(second.document.sharing.cohort_release).toEqual(released);

    const { folder, config } = runs;
    await writeConfigFile(folder, analyser, {
      sharing: { cohort_release: section },
      output: config.output,
    });
    const at = Date.parse(released?.released_at.systolic ?? '');
    const until = new Date(at + 10 * day).toISOString().slice(0, 23);
    const told = await runMode(['release'], { cwd: folder });
    const figure = released?.average_of_averages.systolic?.toFixed(1);
    expect(told.out).toMatch(/^Sent by the analysis of 20/m);
    expect(told.out).toContain(`: systolic ${figure} ± 1000, diastolic `);
    expect(told.out).toMatch(new RegExp(`budget of 0\\.3 in 10 days.* used up until ${until}`));

    now = at + 10 * day;
    const third = await runs.run({ caller: anna.pod.webId });
    expect(third.document.sharing.cohort_release).not.toEqual(released);
  });
});
