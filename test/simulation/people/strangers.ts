import { sealValue } from '../../../src/pod/crypto/rsa.js';
import { shareId, shareStatements, shareSubject } from '../../../src/pod/formats/shared-keys.js';
import { text, vocabulary as v } from '../../../src/pod/formats/vocabulary.js';
import { addToLog } from '../../../src/pod/sharing/permissions-log.js';
import { findRecipientPod } from '../../../src/pod/sharing/share-entries.js';
import { patchDocument } from '../../../src/solid/documents.js';
import type { Triple } from '../../../src/solid/turtle.js';
import { seededRandom } from '../../support/seeded-random.js';
import { NONSENSE } from '../check/logs.js';
import type { Past } from '../check/past.js';
import type { Deed } from '../plan.js';
import { writeRules } from '../server/access.js';
import type { World } from '../world.js';
import type { Person } from './person.js';

/** Does what strangers can. Nothing of it may change a figure, or what anybody else is told. */
export class Strangers {
  readonly #inbox: string;
  /** Chance of their own: without them all others draw the same. */
  readonly #bytes = seededRandom('strangers');

  constructor(
    private readonly world: World,
    private readonly past: Past,
  ) {
    this.#inbox = world.analyser.pod.documents.sharedKeys;
  }

  async perform(deed: Deed): Promise<void> {
    const { world, past } = this;
    const victim = world.people[deed.who];
    if (victim === undefined) return;
    past.isMolested = true;
    switch (deed.deed) {
      case 'plant':
        for (let time = 0; time < deed.times; time += 1) await this.#plant(victim, deed, time);
        break;
      case 'remove':
      case 'replace a key':
      case 'add a key':
        await this.#changeEntry(victim, deed);
        break;
      case 'copy':
        await this.#copy(victim, deed);
        break;
      case 'share rubbish':
        await this.#shareRubbish(deed);
        break;
      case 'spoil an inbox':
        await this.#spoilInbox(victim, deed);
        break;
      case 'write into a log': {
        const name = `${v.logId}${deed.index}${this.#random(4).toString('hex')}`;
        await addToLog(world.stranger.client, victim.pod, [text(name, v.log, NONSENSE)]);
        break;
      }
      case 'leave a file':
        await this.#leaveFile(deed.isGenuine ? victim : world.analyser, deed);
    }
  }

  /** Puts an entry for an address of somebody else into the Analyser's inbox. */
  async #plant(victim: Person, { place, index, isGenuine, ...deed }: Deed, time: number) {
    const url = this.#addressOf(victim, place, index + 10 * time);
    const seal = await this.#sealFor(this.world.analyser);
    const copied = this.#sealedKeys()[index];
    const key =
      deed.key === 'copied' && copied !== undefined
        ? copied
        : seal(this.#random(32).toString('base64'));
    await this.#enter(isGenuine ? url : `${url} other ${time}`, {
      path: seal(url),
      accessList: seal('read'),
      key,
    });
  }

  #addressOf({ shared, folder, root }: Person, place: Deed['place'], index: number): string {
    const missing = `${folder}a_${index}.json.enc.ttl`;
    switch (place) {
      case 'file':
        return shared[index % Math.max(1, shared.length)]?.url ?? missing;
      case 'missing':
        return missing;
      case 'folder':
        return folder;
      case 'inner folder':
        return `${folder}inner/`;
      case 'private':
        return index % 2 === 0 ? this.world.memoryUrl : `${root}app/encryption/enc-keys.ttl`;
    }
  }

  /** Of shares that were read before: those that were not, docs/threat-model.md leaves to strangers. */
  async #changeEntry(victim: Person, { deed, index }: Deed): Promise<void> {
    const pod = this.past.memory?.pods.get(victim.root);
    const known = [...(pod?.shares.keys() ?? []), ...(pod?.folders.keys() ?? [])];
    const url = known[index % Math.max(1, known.length)];
    if (url === undefined) return;
    const subject = this.#subjectOf(url);
    const entry = this.#entries().filter((triple) => triple.subject === subject);
    const seal = await this.#sealFor(this.world.analyser);
    const isGoing = (one: Triple) => deed === 'remove' || (deed === 'replace a key' && isKey(one));
    await this.#change({
      delete: entry.filter(isGoing),
      insert:
        deed === 'remove'
          ? []
          : [text(subject, v.sharedKey, seal(this.#random(32).toString('base64')))],
    });
  }

  /** Puts a ciphertext that was read before into the stranger's own Pod, with its sealed key. */
  async #copy(victim: Person, { index }: Deed): Promise<void> {
    const { server, stranger } = this.world;
    const known = this.past.memory?.pods.get(victim.root)?.shares;
    const files = victim.shared.filter(({ url }) => known?.has(url) === true);
    const url = files[index % Math.max(1, files.length)]?.url;
    if (url === undefined) return;
    const [sealed] = [url, victim.folder]
      .map((one) => this.#subjectOf(one))
      .flatMap((subject) => this.#entries().filter((one) => one.subject === subject && isKey(one)));
    if (sealed === undefined || !('literal' in sealed.object)) return;
    const name = `copy_${index}.json.enc.ttl`;
    const body = server.textOf(url)?.replaceAll(url, `${stranger.folder}${name}`);
    await this.#shareOwn(name, sealed.object.literal, body ?? '');
  }

  /** Shares a file that is nothing. */
  async #shareRubbish({ index, who }: Deed): Promise<void> {
    const bodies = ['', '<html></html>', '<#a> <#b', `# ${'x'.repeat(7_000_000)}`, '{"@id":'];
    const seal = await this.#sealFor(this.world.analyser);
    const type = index === 4 ? 'application/ld+json' : 'text/turtle';
    const name = `rubbish_${who}.json.enc.ttl`;
    await this.#shareOwn(
      name,
      seal(this.#random(32).toString('base64')),
      bodies[index] ?? '',
      type,
    );
  }

  /** A file in the stranger's own Pod, which the Analyser may read. */
  async #shareOwn(name: string, key: string, body: string, type = 'text/turtle'): Promise<void> {
    const { server, stranger, analyser } = this.world;
    const url = `${stranger.folder}${name}`;
    server.put(url, body, type);
    server.put(`${url}.acl`, writeRules(url, stranger.webId, { readers: analyser.webId }));
    const seal = await this.#sealFor(analyser);
    await this.#enter(url, { path: seal(url), accessList: seal('read'), key });
  }

  async #spoilInbox(victim: Person, { isGenuine }: Deed): Promise<void> {
    const { cohortUrl } = this.world;
    const url = isGenuine ? cohortUrl : this.world.ownUrl(victim);
    const subject = shareSubject(shareId(url, victim.webId));
    const seal = await this.#sealFor(victim);
    const { sharedKeys } = victim.pod.documents;
    const insert = [text(subject, v.sharedKey, seal(this.#random(32).toString('base64')))];
    await patchDocument(this.world.stranger.client, sharedKeys, { insert });
    this.past.spoilt.add(sharedKeys);
  }

  /** Anybody may write whatever they like beside an inbox. */
  async #leaveFile({ pod }: Person, { index }: Deed): Promise<void> {
    const url = `${pod.documents.sharedFolder}left/${index}.json.enc.ttl`;
    const headers = { 'content-type': 'text/turtle' };
    await this.world.stranger.client.request(url, { method: 'PUT', headers, body: '<#a> <#b' });
  }

  async #enter(named: string, values: { path: string; accessList: string; key: string }) {
    const id = shareId(named, this.world.analyser.webId);
    await this.#change({ insert: shareStatements(id, values) });
  }

  async #change(changes: { delete?: Triple[]; insert: Triple[] }): Promise<void> {
    await patchDocument(this.world.stranger.client, this.#inbox, changes);
  }

  #subjectOf(url: string): string {
    return shareSubject(shareId(url, this.world.analyser.webId));
  }

  #entries(): Triple[] {
    return this.world.server.triplesOf(this.#inbox);
  }

  #sealedKeys(): string[] {
    return this.#entries()
      .filter(isKey)
      .flatMap(({ object }) => ('literal' in object ? [object.literal] : []));
  }

  #random(length: number): Buffer {
    return Buffer.from(this.#bytes(length));
  }

  async #sealFor({ webId }: Person): Promise<(value: string) => string> {
    const { publicKey } = await findRecipientPod(this.world.stranger.client, webId, 'app');
    return (value) => sealValue(value, publicKey) ?? '';
  }
}

const isKey = ({ predicate }: Triple) => predicate === v.sharedKey;
