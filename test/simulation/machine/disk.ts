import * as fs from 'node:fs';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

const { lstat, mkdir, open, readdir, rename, rm, stat } = promises;
const real = { lstat, mkdir, open, readdir, rename, rm, stat };

/** What becomes of a change of the disk: it is made, the disk is full, or the process ends in the middle of it. */
export type Fortune = 'made' | 'full' | 'killed';

/**
 * The files below one folder, in place of those of this process between `install` and `restore`. Each change is asked
 * about and made at once, so the order of changes is that of the code, and a process can end between any two. What was not
 * synced is lost with it.
 */
export class PlannedDisk {
  /** Everything that was changed, in order. */
  readonly log: string[] = [];
  #isGone = false;
  readonly #open = new Set<number>();
  /** How much of each file a crash leaves; those that are not here are safe. */
  readonly #unsynced = new Map<string, number>();

  constructor(
    private readonly folder: string,
    private readonly plan: { fortuneOf: (change: string) => Fortune; slownessOf: () => number },
  ) {}

  install(): void {
    const isOurs = (path: unknown) => typeof path === 'string' && path.startsWith(this.folder);
    type Usual = (...args: never[]) => unknown;
    const stead =
      (usual: Usual, ours: Usual) =>
      (...args: unknown[]): unknown =>
        Reflect.apply(isOurs(args[0]) ? ours : usual, promises, args);
    Object.assign(promises, {
      lstat: stead(real.lstat, (path: string) => this.#look(() => fs.lstatSync(path))),
      stat: stead(real.stat, (path: string) => this.#look(() => fs.statSync(path))),
      readdir: stead(real.readdir, (path: string) => this.#look(() => fs.readdirSync(path).sort())),
      mkdir: stead(real.mkdir, (path: string, how: fs.MakeDirectoryOptions) =>
        this.#look(() => fs.mkdirSync(path, how)),
      ),
      open: stead(real.open, (path: string, flags: string | number, mode: number) =>
        this.#openFile(path, flags, mode),
      ),
      rename: stead(real.rename, (from: string, to: string) =>
        this.change(`rename ${from} ${to}`, () => {
          fs.renameSync(from, to);
          this.#move(from, to);
        }),
      ),
      rm: stead(real.rm, (path: string, how: fs.RmOptions) =>
        this.change(`remove ${path}`, () => {
          fs.rmSync(path, how);
          this.#unsynced.delete(path);
        }),
      ),
    });
    syncBuiltinESMExports();
  }

  restore(): void {
    Object.assign(promises, real);
    syncBuiltinESMExports();
  }

  /** From now on nothing that is under way ends. */
  kill(): void {
    this.#isGone = true;
  }

  /** The machine comes up again: the kernel has closed all files, and what was not synced is lost. */
  revive(): void {
    for (const fd of this.#open) fs.closeSync(fd);
    this.#open.clear();
    for (const [path, length] of this.#unsynced) fs.truncateSync(path, length);
    this.#unsynced.clear();
    this.#isGone = false;
  }

  /** Everything is gone, as with a new disk. */
  wipe(): void {
    for (const name of fs.readdirSync(this.folder)) {
      fs.rmSync(`${this.folder}/${name}`, { recursive: true });
    }
    this.#unsynced.clear();
  }

  /** `half` is what is made of it when the disk is full or the process ends. */
  async change(
    what: string,
    make: () => unknown,
    half: () => unknown = () => undefined,
  ): Promise<void> {
    const slowness = this.plan.slownessOf();
    if (slowness > 0) await new Promise<void>((resolve) => setTimeout(resolve, slowness));
    await this.#while(() => {
      this.log.push(what.replaceAll(this.folder, ''));
      const fortune = this.plan.fortuneOf(what);
      if (fortune === 'made') return void make();
      half();
      if (fortune === 'full') throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
      this.kill();
    });
  }

  async look<T>(see: () => T): Promise<T> {
    return await this.#look(see);
  }

  noteWritten(path: string, before: number): void {
    if (!this.#unsynced.has(path)) this.#unsynced.set(path, before);
  }

  noteSynced(path: string): void {
    this.#unsynced.delete(path);
  }

  noteClosed(fd: number): void {
    this.#open.delete(fd);
  }

  #look<T>(see: () => T): Promise<T> {
    return this.#while(see);
  }

  async #while<T>(act: () => T): Promise<T> {
    await Promise.resolve();
    await this.#whileAlive();
    const result = act();
    // A change is where a process ends.
    await this.#whileAlive();
    return result;
  }

  #whileAlive(): Promise<void> {
    return this.#isGone ? new Promise<never>(() => undefined) : Promise.resolve();
  }

  #openFile(path: string, flags: string | number, mode: number): Promise<PlannedFile> {
    return this.#look(() => {
      const fd = fs.openSync(path, flags, mode);
      this.#open.add(fd);
      return new PlannedFile(this, fd, path);
    });
  }

  #move(from: string, to: string): void {
    const length = this.#unsynced.get(from);
    this.#unsynced.delete(from);
    if (length === undefined) this.#unsynced.delete(to);
    else this.#unsynced.set(to, length);
  }
}

/** As much of a `FileHandle` as this service uses. */
class PlannedFile {
  constructor(
    private readonly disk: PlannedDisk,
    readonly fd: number,
    private readonly path: string,
  ) {}

  writeFile(data: string | Uint8Array): Promise<void> {
    return this.#write(Buffer.from(data));
  }

  appendFile(data: string): Promise<void> {
    return this.#write(Buffer.from(data));
  }

  /** The words of the holder of a lock: nobody needs them to be safe. */
  write(text: string, position: number): Promise<void> {
    return this.disk.change(`describe ${this.path}`, () => fs.writeSync(this.fd, text, position));
  }

  truncate(): Promise<void> {
    return this.disk.change(`empty ${this.path}`, () => fs.ftruncateSync(this.fd));
  }

  sync(): Promise<void> {
    return this.disk.look(() => this.disk.noteSynced(this.path));
  }

  close(): Promise<void> {
    return this.disk.look(() => {
      this.disk.noteClosed(this.fd);
      fs.closeSync(this.fd);
    });
  }

  stat(): Promise<fs.Stats> {
    return this.disk.look(() => fs.fstatSync(this.fd));
  }

  readFile(): Promise<Buffer> {
    return this.disk.look(() => fs.readFileSync(this.fd));
  }

  read(buffer: Buffer, offset: number, length: number, position: number) {
    return this.disk.look(() => ({
      bytesRead: fs.readSync(this.fd, buffer, offset, length, position),
      buffer,
    }));
  }

  #write(data: Buffer): Promise<void> {
    const put = (some: Buffer) => {
      this.disk.noteWritten(this.path, fs.fstatSync(this.fd).size);
      fs.writeSync(this.fd, some);
    };
    return this.disk.change(
      `write ${this.path}`,
      () => put(data),
      () => put(data.subarray(0, data.length / 2)),
    );
  }
}
