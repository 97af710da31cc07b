import { shareId, shareSubject } from '../../../src/pod/formats/shared-keys.js';
import { vocabulary as v } from '../../../src/pod/formats/vocabulary.js';
import type { Person } from '../people/person.js';
import { valuesOf } from '../server/statements.js';
import { type Scene, same } from './scene.js';

/** What stands in the Pods of readers: keys that open what is theirs, each once, and a line for each grant. */
export function checkInboxes(scene: Scene): void {
  for (const person of scene.world.everybody) checkInbox(scene, person);
}

function checkInbox(scene: Scene, person: Person): void {
  const { past, world, happened } = scene;
  const { name, webId } = person;
  const { sharedKeys } = person.pod.documents;
  const { share_cohort_average: hasBoth } = world.service.config.sharing;
  const isServed = happened.calls.some((call) => call.webId === webId && call.report?.published);
  // A hand-over without trouble replaces what strangers have planted beside its keys.
  if (scene.isQuiet && hasBoth && isServed) past.spoilt.delete(sharedKeys);
  if (past.spoilt.has(sharedKeys)) return;
  const inbox = world.server.triplesOf(sharedKeys);
  for (const subject of new Set(inbox.map((one) => one.subject))) {
    if (!subject.startsWith(v.resourceId)) continue;
    const opened = [v.sharedPath, v.sharedAccess, v.sharedKey].map((predicate) =>
      valuesOf(inbox, subject, predicate).map((value) => scene.open(person, value)),
    );
    const counts = opened.map(({ length }) => length);
    scene.expect(same(counts, [1, 1, 1]), `a share of ${name} has ${counts.join()} values`);
    const [path = null, modes, key] = opened.map(([first]) => first);
    // That of a document which the operator has erased stays.
    const known = past.keys.get(path ?? '');
    const isTheirs = path === world.cohortUrl || path === world.ownUrl(person);
    scene.expect(isTheirs, `the inbox of ${name} has a key of ${path}`);
    const isNamed = subject === shareSubject(shareId(path ?? '', webId));
    scene.expect(isNamed && modes === 'read', `a share of ${name} is named or meant otherwise`);
    scene.expect(
      key !== undefined && key === known,
      `the inbox of ${name} has a key of ${path} that does not open it`,
    );
  }
}

function linesOf({ world }: Scene, { pod }: Person): string[] {
  return world.server
    .triplesOf(pod.documents.permissionsLog)
    .flatMap(({ predicate, object }) =>
      predicate === v.log && 'literal' in object ? [object.literal] : [],
    );
}

export const NONSENSE = '<nonsense>';

/** A line says that somebody has a key, and who was served has it in both logs. */
export function checkLogs(scene: Scene): void {
  const { world } = scene;
  const { analyser } = world;
  const isOfResult = (line: string) => line.includes(world.results);
  const own = freshLines(scene, analyser).filter(isOfResult);
  for (const person of world.everybody) {
    const lines = freshLines(scene, person).filter((line) => line !== NONSENSE);
    for (const line of lines) checkLine(scene, person, line);
    const urlsIn = (some: readonly string[]) => some.map((line) => line.split(';')[1] ?? '').sort();
    const granted = urlsIn(lines.filter(isOfResult));
    const noted = urlsIn(own.filter((line) => line.includes(`;${person.webId};read`)));
    for (const urls of [granted, noted]) {
      const isOnce = new Set(urls).size === urls.length;
      scene.expect(isOnce, `a log has a grant to ${person.name} twice`);
      for (const url of urls) {
        scene.expect(
          scene.hasKey(person, url),
          `a log grants ${url} to ${person.name}, without key`,
        );
      }
    }
    const hasOwn = granted.includes(world.ownUrl(person)) || !granted.includes(world.cohortUrl);
    scene.expect(hasOwn, `${person.name} has the key of the cohort, and no own document`);
    if (scene.isQuiet) checkGranted(scene, person, { granted, noted });
  }
}

function freshLines(scene: Scene, person: Person): string[] {
  const { lines: known } = scene.past;
  const before = known.get(person.root) ?? [];
  const lines = linesOf(scene, person);
  known.set(person.root, lines);
  return lines.filter((line) => !before.includes(line));
}

function checkLine(scene: Scene, { name, webId }: Person, line: string): void {
  const { analyser, results } = scene.world;
  const [, url = '', owner, action, granter, recipient, modes] = line.slice(1, -1).split(';');
  const isTheirs = owner === analyser.webId ? recipient === webId : owner === webId;
  scene.expect(isTheirs, `the log of ${name} has ${line}`);
  if (!url.startsWith(results)) return;
  const isGrant = action === 'grant' && granter === analyser.webId && modes === 'read';
  scene.expect(isGrant, `the log of ${name} has ${line}`);
  scene.expect(scene.recipients.has(webId), `${name} was logged a grant without a call`);
}

function checkGranted(
  scene: Scene,
  { name, webId, shared }: Person,
  { granted, noted }: { granted: readonly string[]; noted: readonly string[] },
): void {
  scene.expect(same(granted, noted), `the two logs of grants to ${name} differ`);
  const isServed = scene.isCommitted && scene.recipients.has(webId) && shared.length > 0;
  const documents = scene.world.service.config.sharing.share_cohort_average ? 2 : 1;
  const wanted = isServed ? documents : 0;
  scene.expect(granted.length === wanted, `${name} was granted ${granted.length} documents`);
}
