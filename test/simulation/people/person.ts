import { initialisePod } from '../../../src/pod/initialise-pod.js';
import { revokeShares, shareResources } from '../../../src/pod/sharing/share.js';
import type { UnlockedPod } from '../../../src/pod/unlock-pod.js';
import { writeEncryptedResources } from '../../../src/pod/write-resource.js';
import { createSolidClient } from '../../../src/solid/http-solid-client.js';
import type { HttpSolidClient } from '../../../src/solid/solid-client.js';
import { writeInheriting } from '../../support/write-inheriting.js';
import { type Sums, sumUp, type Values } from '../check/sums.js';
import { privateKeyOf } from '../machine/keys.js';
import type { Interceptor, StorageServer } from '../server/storage-server.js';

export interface ReadingFile {
  url: string;
  readings: readonly Values[];
}

/** A server that is not the Analyser's. */
export const ELSEWHERE = 'https://elsewhere.example/';

interface ClientChoices {
  intercept?: Interceptor;
  serverUrl?: string;
  atOnce?: number;
}

export function clientFor(
  server: StorageServer,
  agent: string,
  { intercept, serverUrl = server.baseUrl, atOnce }: ClientChoices = {},
): HttpSolidClient {
  const transport = server.transportFor(agent, intercept);
  const allowedOrigins = [server.baseUrl, ELSEWHERE].map((url) => new URL(url).origin);
  return createSolidClient({
    serverUrl,
    allowedOrigins,
    credentials: null,
    transport,
    ...(atOnce !== undefined && { policy: { atOnce } }),
  });
}

export const securityKeyOf = (name: string) => `security key of ${name}`;

/** Files that are shared one by one, or a folder whose key they take; `alone`: one by one, with the key of their folder. */
export type Layout = 'files' | 'folder' | 'alone';

/** Somebody with a Pod, who does what the app lets people do, and what the Analyser may know of it. */
export class Person {
  /** What is shared now. */
  shared: readonly ReadingFile[] = [];
  #recorded = 0;
  #hasFolder = false;

  private constructor(
    readonly name: string,
    readonly webId: string,
    readonly root: string,
    readonly client: HttpSolidClient,
    readonly pod: UnlockedPod,
    readonly layout: Layout,
  ) {}

  static async create(
    server: StorageServer,
    name: string,
    { layout = 'files', serverUrl = server.baseUrl }: { layout?: Layout; serverUrl?: string } = {},
  ): Promise<Person> {
    const { webId, root } = server.createPod(name, serverUrl);
    const client = clientFor(server, webId, { serverUrl });
    const lock = { webId, appDir: 'app', securityKey: securityKeyOf(name) };
    const createKey = () => Promise.resolve(privateKeyOf(name));
    // The first version of keys needs no slow hash.
    const pod = await initialisePod(client, { ...lock, keyVersion: 1, createKey });
    return new Person(name, webId, root, client, pod, layout);
  }

  get folder(): string {
    return `${this.pod.documents.app}data/blood_pressure/`;
  }

  /** As the Analyser names a Pod: this server's addresses are of the usual form. */
  get podId(): string {
    return this.root.replace('https://', '').replace(/\/$/, '').replaceAll('/', '-');
  }

  get sums(): Sums {
    return sumUp(this.shared.flatMap(({ readings }) => readings));
  }

  async record(readings: readonly Values[], analyser: string): Promise<void> {
    this.#recorded += 1;
    const day = `2026-01-${String(this.#recorded).padStart(2, '0')}`;
    const url = `${this.folder}bp_${day}T08-00-00.json.enc.ttl`;
    await this.#write(url, readings);
    this.shared = [...this.shared, { url, readings }];
    if (this.layout !== 'folder') await this.#share(url, analyser);
    else if (!this.#hasFolder) await this.#share(this.folder, analyser);
    this.#hasFolder = true;
  }

  async rewrite(index: number, readings: readonly Values[]): Promise<void> {
    const file = this.shared[index % this.shared.length];
    if (file === undefined) return;
    await this.#write(file.url, readings);
    this.shared = this.shared.map((one) => (one === file ? { ...file, readings } : one));
  }

  async takeBack(index: number, analyser: string): Promise<void> {
    const file = this.shared[index % this.shared.length];
    if (file === undefined) return;
    this.shared = this.shared.filter((one) => one !== file);
    if (this.layout !== 'folder') {
      await revokeShares(this.client, this.pod, { urls: [file.url], recipientWebId: analyser });
      return;
    }
    await this.client.request(file.url, { method: 'DELETE' });
    // Strangers may have removed the entry of a folder that is forgotten, being empty: it is shared anew.
    if (this.shared.length === 0) this.#hasFolder = false;
  }

  /** For when strangers took entries away, and the Analyser has forgotten what they were about. */
  async shareAgain(analyser: string): Promise<void> {
    if (this.shared.length === 0) return;
    const urls = this.layout === 'folder' ? [this.folder] : this.shared.map(({ url }) => url);
    for (const url of urls) await this.#share(url, analyser);
  }

  async #share(url: string, recipientWebId: string): Promise<void> {
    await shareResources(this.client, this.pod, { urls: [url], recipientWebId });
  }

  async #write(url: string, readings: readonly Values[]): Promise<void> {
    const day = /\d{4}-\d{2}-\d{2}/.exec(url)?.[0] ?? '';
    const items = readings.map((responses, index) => ({
      timestamp: `${day}T0${index + 1}:00:00.000`,
      responses: { ...responses, notes: '' },
    }));
    const content = JSON.stringify(items.length === 1 ? items[0] : items);
    const contents = [{ url, content }];
    if (this.layout === 'files') await writeEncryptedResources(this.client, this.pod, contents);
    else await writeInheriting(this, contents, this.folder);
  }
}
