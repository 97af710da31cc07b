import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { configSchema } from '../../src/config/schema.js';
import { startAnalysisService } from '../../src/service/analysis-service.js';
import { openResultsStore } from '../../src/store/results-store.js';
import { noLog } from '../support/no-log.js';
import { outputBelow } from '../support/output-below.js';
import { sampleResults } from '../support/results-sample.js';
import { silentThread } from '../support/silent-thread.js';

test('the last run is told from the start on, also while the storage server is away', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bp-last-run-'));
  const config = configSchema.parse({
    analyser: {
      web_id: 'http://127.0.0.1:1/analyser/profile/card#me',
      server_url: 'http://127.0.0.1:1/',
    },
    output: outputBelow(folder),
  });
  const document = sampleResults('20260819T091500Z', ['pods.example-alice']);
  await openResultsStore(config.output.results_dir).write(document);
  const credentials = { securityKey: 'key', clientId: 'id', clientSecret: 'secret' };
  const data = silentThread(config, credentials);
  const service = await startAnalysisService({ data, env: {}, log: noLog });
  await expect
    .poll(() => service.lastRun())
    .toEqual({ id: document.run_id, at: document.generated_at });
  expect(service.readiness.state.ready).toBe(false);
  await service.stop();
  await rm(folder, { recursive: true });
});
