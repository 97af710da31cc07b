import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { type RunSummary, runSummarySchema } from '../../../src/documents/analysis-summary.js';
import type { ResultsDocument } from '../../../src/documents/results-document.js';
import { countedIn } from './counting.js';
import { hasCohortFigures } from './documents.js';
import { type Scene, same } from './scene.js';
import { areSent, averageOfAverages } from './sums.js';

/** Everything below var/: a run for each caller and nobody else, a history and charts that agree with them. */
export function checkRuns(scene: Scene): void {
  const { runs, past, happened } = scene;
  past.runIds = scene.runIds;
  const results = scene.filesIn('results');
  const isLeft = results.some((name) => name.endsWith('.tmp'));
  scene.expect(!scene.isQuiet || !isLeft, 'a file is half written');
  const callers = runs.map(({ requested_by }) => requested_by);
  scene.expect(new Set(callers).size === runs.length, 'a caller has two runs');
  for (const run of runs) checkRun(scene, run);
  if (!happened.isCrashed && happened.stored.size > 0) checkHistory(scene);
  const texts = scene.filesIn('state').map((name) => scene.textIn('state', name));
  if (results.includes('analyses.jsonl')) texts.push(scene.textIn('results', 'analyses.jsonl'));
  for (const { name } of scene.world.everybody) {
    const isNamed = texts.some((text) => text.includes(name));
    scene.expect(!isNamed, `the state or the history names ${name}`);
  }
  checkCharts(scene);
}

function checkRun(scene: Scene, run: ResultsDocument): void {
  const { world, happened } = scene;
  const { requested_by: caller, cohort, pods } = run;
  const isCaller = happened.calls.some((one) => one.webId === caller && !one.isCancelled);
  scene.expect(isCaller, `there is a run of ${caller}, who did not call`);
  const recipients = world.people.filter(({ webId }) => caller === null || webId === caller);
  const webIds = recipients.map(({ webId }) => webId);
  for (const published of run.sharing.published) {
    const { kind, pod_id, resource_url: url, failures } = published;
    const readers = [...published.recipients, ...Object.keys(failures)];
    const isTold = readers.every((webId) => webIds.includes(webId));
    scene.expect(isTold, `the run of ${caller} names the readers ${readers.join(' ')}`);
    scene.expect(!scene.isQuiet || same(failures, {}), `failures: ${JSON.stringify(failures)}`);
    if (kind === 'cohort-average') continue;
    const owner = recipients.find(({ webId }) => webId === readers[0]);
    const isOwn = readers.length === 1 && owner?.podId === pod_id && url === world.ownUrl(owner);
    scene.expect(isOwn, `an own document of ${readers.join(' ')} lies at ${url}`);
  }
  const charted = Object.keys(run.charts.pods);
  const areOwn = charted.every((podId) => recipients.some((one) => one.podId === podId));
  scene.expect(areOwn, `the run of ${caller} has the charts of ${charted.join()}`);
  for (const { pod_root, home, recent } of pods) {
    const isOwn = recipients.some(({ root }) => root === pod_root);
    const isKept = isOwn || (home === undefined && recent === undefined);
    scene.expect(isKept, `the run of ${caller} has the latest average of ${pod_root}`);
  }
  const counted = countedIn(scene, run);
  const exact = averageOfAverages(counted.values(), run.analysis.minimum_observations);
  const isRight = areSent(cohort.average_of_averages, exact);
  scene.expect(isRight, `the cohort of ${caller} is ${JSON.stringify(cohort)}`);
  const carried = pods.filter((one) => one.carried !== undefined).length;
  const included = pods.filter((one) => one.included_in_cohort).length;
  const counts = [cohort.carried_pod_count ?? 0, cohort.included_pod_count, cohort.pod_count];
  const areCounted = same(counts, [carried, included, pods.length]);
  scene.expect(areCounted, `the run of ${caller} counts ${counts.join()} Pods`);
  if (scene.isQuiet) checkWarnings(scene, run);
}

function checkWarnings(scene: Scene, { sharing, warnings }: ResultsDocument): void {
  const { past, world } = scene;
  const isWithheld = past.isWithheld && world.service.config.sharing.share_cohort_average;
  const isSaid = sharing.cohort_withheld !== undefined;
  scene.expect(isSaid === isWithheld, 'figures are said to be withheld, or are not said to be');
  const isCalm = past.isWithheld || past.isMolested || warnings.length === 0;
  scene.expect(isCalm, `warnings: ${warnings.join()}`);
}

function checkHistory(scene: Scene): void {
  const { published, happened } = scene;
  const runs = scene.runs.filter(({ run_id }) => happened.stored.has(run_id));
  const lines = historyOf(scene);
  for (const run of runs) {
    if (happened.unsettled.has(run.run_id)) continue;
    const last = lines.findLast(({ run_id }) => run_id === run.run_id);
    const isSame = last !== undefined && isDeepStrictEqual(last.cohort, run.cohort);
    scene.expect(isSame, `the history has no line of ${run.run_id}, or another cohort`);
    const failed = run.sharing.published.flatMap(({ failures }) => Object.keys(failures)).length;
    scene.expect(last?.failed_deliveries === failed, `the history has not ${failed} failures`);
  }
  const newest = runs
    .map(({ run_id }) => run_id)
    .sort()
    .at(-1);
  const latest = z.object({ run_id: z.string() }).parse(scene.jsonIn('results', 'latest.json'));
  scene.expect(latest.run_id === newest, `latest.json is ${latest.run_id}, not ${newest}`);
  // Whoever finds no memory later must know that figures have left.
  const times = new Set(runs.map(({ generated_at }) => generated_at));
  const isSent = published.some(
    ({ text, generatedAt }) => times.has(generatedAt) && hasCohortFigures(text),
  );
  const isNoted = lines.some((line) => line.sent_by !== undefined && times.has(line.generated_at));
  // It is said with the outcome, for which a full disk may have no room.
  const isUnsettled = runs.some(({ run_id }) => happened.unsettled.has(run_id));
  const isSaid = !isSent || isNoted || isUnsettled;
  scene.expect(isSaid, 'figures have left, and the history does not say so');
}

function historyOf(scene: Scene): RunSummary[] {
  if (!scene.filesIn('results').includes('analyses.jsonl')) return [];
  const lines = scene.textIn('results', 'analyses.jsonl').split('\n');
  return lines.flatMap((line) => {
    try {
      return runSummarySchema.safeParse(JSON.parse(line)).data ?? [];
    } catch {
      return [];
    }
  });
}

/** A chart of whoever shares nothing more goes, all others stay, and those that a run names are there. */
function checkCharts(scene: Scene): void {
  for (const { name, podId, root } of scene.world.people) {
    const known = [...(scene.memory?.memory.pods.get(root)?.shares.keys() ?? [])];
    const isSharing = known.some((url) => scene.refusals(url) < 2);
    const hasGone = !scene.filesIn('charts').includes(`${podId}.png`);
    const isLost = isSharing && scene.past.charts.has(`${podId}.png`) && hasGone;
    scene.expect(!isLost, `the chart of ${name} has gone`);
  }
  if (!scene.isQuiet || !scene.isCommitted) return;
  const files = scene.filesIn('charts').filter((name) => name.endsWith('.png'));
  for (const file of files) {
    const person = scene.world.people.find(({ podId }) => `${podId}.png` === file);
    const isKept = person !== undefined && scene.memory?.memory.pods.has(person.root) === true;
    scene.expect(isKept, `the chart ${file} has stayed`);
  }
  for (const file of scene.runs.flatMap(({ charts }) => Object.values(charts.pods))) {
    scene.expect(files.includes(file), `there is no chart ${file}`);
  }
}
