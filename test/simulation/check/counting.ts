import type { CountedSums } from '../../../src/analysis/sums.js';
import type { ResultsDocument } from '../../../src/documents/results-document.js';
import type { Person } from '../people/person.js';
import type { Scene } from './scene.js';
import { areSent, averagesOf, names, perName, type Sums, subsetsOf, sumUp } from './sums.js';

type PodRecord = ResultsDocument['pods'][number];

export function ofMemory({ observation_count, measures }: CountedSums): Sums {
  const parts = perName((name) => ({ sum: measures[name].sum, count: measures[name].count }));
  return { readings: observation_count, measures: parts };
}

/**
 * All sums with which a Pod may count whole: all that was read before, and any of what is new. Without earlier sums, only
 * what met something else than the server can be left out.
 */
export function possibleSums(scene: Scene, person: Person): Sums[] {
  const before = scene.past.memory?.pods.get(person.root);
  const isOld = ({ url }: { url: string }) =>
    before?.shares.has(url) === true && scene.refusals(url) < 2;
  const old = person.shared.filter(isOld);
  const fresh = person.shared.filter((file) => !isOld(file));
  const hasEarlier = (before?.sums ?? null) !== null && old.length === before?.shares.size;
  const failed = ({ url }: { url: string }) =>
    scene.happened.requests.some(
      (one) => [url, person.folder].includes(one.url) && one.status !== 200,
    );
  const doubtful = hasEarlier ? fresh : fresh.filter(failed);
  const certain = fresh.filter((file) => !doubtful.includes(file));
  const some = scene.isQuiet ? [doubtful] : subsetsOf(doubtful);
  return some.map((files) =>
    sumUp([...old, ...certain, ...files].flatMap(({ readings }) => readings)),
  );
}

export function fitsRecord(sums: Sums, record: PodRecord): boolean {
  return (
    sums.readings === record.observation_count &&
    names.every((name) => sums.measures[name].count === record.measures[name].count) &&
    areSent(
      perName((name) => record.measures[name].average),
      averagesOf(sums),
    )
  );
}

/** Whether some files of the Pod, as many as were read, have these figures. */
function isOfFiles({ shared }: Person, record: PodRecord): boolean {
  const some = subsetsOf(shared).filter((files) => files.length === record.files_read);
  return some.some((files) => fitsRecord(sumUp(files.flatMap((file) => file.readings)), record));
}

/** With which sums each Pod counts, as a run document says it, by root. Tells where that cannot be. */
export function countedIn(scene: Scene, run: ResultsDocument): Map<string, Sums> {
  const counted = new Map<string, Sums>();
  for (const record of run.pods) {
    const person = scene.personAt(record.pod_root);
    scene.expect(person !== undefined, `${record.pod_root} counts`);
    const sums = person === undefined ? null : countedFor(scene, person, { record, run });
    if (person !== undefined && sums !== null) counted.set(person.root, sums);
  }
  if (scene.isQuiet) expectAll(scene, run);
  return counted;
}

function countedFor(
  scene: Scene,
  person: Person,
  { record, run }: { record: PodRecord; run: ResultsDocument },
): Sums | null {
  const { name } = person;
  const least = run.analysis.minimum_observations;
  scene.expect(isOfFiles(person, record), `no files of ${name} have the figures of the record`);
  if (record.carried !== undefined) {
    const { measures } = record.carried;
    const earlier = scene.past.memory?.pods.get(person.root)?.sums ?? null;
    scene.expect(earlier !== null, `${name} is carried, and nothing was remembered`);
    scene.expect(!scene.isQuiet, `${name} is carried, and all was read`);
    if (earlier === null) return null;
    const sums = ofMemory(earlier);
    const isEarlier = areSent(
      perName((one) => measures[one].average),
      averagesOf(sums),
    );
    scene.expect(isEarlier, `${name} is carried with other figures`);
    scene.expect(record.included_in_cohort === sums.readings >= least, `${name}: included`);
    return sums;
  }
  if (!record.included_in_cohort) {
    const isFew = !scene.isQuiet || person.sums.readings < least;
    scene.expect(isFew, `${name} is left out of the cohort`);
    return null;
  }
  const whole = possibleSums(scene, person).find((sums) => fitsRecord(sums, record)) ?? null;
  scene.expect(whole !== null, `${name} counts with what is not the whole of their Pod`);
  return whole;
}

/** When nothing happens, everybody counts with everything. */
function expectAll(scene: Scene, run: ResultsDocument): void {
  const sharing = scene.world.people.filter(({ shared }) => shared.length > 0);
  const listed = run.pods.map(({ pod_root }) => pod_root).sort();
  const isListed =
    listed.join() ===
    sharing
      .map(({ root }) => root)
      .sort()
      .join();
  scene.expect(isListed, 'other Pods are listed than share');
  for (const record of run.pods) {
    const person = scene.personAt(record.pod_root);
    const fits = person !== undefined && fitsRecord(person.sums, record);
    scene.expect(fits, `the record of ${person?.name} is not that of their files`);
  }
}
