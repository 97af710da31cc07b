import type { Person } from '../people/person.js';
import type { Scene } from './scene.js';

/** All that one person can read or is told, in the clear or opened with what they have. */
export function seenBy(scene: Scene, person: Person): [where: string, text: string][] {
  const { world, happened, published } = scene;
  const { server } = world;
  const replies = happened.calls.filter(({ webId }) => webId === person.webId);
  return [
    ...server.below(person.root).map((url): [string, string] => [url, server.textOf(url) ?? '']),
    ...published
      .filter(({ url }) => scene.mayRead(person, url))
      .map(({ url, text }): [string, string] => [url, text]),
    ...scene.openedIn(person).map((text): [string, string] => ['an entry of the inbox', text]),
    ...replies.map(({ report }): [string, string] => ['the reply', JSON.stringify(report)]),
  ];
}

/** Nobody is named to anybody else, and nothing of a Pod stands where others can read. */
export function checkNames(scene: Scene): void {
  const { everybody } = scene.world;
  for (const person of everybody) {
    const texts = seenBy(scene, person);
    for (const other of everybody) {
      if (other === person) continue;
      const found = texts.find((seen) => seen.some((text) => text.includes(other.name)));
      scene.expect(found === undefined, `${found?.[0]} of ${person.name} names ${other.name}`);
    }
  }
}
