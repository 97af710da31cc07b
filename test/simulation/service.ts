import { type Config, configSchema } from '../../src/config/schema.js';
import { unlockPod } from '../../src/pod/unlock-pod.js';
import { type AnalysisTools, createAnalysisTools } from '../../src/run/analysis-tools.js';
import { Connection } from '../../src/run/connection.js';
import { varFolders } from '../../src/run/folders-of-config.js';
import { unobserved } from '../../src/run/observer.js';
import { localPodReader } from '../../src/run/read/read-shares.js';
import { erasePod } from '../../src/run/remember/erase-pod.js';
import { memoryAccess } from '../../src/run/remember/memory-access.js';
import { forget } from '../../src/run/table/forget.js';
import { takeAnalysisLock } from '../../src/service/perform-turn.js';
import { outputBelow } from '../support/output-below.js';
import { clientFor, ELSEWHERE, type Person, securityKeyOf } from './people/person.js';
import type { Plan } from './plan.js';
import type { Interceptor, StorageServer } from './server/storage-server.js';

const PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

/** One process of the Analyser, with what it keeps between two analyses. */
export interface Service {
  config: Config;
  connection: Connection;
  tools: AnalysisTools;
}

interface Machine {
  server: StorageServer;
  analyser: Person;
  /** Of var/. */
  folder: string;
  intercept: Interceptor;
}

/** Of a whole history. */
export type Settings = Pick<Plan, 'sharing' | 'analysis' | 'timeout' | 'atOnce'>;

export async function startService(
  { server, analyser, folder, intercept }: Machine,
  { sharing, analysis, timeout, atOnce }: Settings,
): Promise<Service> {
  const config = configSchema.parse({
    analyser: { web_id: analyser.webId, server_url: server.baseUrl, app_dir_name: 'app' },
    sharing,
    analysis,
    data: { allowed_origins: [new URL(ELSEWHERE).origin] },
    grpc: { analysis_timeout_seconds: timeout },
    output: outputBelow(folder),
  });
  const client = clientFor(server, analyser.webId, { intercept, atOnce });
  const securityKey = securityKeyOf(analyser.name);
  const lock = { webId: analyser.webId, appDir: 'app', securityKey };
  const connection = new Connection(client, await unlockPod(client, lock), securityKey);
  const tools: AnalysisTools = {
    ...createAnalysisTools(config, unobserved, localPodReader),
    // What it shows, in place of how it looks.
    drawChart: ({ points, own, cohort }) =>
      Promise.resolve(Buffer.concat([PNG, Buffer.from(JSON.stringify({ points, own, cohort }))])),
  };
  return { config, connection, tools };
}

/** As the operator does who has looked. */
export async function confirmMemory({ connection, config, tools }: Service): Promise<void> {
  const access = memoryAccess(connection, config, tools.results.history);
  await access.change(({ memory }) => ({ ...memory, withheld: null }), true);
}

/** As the mode `forget --erase` does. */
export async function erasePerson(service: Service, { root, podId }: Person): Promise<void> {
  const { connection, config, tools } = service;
  const access = memoryAccess(connection, config, tools.results.history);
  const lock = await takeAnalysisLock(varFolders(config), {});
  await access.change(async ({ memory }) => {
    await tools.charts.remove(podId);
    return forget(memory, root).memory;
  });
  await erasePod({ connection, config, results: tools.results, root, podId });
  await lock.unlock();
}
