import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { z } from 'zod';
import { findFreePort } from '../../src/embedded-server/embedded-server.js';
import { PlainClient } from '../grpc/plain-client.js';
import { waitForEnd } from '../support/child-process.js';
import { createContributor, weekly } from '../support/contributor.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import { collectOwn } from '../support/published.js';
import { sharedSolidServer } from '../support/solid-server.js';
import {
  type BuiltImage,
  buildImage,
  type ContainerFiles,
  canBuild,
  makeVolume,
} from './built-image.js';

/** mem_limit of compose.yaml. */
const MOST_BYTES = 2 ** 30;
const sections = z.record(z.string(), z.record(z.string(), z.unknown()));

describe.skipIf(!canBuild)('the image', { timeout: 120_000 }, () => {
  let image: BuiltImage;
  let folder: string;
  let files: ContainerFiles;
  let port: number;
  let analyser: InitialisedPod;
  let alice: InitialisedPod;
  const opened: (() => PromiseLike<unknown>)[] = [];

  beforeAll(async () => {
    image = await buildImage();
    opened.push(() => image[Symbol.asyncDispose]());
    const server = sharedSolidServer();
    analyser = await createInitialisedPod(server);
    alice = await createContributor(server, analyser, weekly([120, 80, 60]));
    opened.push(...[analyser, alice].map((one) => () => one.close()));
    folder = await mkdtemp(join(tmpdir(), 'bp-container-'));
    opened.push(() => rm(folder, { recursive: true }));
    port = await findFreePort();
    const shipped = sections.parse(parse(readFileSync('deploy/container/config.yaml', 'utf8')));
    const configFile = join(folder, 'config.yaml');
    const { webId, clientId, clientSecret } = analyser.account;
    await writeFile(
      configFile,
      stringify({
        ...shipped,
        analyser: { web_id: webId },
        grpc: { ...shipped['grpc'], port },
        metrics: { port: 0 },
      }),
    );
    files = {
      volume: await makeVolume(folder, image.settings),
      configFile,
      env: {
        APP_ANALYSER_SECURITY_KEY: analyser.securityKey,
        APP_ANALYSER_CLIENT_ID: clientId,
        APP_ANALYSER_CLIENT_SECRET: clientSecret,
      },
    };
  }, 900_000);
  afterAll(() => Promise.all(opened.map((close) => close())));

  const open = (words: readonly string[]) => {
    const [program = '', ...args] = image.commandFor(words, files);
    return spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  };
  const run = (words: readonly string[]) => waitForEnd(open(words));

  test('answers a call and its own health check as an account without rights, on a root that cannot be written', async () => {
    const { settings } = image;
    const service = open([...settings.Entrypoint, ...settings.Cmd]);
    const ended = once(service, 'close');
    let said = '';
    for (const stream of [service.stdout, service.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        said += chunk.toString();
      });
    }
    const client = new PlainClient(port);
    const status = () => client.status().catch(() => ({ ready: false }));
    await expect
      .poll(async () => [await status(), said])
      .toEqual([expect.objectContaining({ ready: true }), expect.anything()]);
    const [kind, ...healthCheck] = settings.Healthcheck.Test;
    expect(kind).toBe('CMD');
    expect(await run(healthCheck)).toMatchObject({ code: 0 });
    const reply = await client.analyse(alice.pod.webId);
    expect(reply).toMatchObject({ status: 'ANALYSE_STATUS_COMPLETED', published: true });
    expect((await collectOwn(analyser, alice)).generated_at).toBe(reply['generated_at']);

    const inside = descendants(service.pid ?? 0).find((pid) => commandOf(pid).startsWith('node\0'));
    const state = readFileSync(`/proc/${inside}/status`, 'utf8');
    expect(state).toMatch(/^Uid:\t10001\t10001\t10001\t10001$/m);
    expect(state).toMatch(/^CapEff:\t0{16}$/m);
    expect(Number(/^VmHWM:\s+(\d+)/m.exec(state)?.[1]) * 1024).toBeLessThan(MOST_BYTES);
    client.close();
    service.kill('SIGTERM');
    await ended;
    expect(said).not.toContain(analyser.securityKey);
    expect((await readdir(files.volume)).sort()).toEqual(['charts', 'results', 'state']);
    expect((await stat(files.volume)).uid).toBe(10_001);
  });

  test('holds the program and what it stands on, and nothing that builds or tests', async () => {
    const { settings } = image;
    expect(settings).toMatchObject({
      User: '10001:10001',
      Volumes: { '/var/lib/bp-analyser': {} },
    });
    expect(await run([...settings.Entrypoint, '--version'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('tested'),
    });
    const { out } = await run(['ls', '/app', '/app/node_modules', '/app/node_modules/.bin']);
    const found = new Set(out.split('\n'));
    for (const needed of ['dist', 'web', 'package.json', 'fastify', 'bullmq'])
      expect(found).toContain(needed);
    for (const left of ['src', 'test', 'vitest', 'tsx', 'typescript', '@solid']) {
      expect(found).not.toContain(left);
    }
    expect(await run(['touch', '/app/dist/more.js'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('Read-only file system'),
    });
  });
});

function descendants(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  const pids = children.split(' ').filter(Boolean).map(Number);
  return pids.flatMap((child) => [child, ...descendants(child)]);
}

function commandOf(pid: number): string {
  return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
}
