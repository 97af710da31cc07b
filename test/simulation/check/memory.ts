import type { Memory } from '../../../src/memory/memory.js';
import type { Person } from '../people/person.js';
import { countedIn, ofMemory, possibleSums } from './counting.js';
import { hasCohortFigures } from './documents.js';
import { readNote } from './open-memory.js';
import { type Scene, same } from './scene.js';
import { isSame } from './sums.js';

/** What is remembered: nobody else, nothing that never was, and after quiet exactly what is shared. */
export function checkMemory(scene: Scene): void {
  const { memory: stored, past, world } = scene;
  const note = readNote(world);
  const isDone = scene.isQuiet && scene.isCommitted;
  checkOrder(scene, stored?.memory ?? null);
  if (stored === null) {
    scene.expect(!isDone, 'nothing is remembered');
    scene.expect(note.version === 0, 'a memory is noted that is not there');
    return;
  }
  const { memory, version, digest } = stored;
  if (isDone) {
    scene.expect(same(note, { version, digest }), `noted is ${note.version}, stored ${version}`);
    scene.expect((memory.withheld !== null) === past.isWithheld, `withheld: ${memory.withheld}`);
  } else {
    scene.expect(note.version <= version || past.isWithheld, 'the note is ahead of the memory');
  }
  for (const root of memory.pods.keys()) {
    scene.expect(scene.personAt(root) !== undefined, `${root} is remembered`);
  }
  for (const person of world.people) {
    checkSums(scene, person, memory);
    checkForgotten(scene, person, memory);
    if (isDone) checkDone(scene, person, memory);
  }
}

function checkSums(scene: Scene, person: Person, memory: Memory): void {
  const { past } = scene;
  const { shares, sums = null } = memory.pods.get(person.root) ?? {};
  if (sums === null) return;
  const before = past.memory?.pods.get(person.root);
  // A withdrawal takes the earlier sums with it.
  const hasLeft = [...(before?.shares.keys() ?? [])].some((url) => shares?.has(url) === false);
  const found = ofMemory(sums);
  const earlier = hasLeft ? null : (before?.sums ?? null);
  const isEarlier = earlier !== null && isSame(ofMemory(earlier), found);
  const isNow = possibleSums(scene, person).some((possible) => isSame(possible, found));
  scene.expect(isEarlier || isNow, `the memory has sums that ${person.name} never had`);
}

/** Only what was refused twice ends. */
function checkForgotten(scene: Scene, person: Person, memory: Memory): void {
  const before = scene.past.memory?.pods.get(person.root)?.shares;
  const now = memory.pods.get(person.root)?.shares;
  for (const { url } of person.shared) {
    if (before?.has(url) !== true || now?.has(url) === true) continue;
    scene.expect(scene.refusals(url) > 1, `${url} is forgotten`);
  }
}

function checkDone(scene: Scene, person: Person, memory: Memory): void {
  const { name, root, shared, sums } = person;
  const pod = memory.pods.get(root);
  scene.expect((pod !== undefined) === shared.length > 0, `${name} is remembered or not`);
  if (pod === undefined) return;
  const files = [...pod.shares.keys()].sort();
  const urls = shared.map(({ url }) => url).sort();
  scene.expect(same(files, urls), `of ${name} other files are remembered`);
  const isWhole = pod.sums !== null && isSame(ofMemory(pod.sums), sums);
  scene.expect(isWhole, `of ${name} other sums are remembered`);
}

/** No figure of the cohort leaves before what it was made of is remembered, nor where it could not be. */
function checkOrder(scene: Scene, memory: Memory | null): void {
  for (const run of scene.runs) {
    const isSent = scene.published.some(
      ({ generatedAt, text }) => generatedAt === run.generated_at && hasCohortFigures(text),
    );
    for (const [root, sums] of isSent ? countedIn(scene, run) : []) {
      const known = memory?.pods.get(root)?.sums ?? null;
      const isKnown = known !== null && isSame(ofMemory(known), sums);
      scene.expect(isKnown, `figures have left, and what ${root} counted with is not remembered`);
    }
  }
}
