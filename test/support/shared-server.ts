import type { TestProject } from 'vitest/node';
import { startConfiguredServer } from './configured-server.js';

declare module 'vitest' {
  export interface ProvidedContext {
    solidServerUrl: string;
    solidServerFolder: string;
  }
}

/** Runs once before all test files. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startConfiguredServer({ bookkeeping: 'memory' });
  project.provide('solidServerUrl', server.baseUrl);
  project.provide('solidServerFolder', server.rootDir);
  return () => server.stop();
}
