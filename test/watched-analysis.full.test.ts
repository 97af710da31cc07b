import { expect, test } from 'vitest';
import { startService } from './grpc/child-service.js';
import { writeConfigFile } from './support/config-file.js';
import { createContributor, weekly } from './support/contributor.js';
import { createInitialisedPod } from './support/initialised-pod.js';
import { sharedSolidServer } from './support/solid-server.js';
import { newFolder } from './support/temp-folder.js';

const folder = await newFolder();
const steps = ['unlock', 'discover', 'read', 'draw', 'publish'];

test('[T38] metrics and log of a real analysis time its steps and name no person, Pod or address', async () => {
  const server = sharedSolidServer();
  const analyser = await createInitialisedPod(server);
  const alice = await createContributor(server, analyser, weekly([120, 80, 60], [130, 90, 70]));
  await writeConfigFile(folder, analyser, {
    grpc: { host: '127.0.0.1', port: 0 },
    metrics: { port: 0 },
    output: { render_charts: false },
  });
  await using service = await startService(folder);
  const serving = await service.logged('serving metrics on');
  const metricsPort = Number(/127\.0\.0\.1:(\d+)/.exec(serving)?.[1]);
  expect(await service.client.analyse(alice.pod.webId)).toMatchObject({
    status: 'ANALYSE_STATUS_COMPLETED',
  });

  // The last step ends when everybody has been answered.
  await service.logged('An analysis ends.');
  const metrics = await fetch(`http://127.0.0.1:${metricsPort}/metrics`).then((it) => it.text());
  expect(metrics).toContain('bp_analyser_analyses_total{outcome="COMPLETED"} 1');
  expect(metrics).toContain('bp_analyser_ready 1');
  for (const step of steps) {
    expect(metrics).toContain(`bp_analyser_step_duration_seconds_count{step="${step}"} 1`);
  }
  expect(metrics).toMatch(/request_duration_seconds_count\{method="GET",result="200"\} [1-9]/);
  const logged = await Promise.all(steps.map((step) => service.logged(`"step":"${step}"`)));
  for (const line of logged) expect(line).toMatch(/"duration_ms":\d+/);

  const outside = [metrics, ...logged].join('\n');
  for (const { pod, account } of [analyser, alice]) {
    for (const name of [pod.webId, pod.root, new URL(pod.root).pathname, account.clientId]) {
      expect(outside).not.toContain(name);
    }
  }
  expect(outside).not.toContain(new URL(server.baseUrl).host);
  service.child.kill('SIGTERM');
  expect(await service.exit).toEqual([0, null]);
});
