import { execFile } from 'node:child_process';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Child, startNode, waitForEnd } from './child-process.js';

const start = promisify(execFile);
const unitFolder = '/etc/systemd/system';

interface Running {
  child: Child;
  ended: ReturnType<typeof waitForEnd>;
}

/**
 * Follows the commands of docs/operators.md, without root: /opt, /etc and /var lie in a folder, and the units are
 * started and stopped here as systemd does it.
 */
export class SystemdMachine {
  readonly #running = new Map<string, Running>();
  /** The log of each unit that was stopped. */
  readonly logs: string[] = [];

  private constructor(
    readonly root: string,
    /** What `config.env` holds. */
    private readonly secrets: Record<string, string>,
  ) {}

  static async create(root: string, secrets: Record<string, string>): Promise<SystemdMachine> {
    for (const folder of [unitFolder, '/etc/bp-analyser', '/var/lib/bp-analyser']) {
      await mkdir(join(root, folder), { recursive: true });
    }
    return new SystemdMachine(root, secrets);
  }

  async follow(
    commands: string,
    { cwd = this.root, env = {} }: { cwd?: string; env?: Record<string, string> } = {},
  ): Promise<void> {
    for (const command of commands.trim().split('\n')) {
      const [, verb, units = ''] =
        /^sudo systemctl ([a-z-]+(?: --now)?) ?(.*)$/.exec(command) ?? [];
      const names = units.split(' ');
      if (verb === undefined) {
        await start('sh', ['-e', '-c', this.#here(command.replace(/^sudo /, ''))], {
          cwd,
          env: { ...process.env, ...env },
        });
      } else if (verb === 'start' || verb === 'enable --now') {
        for (const name of names) await this.#start(name);
      } else if (verb === 'stop') {
        for (const name of names) await this.#stop(name);
      } else if (verb !== 'daemon-reload') {
        throw new Error(`systemctl ${verb} is not known here.`);
      }
    }
  }

  async kill(): Promise<void> {
    for (const { child, ended } of this.#running.values()) {
      child.kill('SIGKILL');
      await ended;
    }
  }

  async #start(name: string): Promise<void> {
    const unit = this.#here(await readFile(join(this.root, unitFolder, `${name}.service`), 'utf8'));
    const valueOf = (key: string) => new RegExp(`^${key}=(.*)$`, 'm').exec(unit)?.[1] ?? '';
    const [program, ...args] = valueOf('ExecStart').split(' ');
    if (program !== '/usr/bin/node') throw new Error(`${name} is started by ${program}.`);
    const variables = valueOf('Environment')
      .split(' ')
      .map((pair): [string, string] => {
        const [key = '', ...value] = pair.split('=');
        return [key, value.join('=')];
      });
    const secrets = valueOf('EnvironmentFile') === '' ? {} : this.secrets;
    const env = { ...Object.fromEntries(variables), ...secrets };
    const child = startNode(args, { cwd: this.root, env });
    this.#running.set(name, { child, ended: waitForEnd(child) });
  }

  /** A unit that does not run is stopped already. */
  async #stop(name: string): Promise<void> {
    const running = this.#running.get(name);
    if (running === undefined) return;
    running.child.kill('SIGTERM');
    const { code, err } = await running.ended;
    this.#running.delete(name);
    this.logs.push(err);
    if (code !== 0) throw new Error(`${name} ended with ${code}: ${err}`);
  }

  #here(text: string): string {
    return text.replaceAll(/(?<=^|[\s=])\/(?=(?:opt|etc|var)\/)/gm, `${this.root}/`);
  }
}
