import { createLogger } from '../../src/base/logger.js';
import { untilStopped } from '../../src/cli/stop-signals.js';
import { configSchema } from '../../src/config/schema.js';
import { startServer } from '../../src/grpc/server.js';
import { unobserved } from '../../src/run/observer.js';
import {
  analyserWebId,
  completed,
  ScriptedAnalyses,
  startScriptedAnalyses,
} from './scripted-analyses.js';

/**
 * A service in a process of its own. Says `begun` on stdout for its first analysis, which
 * ends when anything arrives on stdin.
 */
const analyses = new ScriptedAnalyses();
void analyses.begun(1).then((run) => {
  process.stdin.once('data', () => run.finish(completed));
  console.log('begun');
});

const config = configSchema.parse({
  analyser: { web_id: analyserWebId, server_url: 'https://pods.example/' },
  grpc: { host: '127.0.0.1', port: 0 },
});
const log = createLogger({ verbose: false });
await untilStopped(
  async () => {
    const { stop: stopAnalyses, ...behind } = await startScriptedAnalyses(analyses, config, log);
    const server = await startServer({
      ...behind,
      config,
      token: null,
      log,
      observe: unobserved,
    });
    return {
      async stop() {
        await server.stop();
        await stopAnalyses();
      },
    };
  },
  () => log.info('Stopping'),
);
process.stdin.destroy();
console.log('stopped');
