import { acquireLock } from '../../src/store/folder-lock.js';
import { type Happened, performAnalysis } from './analysis.js';
import { noteOthers, readersOfOthers } from './check/access.js';
import { checkWorld } from './check/check-world.js';
import { doubledIn } from './check/doubled.js';
import { namesOfErased } from './check/erased.js';
import { openMemory, readNote } from './check/open-memory.js';
import { nothingYet, type Past } from './check/past.js';
import { filesIn, Scene } from './check/scene.js';
import { installChance, restoreChance } from './machine/chance.js';
import { VirtualClock } from './machine/clock.js';
import { Strangers } from './people/strangers.js';
import { type Act, type Deed, type Plan, quiet, type Step } from './plan.js';
import { standings, toldToOthers } from './seen.js';
import { confirmMemory, erasePerson } from './service.js';
import { addTo, noneYet, type Totals } from './totals.js';
import { fair, World } from './world.js';

export interface Lived {
  totals: Totals;
  /** All that happened, in order: the same at each play. */
  log: readonly string[];
  /** Of each analysis. */
  told: readonly (readonly string[])[];
  standings: readonly unknown[];
}

/** Lives a history, and looks at the whole world after each analysis; throws when something is wrong. */
export async function live(plan: Plan): Promise<Lived> {
  const clock = new VirtualClock();
  const world = new World(clock, plan);
  // What is loaded on first use would be waited for in real time.
  await (await acquireLock(world.folder, 'service')).unlock();
  clock.install();
  installChance('world');
  world.disk.install();
  try {
    await clock.until(world.populate(plan));
    return await new History(world, plan).live();
  } finally {
    world.end();
    restoreChance();
    clock.restore();
  }
}

class History {
  readonly #past = nothingYet();
  readonly #log: string[] = [];
  readonly #told: string[][] = [];
  readonly #standings: unknown[] = [];
  #totals = noneYet;
  #strangers: Strangers | null = null;

  constructor(
    private readonly world: World,
    private readonly plan: Plan,
  ) {}

  async live(): Promise<Lived> {
    for (const [index, step] of this.plan.steps.entries()) await this.#take(index, step);
    // At the end comes a quiet analysis for all, which leaves nothing undone.
    if (this.#past.isWithheld) {
      await this.world.clock.until(confirmMemory(this.world.service));
      this.#past.isWithheld = false;
    }
    await this.#take(this.plan.steps.length, quiet);
    const log = [...this.#log, ...this.world.disk.log];
    return {
      totals: this.#totals,
      told: this.#told,
      standings: this.#standings,
      log: log.map((line) => line.replaceAll(this.world.folder, 'var')),
    };
  }

  async #take(index: number, step: Step): Promise<void> {
    const { world } = this;
    const past = this.#past;
    await world.clock.until(prepare(world, past, step));
    await world.clock.until(this.#erase(step));
    await world.clock.until(this.#molest(step.deeds));
    noteOthers(world, past);
    past.charts = new Set(filesIn(world, 'charts'));
    const seen = new Set<string>();
    const happened = await performAnalysis(world, step, (written, going) => {
      const problems = [...readersOfOthers(world, past, going), ...doubledIn(world, past, written)];
      for (const problem of problems) seen.add(problem);
    });
    if (happened.isCrashed) await world.recover();
    this.#note(happened);
    const scene = new Scene(world, past, happened);
    const before = past.memory;
    const problems = [...seen, ...checkWorld(scene)];
    this.#totals = addTo(this.#totals, scene, before);
    this.#told.push(toldToOthers(scene));
    this.#standings.push(standings(scene));
    if (problems.length === 0) return;
    const shown = problems.slice(0, 5).join('\n  ');
    throw new Error(`analysis ${index + 1} of ${this.plan.steps.length + 1}: ${shown}`);
  }

  async #erase({ erased }: Step): Promise<void> {
    const { world } = this;
    const person = world.people[erased ?? -1];
    if (person === undefined) return;
    await erasePerson(world.service, person);
    const [problem] = namesOfErased(world, person);
    if (problem !== undefined) throw new Error(problem);
    this.#past.memory = openMemory(world)?.memory ?? null;
    if (this.#past.isMolested) await person.shareAgain(world.analyser.webId);
  }

  async #molest(deeds: readonly Deed[]): Promise<void> {
    this.#strangers ??= new Strangers(this.world, this.#past);
    for (const deed of deeds) if (this.#isPrevented(deed)) await this.#strangers.perform(deed);
  }

  /** What strangers can do all the same stands in docs/threat-model.md. */
  #isPrevented({ deed }: Deed): boolean {
    const { steps } = this.plan;
    switch (deed) {
      case 'remove':
      case 'replace a key': {
        // A share that ended by mistake comes back by its entry.
        const kinds = steps.flatMap(({ trouble }) => trouble.faults.map(({ kind }) => kind));
        return !kinds.includes('403') && !kinds.includes('404');
      }
      case 'copy':
        // An older memory does not know whose key is whose, nor does one that is said not to be there.
        return !steps.some(
          ({ before, trouble }) =>
            before === 'memory back' || trouble.faults.some(({ kind }) => kind === '404'),
        );
      default:
        return true;
    }
  }

  #note({ requests, calls, failure }: Happened): void {
    this.#log.push(
      ...requests.map(({ method, url, status }) => `${method} ${url} ${status}`),
      ...calls.map(({ report }) => JSON.stringify(report)),
      failure?.message ?? '',
    );
  }
}

/** What happens between two analyses. */
async function prepare(world: World, past: Past, step: Step): Promise<void> {
  world.weather = fair;
  world.clock.pass(step.hours * 3_600_000);
  switch (step.before) {
    case 'restart':
      await world.restart({ sharing: step.sharing });
      break;
    case 'lose var':
      await world.loseVar();
      past.runIds = new Set();
      // Without the note nothing tells that it is an older one, unless an analysis has found that out and stored it.
      past.isWithheld = (openMemory(world)?.memory.withheld ?? null) !== null;
      break;
    case 'memory back':
      putMemoryBack(world, past);
      for (const person of past.isMolested ? world.people : []) {
        await person.shareAgain(world.analyser.webId);
      }
      break;
    case 'nothing':
  }
  for (const act of step.acts) await perform(world, act);
}

/** Somebody restores the Analyser's Pod, or the server's operator plays it an older memory. */
function putMemoryBack(world: World, past: Past): void {
  const earlier = past.bodies.at(-2);
  if (earlier === undefined) return;
  world.server.put(world.memoryUrl, earlier, 'text/plain');
  const stored = openMemory(world);
  const [note, found] = [readNote(world), stored ?? { version: 0, digest: '' }];
  const isOther = note.version === found.version && note.digest !== found.digest;
  // A second time it may be the right one again: what counts is what lies there, not what lay there in between.
  const isSaid = (stored?.memory.withheld ?? null) !== null;
  past.isWithheld = note.version > found.version || isOther || isSaid;
  past.memory = stored?.memory ?? null;
}

async function perform(world: World, { who, act, index, readings }: Act): Promise<void> {
  const person = world.people[who];
  const { webId } = world.analyser;
  if (act === 'record') await person?.record(readings, webId);
  else if (act === 'rewrite') await person?.rewrite(index, readings);
  else await person?.takeBack(index, webId);
}
