import { expect, test } from 'vitest';
import { findFreePort } from '../../src/embedded-server/embedded-server.js';
import { startConfiguredServer } from '../support/configured-server.js';
import { createContributor, weekly } from '../support/contributor.js';
import { createInitialisedPod } from '../support/initialised-pod.js';
import { hasNginx, startNginx } from '../support/nginx.js';
import { collectOwn } from '../support/published.js';
import { withTestRuns } from '../support/test-runs.js';

test.skipIf(!hasNginx)(
  'behind a proxy that compresses, each new caller gets a result',
  async () => {
    const ports = { own: await findFreePort(), target: await findFreePort() };
    const compress = 'gzip on; gzip_proxied any; gzip_min_length 1; gzip_types text/turtle;';
    await startNginx(ports, compress);
    const baseUrl = `http://localhost:${ports.own}/`;
    const server = await startConfiguredServer({
      port: ports.target,
      baseUrl,
    });
    try {
      const analyser = await createInitialisedPod(server);
      await withTestRuns(server, analyser, { output: { render_charts: false } }, async (runs) => {
        for (const value of [120, 130]) {
          const caller = await createContributor(server, analyser, weekly([value, 80, 60]));
          expect(await runs.ask(caller)).toMatchObject({ status: 'COMPLETED', published: true });
          expect((await collectOwn(analyser, caller)).average.systolic).toBe(value);
        }
      });
    } finally {
    }
  },
  120_000,
);
