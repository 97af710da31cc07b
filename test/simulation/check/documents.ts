import { z } from 'zod';
import {
  cohortAverageSchema,
  type PodAverageDocument,
  podAverageSchema,
} from '../../../src/documents/published-document.js';
import type { ResultsDocument } from '../../../src/documents/results-document.js';
import { decryptContent } from '../../../src/pod/crypto/content-cipher.js';
import { vocabulary as v } from '../../../src/pod/formats/vocabulary.js';
import type { Person } from '../people/person.js';
import { valuesOf } from '../server/statements.js';
import { countedIn } from './counting.js';
import { checkRelease } from './release.js';
import { type Published, type Scene, same } from './scene.js';
import {
  areSent,
  averagesOf,
  type CohortFigures,
  names,
  noValues,
  perName,
  type Sums,
  subsetsOf,
  tellable,
  type Values,
} from './sums.js';

/** Every published document has the key that it always had, and exactly the figures that its readers may be told. */
export function checkDocuments(scene: Scene): void {
  const { past, published, runs } = scene;
  checkKeys(scene);
  for (const document of published) {
    const { url, generatedAt, kind } = document;
    if (past.recipients.has(generatedAt)) continue;
    const ofAnalysis = runs.filter((run) => run.generated_at === generatedAt);
    if (kind === 'pod-average') {
      const owner = scene.ownerOf(url)?.webId;
      const isStored = ofAnalysis.some(
        ({ requested_by }) => requested_by === null || requested_by === owner,
      );
      scene.expect(isStored, `${url} was published, and no run was stored`);
    }
    const [run] = ofAnalysis;
    if (run !== undefined) checkFigures(scene, document, run);
  }
  for (const { generated_at } of runs) past.recipients.set(generated_at, scene.recipients);
}

/** A document has one key for ever; ind-keys.ttl has it once or, where it could not be written, not at all. */
function checkKeys(scene: Scene): void {
  const { past, world, published } = scene;
  const { documents, masterKey } = world.analyser.pod;
  if (scene.isQuiet && scene.isCommitted) past.spoilt.delete(documents.indKeys);
  const entries = world.server.triplesOf(documents.indKeys);
  for (const { url, key, generatedAt } of published) {
    const text = key.toString('base64');
    scene.expect((past.keys.get(url) ?? text) === text, `the key of ${url} has changed`);
    past.keys.set(url, text);
    if (past.spoilt.has(documents.indKeys)) continue;
    const values = [v.path, v.iv, v.sessionKey].map((name) => valuesOf(entries, url, name));
    const counts = values.map(({ length }) => length);
    const mayLack = !scene.isQuiet || past.recipients.has(generatedAt);
    const isOnce = same(counts, [1, 1, 1]) || (mayLack && same(counts, [0, 0, 0]));
    scene.expect(isOnce, `ind-keys.ttl has ${counts.join()} values for ${url}`);
    const [, [iv] = [], [data] = []] = values;
    if (iv === undefined || data === undefined) continue;
    const isRight = decryptContent({ iv, data }, masterKey)?.toString() === text;
    scene.expect(isRight, `ind-keys.ttl has another key of ${url}`);
  }
}

/** What the readers of a document may all be told of the cohort, by the figures of a run. */
function toldBy(scene: Scene, run: ResultsDocument, counted: ReadonlyMap<string, Sums>) {
  const { sharing, analysis } = scene.world.service.config;
  const isKept = !sharing.share_cohort_average || run.sharing.cohort_withheld !== undefined;
  const rules = { fewest: sharing.minimum_cohort_pods, least: analysis.minimum_observations };
  return (readers: readonly string[]): CohortFigures =>
    isKept
      ? { average_of_averages: noValues, pooled_average: noValues }
      : tellable(counted, readers, rules);
}

function checkFigures(scene: Scene, document: Published, run: ResultsDocument): void {
  const counted = countedIn(scene, run);
  const told = toldBy(scene, run, counted);
  const content: unknown = JSON.parse(document.text);
  const isReleased = scene.world.service.config.sharing.cohort_release !== null;
  if (isReleased) checkRelease(scene, content, { run, counted });
  if (document.kind === 'cohort-average') {
    if (!isReleased) checkCohort(scene, cohortAverageSchema.parse(content).cohort, { run, told });
    return;
  }
  const person = scene.ownerOf(document.url);
  if (person === undefined) return;
  const own = podAverageSchema.parse(content);
  checkOwn(scene, person, { own, run });
  const mine = isReleased ? own.cohort : told([person.root]);
  const isRight = areAllSent(own.cohort, mine);
  scene.expect(isRight, `${person.name} is told ${shown(own.cohort)}, not ${shown(mine)}`);
  checkChart(scene, person, { own, cohort: mine.average_of_averages });
}

function shown({ average_of_averages, pooled_average }: CohortFigures): string {
  return JSON.stringify([average_of_averages, pooled_average]);
}

function areAllSent(sent: CohortFigures, exact: CohortFigures): boolean {
  return (
    areSent(sent.average_of_averages, exact.average_of_averages) &&
    areSent(sent.pooled_average, exact.pooled_average)
  );
}

function checkCohort(
  scene: Scene,
  cohort: CohortFigures,
  { run, told }: { run: ResultsDocument; told: (readers: readonly string[]) => CohortFigures },
): void {
  const isServed = (root: string) =>
    run.pods.some(({ pod_root, files_read }) => pod_root === root && files_read > 0);
  const readers = scene.world.everybody.filter(({ webId }) => scene.recipients.has(webId));
  const served = readers.map(({ root }) => root).filter(isServed);
  // Without a reader whose own document could not be written, the others can be told more.
  const possible = scene.isQuiet ? [served] : subsetsOf(served);
  const isRight = possible.some((some) => areAllSent(cohort, told(some)));
  const wanted = shown(told(served));
  scene.expect(isRight, `the cohort document has ${shown(cohort)}, not ${wanted}`);
}

function checkOwn(
  scene: Scene,
  { name, root, sums }: Person,
  { own, run }: { own: PodAverageDocument; run: ResultsDocument },
): void {
  const record = run.pods.find(({ pod_root }) => pod_root === root);
  const { measures, home, recent, observation_count } = own.pod;
  const isRecorded = record !== undefined && same(measures, record.measures);
  scene.expect(isRecorded, `the own document of ${name} has other figures than the run`);
  const averages = perName((one) => measures[one].average);
  scene.expect(same(own.average, averages), `the own average of ${name}`);
  const isRight = !scene.isQuiet || areSent(own.average, averagesOf(sums));
  scene.expect(isRight, `the own average of ${name} is ${JSON.stringify(own.average)}`);
  const hasLatest = (home ?? recent ?? null) !== null;
  scene.expect(hasLatest === observation_count > 0, `${name} has no latest average`);
}

const values = z.object(perName(() => z.number().nullable()));
const chartSchema = z.object({ points: z.array(z.unknown()), own: values, cohort: values });
const SIGNATURE = 8;

function checkChart(
  scene: Scene,
  { name, podId }: Person,
  { own, cohort }: { own: PodAverageDocument; cohort: Values },
): void {
  const { observation_count: count, measures } = own.pod;
  scene.expect((own.chart !== undefined) === count > 0, `${name} has a chart, or has none`);
  if (own.chart === undefined) return;
  const png = Buffer.from(own.chart.data, 'base64');
  const chart = chartSchema.parse(JSON.parse(png.subarray(SIGNATURE).toString()));
  const isKept = scene.textIn('charts', `${podId}.png`) === png.toString();
  scene.expect(isKept, `the chart of ${name} is not the one that is kept`);
  const drawn = (figures: Values) =>
    perName((one) => (measures[one].count > 0 ? figures[one] : null));
  scene.expect(areSent(chart.own, drawn(own.average)), `the chart of ${name} shows other figures`);
  const isTold = areSent(chart.cohort, drawn(cohort));
  scene.expect(isTold, `the chart of ${name} shows the cohort ${JSON.stringify(chart.cohort)}`);
  scene.expect(chart.points.length === count, `the chart of ${name} has other readings`);
}

/** Whether a text that was published has a figure of the cohort. */
export function hasCohortFigures(text: string): boolean {
  const { cohort } = z.object({ cohort: cohortAverageSchema.shape.cohort }).parse(JSON.parse(text));
  return [cohort.average_of_averages, cohort.pooled_average].some((figures) =>
    names.some((name) => figures[name] !== null),
  );
}
