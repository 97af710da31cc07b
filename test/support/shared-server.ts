import type { TestProject } from 'vitest/node';
import { startConfiguredServer } from './configured-server.js';

interface SharedServer {
  baseUrl: string;
  rootDir: string;
}

declare module 'vitest' {
  export interface ProvidedContext {
    solidServers: SharedServer[];
  }
}

/** Each keeps one core busy, and with a single one every test would wait for the others' requests. */
const SERVERS = 2;

/** Runs once before all test files. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const servers = await Promise.all(Array.from({ length: SERVERS }, () => startConfiguredServer()));
  project.provide(
    'solidServers',
    servers.map(({ baseUrl, rootDir }) => ({ baseUrl, rootDir })),
  );
  return async () => {
    await Promise.all(servers.map((server) => server.stop()));
  };
}
