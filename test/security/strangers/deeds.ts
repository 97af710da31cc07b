import { dataOf, fileOf, HONEST, type HonestPods, readingText, sealed } from './honest-pods.js';
import { idOf } from './inbox.js';
import type { Deed, KeySource, Place } from './plan.js';
import { ANALYSER, ELSEWHERE, HOME, keyNamed, type World } from './world.js';

/** One sorts before both honest ones, one between, one after, one is on a server of its own. */
export const STRANGERS = [`${HOME}/mallory/`, `${HOME}/vz/`, `${HOME}/zed/`, `${ELSEWHERE}/eve/`];
const ROOTS = [...HONEST, ...STRANGERS, `${HOME}/nobody/`];

const spellings: readonly ((url: string) => string)[] = [
  (url) => url,
  (url) => url.replace('/vera/', '/%76era/').replace('/will/', '/%77ill/'),
  (url) => url.replace('https://pods.example', 'HTTPS://PODS.example:443'),
  (url) => url.replace('/data/', '/d%61ta/'),
];

type DeedOf<Kind extends Deed['deed']> = Extract<Deed, { deed: Kind }>;

/** Does what strangers can, and what the operator may be led to do. */
export class Strangers {
  #planted = 0;

  constructor(
    private readonly world: World,
    private readonly honest: HonestPods,
  ) {}

  perform(deed: Deed): void {
    switch (deed.deed) {
      case 'plant':
        this.#plant(deed);
        break;
      case 'remove':
      case 'replace':
      case 'add a key':
        this.#changeEntry(deed);
        break;
      case 'file':
        this.#writeFile(deed);
        break;
      case 'access':
        this.#changeAccess(deed);
        break;
      case 'folder':
        this.#openFolder(deed);
        break;
      case 'copy':
        this.#copy(deed);
        break;
      case 'forget':
        this.world.forget(rootAt(deed.who));
        break;
      case 'keys to an honest Pod':
        this.world.moveKeys(rootAt(deed.who), HONEST[deed.to] ?? '');
    }
  }

  #plant({ pod, place, key, spelling, id, times }: DeedOf<'plant'>): void {
    const addresses = this.#addressesOf(ROOTS[pod] ?? '', place);
    for (const address of addresses) {
      // Ninety in all are enough to meet every bound on what is asked at once or in succession.
      for (let time = 0; time < Math.ceil(times / addresses.length); time += 1) {
        this.#planted += 1;
        const url = times === 1 ? address : address.replace(/[^/]*$/, (name) => `!${time}${name}`);
        const spelled = spellings[spelling]?.(url) ?? url;
        const name = id === 'genuine' ? spelled : `${spelled} ${this.#planted}`;
        this.#enter(idOf(name, ANALYSER), spelled, [this.#key(key)]);
      }
    }
  }

  /** Anybody can add to an entry; one of another address gives way only where it may go. */
  #enter(id: string, spelling: string, keys: readonly Buffer[]): void {
    const { inbox } = this.world;
    const there = inbox.get(id);
    if (there === undefined || (there.spelling !== spelling && this.honest.mayGo(id))) {
      inbox.set(id, { spelling, keys });
    } else if (there.spelling === spelling) {
      inbox.set(id, { spelling, keys: [...keys, ...there.keys] });
    }
  }

  #changeEntry(deed: DeedOf<'remove' | 'replace' | 'add a key'>): void {
    const { inbox } = this.world;
    const entries = [...inbox];
    const [id, entry] = entries[deed.index % entries.length] ?? [];
    if (id === undefined || entry === undefined) return;
    if (deed.deed === 'add a key') {
      inbox.set(id, { ...entry, keys: [this.#key(deed.key), ...entry.keys] });
    } else if (this.honest.mayGo(id)) {
      if (deed.deed === 'remove') inbox.delete(id);
      else inbox.set(id, { ...entry, keys: [this.#key(deed.key)] });
    }
  }

  #writeFile({ who, index, kind, value, access, isShared }: DeedOf<'file'>): void {
    const root = rootAt(who);
    const folder = dataOf(root);
    const url = fileOf(root, index);
    const inherits = kind === 'key of the folder';
    const name = kind === 'shared key' ? 'stranger 0' : inherits ? folder : `stranger ${index % 4}`;
    const key = keyNamed(name);
    const { day } = this.world;
    const texts: Partial<Record<typeof kind, string>> = {
      implausible: readingText(99_900, day),
      'without heart rate': readingText(value, day, null),
      'no reading': '{}',
    };
    const text = texts[kind] ?? readingText(value, day);
    const sealedText = sealed(text, { url, root, key, inherits });
    const bodies: Partial<Record<typeof kind, string>> = {
      plaintext: text,
      page: '<html></html>',
      empty: '',
    };
    this.world.storage.put(url, bodies[kind] ?? sealedText, access);
    if (isShared) this.#enter(idOf(url, ANALYSER), url, [key]);
  }

  #changeAccess({ who, index, access }: DeedOf<'access'>): void {
    const root = rootAt(who);
    const file = this.world.storage.files.get(fileOf(root, index));
    if (file !== undefined) file.access = access;
  }

  #openFolder({ who, access, isShared }: DeedOf<'folder'>): void {
    const folder = dataOf(rootAt(who));
    this.world.storage.folders.set(folder, access);
    if (isShared) this.#enter(idOf(folder, ANALYSER), folder, [keyNamed(folder)]);
  }

  /**
   * A ciphertext, with its sealed key. Of two files that are new neither counts, as docs/threat-model.md
   * says, so one of an honest Pod is copied only after it was read.
   */
  #copy({ from, who, index }: DeedOf<'copy'>): void {
    const { storage, inbox } = this.world;
    const root = ROOTS[from] ?? '';
    const url = fileOf(root, index);
    const file = storage.files.get(url);
    if (file === undefined || (HONEST.includes(root) && !this.honest.mayBeCopied(url))) return;
    const copy = `${dataOf(rootAt(who))}copy_${index}.json.enc.ttl`;
    storage.put(copy, file.body, 'analyser');
    const about = [...inbox.values()].find(
      ({ spelling }) => spelling === url || spelling === dataOf(root),
    );
    if (about !== undefined) this.#enter(idOf(copy, ANALYSER), copy, about.keys);
  }

  #key({ from, index }: KeySource): Buffer {
    if (from === 'random') return keyNamed(`random ${this.#planted}`);
    if (from === 'their own') return keyNamed(`stranger ${index % 4}`);
    const keys = [...this.world.inbox.values()].flatMap((entry) => entry.keys);
    return keys[index % keys.length] ?? keyNamed('none');
  }

  #addressesOf(root: string, place: Place): string[] {
    const folder = dataOf(root);
    switch (place.at) {
      case 'file':
        return [fileOf(root, place.index)];
      case 'missing':
        return [`${folder}a_${place.index}.json.enc.ttl`];
      case 'inner':
        return [`${folder}further/${place.index === 0 ? 'in' : place.index}.json.enc.ttl`];
      case 'long':
        return [`${folder}!${place.index}${'x'.repeat(280)}.json.enc.ttl`];
      case 'folder':
        return [folder];
      case 'outer folder':
        return [folder.replace(/[^/]+\/$/, '')];
      case 'inner folder':
        return [`${folder}further/`];
      case 'every file':
        return Array.from({ length: this.honest.recorded }, (_, index) => fileOf(root, index));
    }
  }
}

function rootAt(index: number): string {
  return STRANGERS[index] ?? '';
}
