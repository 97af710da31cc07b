import { createHash } from 'node:crypto';
import type { Person } from '../people/person.js';
import type { World } from '../world.js';
import { keyOf, openDocument } from './open-document.js';
import type { Past } from './past.js';
import { type Published, type Scene, same } from './scene.js';

/** Who may do what: everybody what the formats say, readers what was made for them, and nobody anything else. */
export function checkAccess(scene: Scene): void {
  const { world } = scene;
  const { server, analyser } = world;
  const { documents, root } = analyser.pod;
  const open: Record<string, readonly string[]> = {
    [`${root}profile/card`]: ['read'],
    [documents.publicKey]: ['read'],
    [documents.permissionsLog]: ['append'],
  };
  for (const url of server.below(root)) {
    const isShared = url.startsWith(documents.sharedFolder) && !url.endsWith('.acl');
    const wanted = isShared ? ['append', 'read', 'write'] : (open[url] ?? []);
    const toAll = [...server.modesOf(url, null)].sort();
    scene.expect(same(toAll, wanted), `everybody may ${toAll.join('+')} ${url}`);
    if (wanted.length > 0) continue;
    for (const person of world.everybody) checkReader(scene, person, url);
  }
  if (world.service.config.sharing.share_cohort_average) return;
  const readers = world.everybody.filter((person) => scene.mayRead(person, world.cohortUrl));
  const isClosed = !scene.isQuiet || !scene.isCommitted || readers.length === 0;
  scene.expect(isClosed, 'the document of the cohort is not closed');
}

function checkReader(scene: Scene, person: Person, url: string): void {
  const { name, webId } = person;
  const modes = [...scene.world.server.modesOf(url, webId)];
  if (modes.length === 0) return;
  const document = scene.published.find((one) => one.url === url);
  const isReading = same(modes, ['read']) && document !== undefined;
  scene.expect(isReading, `${name} may ${modes.join('+')} ${url}`);
  if (document === undefined) return;
  scene.expect(isFor(document, person), `${name} may read ${url}`);
  const { generatedAt } = document;
  const earlier = scene.past.recipients.get(generatedAt);
  const isMeant = (earlier ?? scene.recipients).has(webId);
  scene.expect(isMeant, `${name} may read ${url} of ${generatedAt}, and got no result of it`);
  const own = scene.published.find((one) => one.kind === 'pod-average' && isFor(one, person));
  const hasOwn = own?.generatedAt === generatedAt || earlier !== undefined;
  scene.expect(
    hasOwn || scene.happened.isCrashed,
    `${name} may read ${url} of ${generatedAt}, and has no own document of then`,
  );
}

function isFor({ kind, url }: Pick<Published, 'kind' | 'url'>, { podId }: Person): boolean {
  return kind === 'cohort-average' || url.includes(`/${podId}/`);
}

/** At any moment, nobody may read a text that was made for others: returns who may, and what. */
export function readersOfOthers(
  { server, analyser, results, people, everybody }: World,
  { opened, recipients }: Past,
  going: readonly { webId: string | null }[],
): string[] {
  const callers = new Set(going.flatMap(({ webId }) => webId ?? people.map((one) => one.webId)));
  const timeOf = (url: string) => {
    const body = server.textOf(url) ?? '';
    const known = opened.get(body);
    if (known !== undefined) return known;
    const text = openDocument(body, url, keyOf({ analyser }, url)) ?? '';
    const time = /"generated_at": ?"([^"]+)"/.exec(text)?.[1] ?? 'an unknown time';
    opened.set(body, time);
    return time;
  };
  return server.below(results).flatMap((url) => {
    if (url.endsWith('.acl')) return [];
    const time = timeOf(url);
    const meant = recipients.get(time) ?? callers;
    return everybody.flatMap(({ webId, name }) =>
      meant.has(webId) || !server.modesOf(url, webId).has('read')
        ? []
        : [`meanwhile ${name} may read ${url} of ${time}`],
    );
  });
}

const keyedDigest = (text: string | null) =>
  createHash('sha256')
    .update(text ?? '')
    .digest('base64');

/** To be called before an analysis: in the Pods of others, the Analyser writes nothing but keys and lines. */
export function noteOthers({ server, everybody }: World, { others }: Past): void {
  others.clear();
  for (const { root, pod } of everybody) {
    const { sharedKeys, permissionsLog } = pod.documents;
    const urls = server.below(root).filter((url) => url !== sharedKeys && url !== permissionsLog);
    for (const url of urls) others.set(url, keyedDigest(server.textOf(url)));
  }
}

export function checkOthers(scene: Scene): void {
  const { server } = scene.world;
  for (const [url, digest] of scene.past.others) {
    scene.expect(keyedDigest(server.textOf(url)) === digest, `${url} has changed`);
  }
}
