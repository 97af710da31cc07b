import { cp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import {
  type EmbeddedServer,
  startEmbeddedServer,
} from '../../src/embedded-server/embedded-server.js';
import { analyserEnv } from '../support/app-env.js';
import { createPod, type TestPod } from '../support/solid-server.js';

/** Addresses stand in what is kept, so the server is always this one; below the ports that systems give out. */
export const PORT = 21_987;
export const names = ['analyser', 'ada', 'ben', 'cleo'] as const;
export type Name = (typeof names)[number];
/** Of the version that made the golden files. */
export const goldenFolder = (version: string) => join(import.meta.dirname, version);
export const securityKeyOf = (name: Name) => `a security key that ${name} made up`;

/** The key of each result that a reader holds, by its address, in hex. */
export const heldKeysSchema = z.record(z.string(), z.string());

export interface GoldenWorld {
  server: EmbeddedServer;
  accounts: Record<Name, TestPod>;
}

/** A server with an account and an empty Pod for each name. */
export async function openGoldenWorld(): Promise<GoldenWorld> {
  const server = await startEmbeddedServer({ port: PORT });
  const accountOf = (name: Name) => createPod(server, name);
  const accounts = {
    analyser: await accountOf('analyser'),
    ada: await accountOf('ada'),
    ben: await accountOf('ben'),
    cleo: await accountOf('cleo'),
  };
  return { server, accounts };
}

export function settingsOf({ server, accounts }: GoldenWorld, name: Name) {
  const account = accounts[name];
  return {
    webId: account.webId,
    securityKey: securityKeyOf(name),
    credentials: account,
    serverUrl: server.baseUrl,
  };
}

export function secretsOf({ accounts }: GoldenWorld): Record<string, string> {
  return analyserEnv({ account: accounts.analyser, securityKey: securityKeyOf('analyser') });
}

/** Puts everything back as that version left it: the Pods, and config.yaml with var/ in `cwd`. */
export async function restore({ server }: GoldenWorld, version: string, cwd: string) {
  const golden = goldenFolder(version);
  for (const name of names) {
    const pod = join(server.rootDir, name);
    await rm(pod, { recursive: true });
    await cp(join(golden, 'pods', name), pod, { recursive: true });
  }
  await cp(join(golden, 'config.yaml'), join(cwd, 'config.yaml'));
  await cp(join(golden, 'var'), join(cwd, 'var'), { recursive: true });
  const held = await readFile(join(golden, 'held-keys.json'), 'utf8');
  return heldKeysSchema.parse(JSON.parse(held));
}
