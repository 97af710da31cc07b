import { z } from 'zod';
import { compare } from '../../src/base/lists.js';
import { podAverageSchema } from '../../src/documents/published-document.js';
import type { RememberedPod } from '../../src/memory/memory.js';
import { toldTo } from './check/names.js';
import type { Scene } from './check/scene.js';
import type { Person } from './people/person.js';

/** What everybody but the first two is told. */
export function toldToOthers(scene: Scene): string[] {
  const { everybody, people } = scene.world;
  const others = everybody.filter((person) => !people.slice(0, 2).includes(person));
  return others.flatMap((person) => toldTo(scene, person).map((told) => told.join(' '))).sort();
}

/** Without what anybody can raise by an entry. */
const replySchema = z.object({
  status: z.string(),
  pod_count: z.number(),
  observation_count: z.number(),
  files_read: z.number(),
  published: z.boolean(),
});

/** How each Pod counts, is remembered and is served, whatever the time. */
export function standings(scene: Scene): unknown[] {
  return scene.world.people.map((person) => standingOf(scene, person));
}

function standingOf({ runs, happened, published, memory, world }: Scene, person: Person) {
  // Of whom nothing is known there is no run, and an entry is enough to be known.
  const isOfSharing = (webId: string | null) =>
    webId === null || world.people.some((one) => one.webId === webId && one.shared.length > 0);
  const run = runs.find(({ requested_by }) => isOfSharing(requested_by));
  const record = run?.pods.find(({ pod_root }) => pod_root === person.root);
  const { files_skipped: _skipped, home: _home, recent: _recent, ...counted } = record ?? {};
  const pod = memory?.memory.pods.get(person.root);
  const own = published.find(({ url }) => url === world.ownUrl(person));
  return {
    counted,
    remembered: pod === undefined ? null : rememberedOf(pod),
    replies: happened.calls
      .filter(({ webId }) => webId === person.webId)
      .map(({ report }) => report && replySchema.parse(report)),
    result: own === undefined ? null : resultIn(own.text),
  };
}

/**
 * Strangers can add a folder in which new files are looked for, and name files in another order, which decides nothing;
 * keys are drawn anew in each play.
 */
function rememberedOf({ shares, sums }: RememberedPod) {
  const files = [...shares].sort(([one], [other]) => compare(one, other));
  return {
    files: files.map(([url, { ownKey, missingOn }]) => ({
      url,
      hasKey: ownKey !== null,
      missingOn,
    })),
    sums,
  };
}

function resultIn(text: string) {
  const { generated_at: _time, pod, ...rest } = podAverageSchema.parse(JSON.parse(text));
  const { files_skipped: _skipped, ...own } = pod;
  return { ...rest, pod: own };
}
