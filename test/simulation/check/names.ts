import type { Person } from '../people/person.js';
import type { Scene } from './scene.js';

/** All that one person is told by the Analyser, opened with what they have. */
export function toldTo(scene: Scene, person: Person): [where: string, text: string][] {
  const { happened, published } = scene;
  const replies = happened.calls.filter(({ webId }) => webId === person.webId);
  return [
    ...published
      .filter(({ url }) => scene.mayRead(person, url))
      .map(({ url, text }): [string, string] => [url, text]),
    ...scene.openedIn(person).map((text): [string, string] => ['an entry of the inbox', text]),
    ...replies.map(({ report }): [string, string] => ['the reply', JSON.stringify(report)]),
  ];
}

/** Nobody is named to anybody else, and nothing of a Pod stands where others can read. */
export function checkNames(scene: Scene): void {
  const { everybody, server } = scene.world;
  // The log names nobody, so neither does what an analysis hands over for it.
  const logged = scene.happened.outcome?.notices ?? [];
  const named = everybody.find(({ name }) => logged.some((text) => text.includes(name)));
  scene.expect(named === undefined, `${named?.name} is named for the log: ${logged.join()}`);
  for (const person of everybody) {
    const { sharedKeys, permissionsLog } = person.pod.documents;
    // All else in a Pod is its owner's, and stays as it was.
    const texts = [
      ...toldTo(scene, person),
      ...[sharedKeys, permissionsLog].map((url) => [url, server.textOf(url) ?? '']),
    ];
    for (const other of everybody) {
      if (other === person) continue;
      const found = texts.find((seen) => seen.some((text) => text.includes(other.name)));
      scene.expect(found === undefined, `${found?.[0]} of ${person.name} names ${other.name}`);
    }
  }
}
