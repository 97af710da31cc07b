import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { VirtualClock } from './machine/clock.js';
import { type Fortune, PlannedDisk } from './machine/disk.js';
import { ELSEWHERE, Person } from './people/person.js';
import { PEOPLE, type Plan } from './plan.js';
import { type Interceptor, StorageServer } from './server/storage-server.js';
import { type Service, type Settings, startService } from './service.js';

const NAMES = ['ada-lovelace', 'bertha-benz', 'carl-gauss', 'dora-heilbron'];

/** What meets each request of the Analyser, and each change of its disk. */
export interface Weather {
  intercept: Interceptor;
  fortuneOf: (change: string) => Fortune;
  /** How long each change of the disk takes. */
  slownessOf: () => number;
}

export const fair: Weather = {
  intercept: (_, serve) => serve(),
  fortuneOf: () => 'made',
  slownessOf: () => 0,
};

/** The machine of the Analyser, its storage server and the people who have Pods there. */
export class World {
  readonly server = new StorageServer('https://pods.example/');
  // In memory where there is such a folder.
  readonly folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'world-'));
  readonly disk = new PlannedDisk(this.folder, {
    fortuneOf: (change) => this.weather.fortuneOf(change),
    slownessOf: () => this.weather.slownessOf(),
  });
  weather = fair;
  #settings: Settings;
  #parts: {
    service: Service;
    analyser: Person;
    people: readonly Person[];
    stranger: Person;
  } | null = null;

  constructor(
    readonly clock: VirtualClock,
    plan: Settings,
  ) {
    this.#settings = plan;
  }

  /** Everybody makes their Pod ready, and records what they have. */
  async populate({ layouts, first, isElsewhere }: Plan): Promise<void> {
    const analyser = await Person.create(this.server, 'analyser');
    const stranger = await Person.create(this.server, 'nobody-knows');
    const people: Person[] = [];
    for (const [index, name] of NAMES.slice(0, PEOPLE).entries()) {
      const serverUrl = isElsewhere && index === PEOPLE - 1 ? ELSEWHERE : this.server.baseUrl;
      const layout = layouts[index] ?? 'files';
      const person = await Person.create(this.server, name, { layout, serverUrl });
      for (const readings of first[index] ?? []) await person.record(readings, analyser.webId);
      people.push(person);
    }
    const service = await this.#newService(analyser);
    this.#parts = { service, analyser, people, stranger };
  }

  get #here() {
    if (this.#parts === null) throw new Error('Nobody is there yet.');
    return this.#parts;
  }

  get service(): Service {
    return this.#here.service;
  }

  get analyser(): Person {
    return this.#here.analyser;
  }

  /** Those who share. */
  get people(): readonly Person[] {
    return this.#here.people;
  }

  /** Shares nothing. */
  get stranger(): Person {
    return this.#here.stranger;
  }

  get everybody(): readonly Person[] {
    return [...this.people, this.stranger];
  }

  get memoryUrl(): string {
    return `${this.analyser.pod.documents.app}analyser/memory.txt`;
  }

  get results(): string {
    return `${this.analyser.pod.documents.app}data/analyser/`;
  }

  get cohortUrl(): string {
    return `${this.results}cohort/bp-cohort-average.json.enc.ttl`;
  }

  ownUrl({ podId }: Person): string {
    return `${this.results}${podId}/bp-average.json.enc.ttl`;
  }

  /** A new process over the same var/. */
  async restart(change: Partial<Settings> = {}): Promise<void> {
    this.#settings = { ...this.#settings, ...change };
    const service = await this.#newService(this.analyser);
    this.#parts = { ...this.#here, service };
  }

  /** The machine comes up again after its process was killed, with the disk as it was. */
  async recover(): Promise<void> {
    await this.clock.forgetTimers();
    this.weather = fair;
    this.disk.revive();
    await this.clock.until(this.restart());
  }

  async loseVar(): Promise<void> {
    this.disk.wipe();
    await this.restart();
  }

  end(): void {
    this.disk.restore();
    rmSync(this.folder, { recursive: true, force: true });
  }

  #newService(analyser: Person): Promise<Service> {
    const { server, folder } = this;
    const intercept: Interceptor = (...what) => this.weather.intercept(...what);
    return startService({ server, analyser, folder, intercept }, this.#settings);
  }
}
