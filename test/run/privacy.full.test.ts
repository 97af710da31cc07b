import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openValue } from '../../src/pod/crypto/rsa.js';
import { vocabulary } from '../../src/pod/formats/vocabulary.js';
import { podIdOfRoot } from '../../src/pod/owner.js';
import { readTurtle } from '../../src/solid/turtle.js';
import { createContributor, type TestReading, weekly } from '../support/contributor.js';
import { keepPlans } from '../support/drawn-plans.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import { cohortAddress, collectCohort, collectOwn } from '../support/published.js';
import { findChanges, folderOfPod, snapshotPods } from '../support/snapshot.js';
import { sharedSolidServer } from '../support/solid-server.js';
import { startTestRuns } from '../support/test-runs.js';

const server = sharedSolidServer();
/** Numbers that no other Pod and no cohort figure has, so that one of them gives its Pod away. */
const readings: TestReading[][] = [1, 2, 4, 7, 11].map((person) =>
  weekly(
    [110.113 + 7 * person, 70.117 + 3 * person, 60.119 + 2 * person],
    [120.131 + 5 * person, 75.137 + 4 * person, 65.139 + 3 * person],
    [125.171 + 3 * person, 80.173 + 2 * person, 67.179 + 4 * person],
  ),
);

const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Everything that would tell of a Pod. */
function tracesOf(index: number): string[] {
  const { pod } = people[index] ?? raise();
  const name = new URL(pod.root).pathname.replaceAll('/', '');
  const own = readings[index] ?? [];
  const measures = (['systolic', 'diastolic', 'heart_rate'] as const).map((measure) =>
    own.map((reading) => Number(reading[measure])),
  );
  // An average can differ in its last digits with the order of summing.
  const averages = measures.map((values) => String(mean(values)).slice(0, 12));
  return [
    pod.webId,
    pod.root,
    podIdOfRoot(pod.root),
    `${name}/`,
    ...measures.flat().map(String),
    ...averages,
  ];
}

function raise(): never {
  throw new Error('There is no such Pod.');
}

const analyser = await createInitialisedPod(server);
const people = await Promise.all(
  readings.map((own, index) =>
    createContributor(server, analyser, own, { name: `private-${process.pid}-${index}z` }),
  ),
);
const runs = await startTestRuns(server, analyser);

/** What changed in a Pod, as text, with every sealed value of its inbox opened. */
async function readChanges({ pod }: InitialisedPod, paths: string[]): Promise<string> {
  const texts = paths.map(async (path) => {
    const text = await readFile(join(folderOfPod(pod.root), path), 'utf8');
    if (!path.endsWith('shared-keys.ttl')) return text;
    const inbox = await readTurtle(text, pod.documents.sharedKeys);
    const { sharedPath, sharedAccess, sharedKey } = vocabulary;
    const sealed = [...inbox.subjects()].flatMap((subject) =>
      [sharedPath, sharedAccess, sharedKey].flatMap((predicate) => [
        ...inbox.literals(subject, predicate),
      ]),
    );
    expect(sealed.length).toBeGreaterThan(0);
    const opened = sealed.map((value) => openValue(value, pod.privateKey)?.toString() ?? raise());
    return [text, ...opened].join('\n');
  });
  return (await Promise.all(texts)).join('\n');
}

test.each([0, 4])(
  'in a cohort of five, caller %i learns nothing of the others, and they nothing of it',
  async (index) => {
    const caller = people[index] ?? raise();
    const others = people.filter((one) => one !== caller);
    const everybody = [analyser, ...people];
    const before = await snapshotPods(everybody);
    const report = await runs.ask(caller);
    const after = await snapshotPods(everybody);
    const changesIn = ({ pod }: InitialisedPod) =>
      findChanges(before[pod.root] ?? {}, after[pod.root] ?? {});

    expect(report).toMatchObject({ status: 'COMPLETED', published: true, pod_count: 5 });
    for (const other of others) expect(changesIn(other)).toEqual([]);
    const own = await collectOwn(analyser, caller);
    const cohort = await collectCohort(analyser, caller);
    const received = [
      JSON.stringify([own, cohort, report]),
      await readChanges(caller, changesIn(caller)),
    ].join('\n');
    // The search finds what is there.
    expect(tracesOf(index).filter((trace) => received.includes(trace))).not.toEqual([]);
    for (const [position] of people.entries()) {
      if (position === index) continue;
      expect(tracesOf(position).filter((trace) => received.includes(trace))).toEqual([]);
    }
    const cohortText = JSON.stringify(cohort);
    for (const [position] of people.entries()) {
      expect(tracesOf(position).filter((trace) => cohortText.includes(trace))).toEqual([]);
    }

    const documents = [analyser, caller].flatMap((one) =>
      changesIn(one)
        // Anybody may read an inbox; what matters in it is sealed.
        .filter((path) => !path.endsWith('shared/shared-keys.ttl'))
        .map((path) => `${one.pod.root}${decodeURIComponent(path)}`),
    );
    expect(documents).toContain(report.result_url);
    expect(documents).toContain(cohortAddress(analyser));
    for (const url of documents) {
      expect((await fetch(url)).status).toBe(401);
      for (const { client } of others) expect((await client.request(url)).status).toBe(403);
    }
  },
);

test('in a cohort whose figures rest on one single Pod, a document for both of them holds none', async () => {
  const settings = { analysis: { minimum_observations: 2 } };
  const none = { systolic: null, diastolic: null, heart_rate: null };
  const figures = { systolic: 125, diastolic: 85, heart_rate: 65 };
  const ofBeside = { systolic: 140, diastolic: 95, heart_rate: 75 };
  const own = await createInitialisedPod(server);
  const alone = await createContributor(server, own, weekly([120, 80, 60], [130, 90, 70]));
  const beside = await createContributor(server, own, weekly([140, 95, 75]));
  const { tools, cohortBeside } = keepPlans();
  await (await startTestRuns(server, own, settings, { tools })).run({ caller: null });
  // A chart has one reader, so each shows what this reader may see.
  expect(cohortBeside(figures)).toEqual(figures);
  expect(cohortBeside(ofBeside)).toEqual(none);
  const { cohort } = await collectCohort(own, beside);
  expect(cohort).toEqual({ pod_count: 2, average_of_averages: none, pooled_average: none });
  expect((await collectOwn(own, alone)).cohort.average_of_averages).toEqual(figures);
  expect((await collectOwn(own, beside)).cohort.average_of_averages).toEqual(none);
});
