import { expect, test } from 'vitest';
import { findFreePort } from '../../src/embedded-server/embedded-server.js';
import { startConfiguredServer } from '../support/configured-server.js';
import { createContributor, weekly } from '../support/contributor.js';
import { createInitialisedPod } from '../support/initialised-pod.js';
import { hasNginx, startNginx } from '../support/nginx.js';
import { collectOwn } from '../support/published.js';
import { noCharts, startTestRuns } from '../support/test-runs.js';

test.skipIf(!hasNginx)(
  'behind a proxy that compresses, each new caller gets a result',
  async () => {
    const [own, port] = [await findFreePort(), await findFreePort()];
    const compress = 'gzip on; gzip_proxied any; gzip_min_length 1; gzip_types text/turtle;';
    const pass = `proxy_pass http://127.0.0.1:${port}; proxy_http_version 1.1; proxy_set_header Host $http_host;`;
    await startNginx(own, `${compress} server { listen 127.0.0.1:${own}; location / { ${pass} } }`);
    const server = await startConfiguredServer({ port, baseUrl: `http://localhost:${own}/` });
    const analyser = await createInitialisedPod(server);
    const runs = await startTestRuns(server, analyser, noCharts);
    for (const value of [120, 130]) {
      const caller = await createContributor(server, analyser, weekly([value, 80, 60]));
      expect(await runs.ask(caller)).toMatchObject({ status: 'COMPLETED', published: true });
      expect((await collectOwn(analyser, caller)).average.systolic).toBe(value);
    }
  },
  120_000,
);
