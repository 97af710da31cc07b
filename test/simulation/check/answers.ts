import type { AnalysisReport } from '../../../src/run/analysis-report.js';
import type { Person } from '../people/person.js';
import type { Scene } from './scene.js';

/** Each call has one answer, which tells what is there; a cancelled one has no result. */
export function checkAnswers(scene: Scene): void {
  const { happened, world } = scene;
  for (const { webId, report, isCancelled, answers } of happened.isCrashed ? [] : happened.calls) {
    scene.expect(report !== null && answers === 1, `${webId} has ${answers} answers`);
    if (report === null) continue;
    const isSaid = (report.status === 'CANCELLED') === isCancelled;
    scene.expect(isSaid, `${webId} is answered ${report.status}`);
    const person = world.everybody.find((one) => one.webId === webId);
    if (isCancelled) {
      const hasNothing = report.run_id === '' && !report.published;
      scene.expect(hasNothing, 'a cancelled call has a result');
    } else if (person !== undefined) {
      checkAnswer(scene, person, report);
    }
  }
  checkServed(scene);
  const isDone = happened.outcome !== null && happened.failure === null;
  const isOver = happened.calls.every(({ isCancelled }) => isCancelled);
  if (!scene.isQuiet || isOver) return;
  scene.expect(isDone, `it failed: ${happened.failure?.message}`);
  scene.expect(happened.outcome?.errors.length === 0, 'there are errors without a trouble');
}

function checkAnswer(scene: Scene, person: Person, report: AnalysisReport): void {
  const { name, webId } = person;
  const run = scene.runs.find(({ requested_by }) => requested_by === webId);
  const own = run?.sharing.published.find(({ kind }) => kind === 'pod-average');
  if (report.status !== 'FAILED') {
    scene.expect(report.run_id === (run?.run_id ?? ''), `${name} is told of another run`);
    const isPublished = own?.recipients.includes(webId) ?? false;
    const isTold = report.published === isPublished || scene.happened.isDiskFull;
    scene.expect(isTold, `${name} is told published ${report.published}`);
  }
  if (report.published) {
    const result = scene.published.find(({ url }) => url === report.result_url);
    const isNew = result?.generatedAt === report.generated_at;
    scene.expect(isNew, `the result of ${name} is of ${result?.generatedAt}`);
    expectOpen(scene, person, report.result_url);
  }
  const cohort = run?.sharing.published.find(({ kind }) => kind === 'cohort-average');
  if (cohort !== undefined && own !== undefined) {
    const isReached = cohort.recipients.includes(webId);
    const isSaid = isReached !== webId in cohort.failures;
    scene.expect(isSaid, `the run does not say whether ${name} has the cohort's document`);
    if (isReached) expectOpen(scene, person, cohort.resource_url);
  }
  if (scene.isQuiet) checkWhole(scene, person, report);
}

function expectOpen(scene: Scene, person: Person, url: string): void {
  const isOpen = scene.hasKey(person, url) && scene.mayRead(person, url);
  scene.expect(isOpen, `${person.name} cannot open ${url}`);
}

function checkWhole(scene: Scene, { name, shared, sums }: Person, report: AnalysisReport): void {
  const isSharing = shared.length > 0;
  const { status, message, published, files_read, files_skipped, observation_count } = report;
  const wanted = isSharing ? 'COMPLETED' : 'NO_DATA';
  scene.expect(status === wanted, `${name} is answered ${status}: ${message}`);
  scene.expect(published === isSharing, `${name}: published ${published}: ${message}`);
  scene.expect(files_read === shared.length, `${name}: ${files_read} files were read`);
  const isAllRead = files_skipped === 0 || scene.past.isMolested;
  scene.expect(isAllRead, `${name}: ${files_skipped} files were skipped`);
  scene.expect(observation_count === sums.readings, `${name}: ${observation_count} readings`);
}

/** Readings themselves are kept only of Pods that are served. */
function checkServed(scene: Scene): void {
  const { happened, world } = scene;
  const called = happened.calls.map(({ webId }) => webId);
  if (called.includes(null)) return;
  for (const root of happened.kept) {
    const person = world.people.find((one) => one.root === root);
    const isServed = person !== undefined && called.includes(person.webId);
    scene.expect(isServed, `readings of ${root} are kept, who did not call`);
  }
}
