import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { findFreePort } from '../../src/embedded-server/embedded-server.js';
import { hasNginx, startNginx } from '../support/nginx.js';
import { PlainClient } from './plain-client.js';
import { alice, bob, completed } from './scripted-engine.js';
import { serve } from './serve.js';

/** Longer than the 60 seconds after which nginx cuts off a silent call by default. */
const ANALYSIS_MS = 75_000;

test.skipIf(!hasNginx)(
  'a long analysis gets through nginx as it is deployed, and not through one with its defaults',
  async () => {
    const conf = readFileSync(
      new URL('../../deploy/nginx/bp-analyser.conf', import.meta.url),
      'utf8',
    );
    const deployed = /location \/ \{([^}]*grpc_pass[^}]*)\}/.exec(conf)?.[1] ?? '';
    await using service = await serve({ callersPerTurn: 2 });
    const ports = {
      own: await findFreePort(),
      deployed: await findFreePort(),
      byDefault: await findFreePort(),
    };
    const server = (port: number, location: string) =>
      `server { listen 127.0.0.1:${port} http2; location / { ${location} } }`;
    const nginx = await startNginx(
      { own: ports.own, target: service.server.port },
      `upstream bp_analyser_grpc { server 127.0.0.1:${service.server.port}; keepalive 8; }
       ${server(ports.deployed, deployed)}
       ${server(ports.byDefault, 'grpc_pass grpc://bp_analyser_grpc;')}`,
    );
    const [patient, usual] = [new PlainClient(ports.deployed), new PlainClient(ports.byDefault)];
    try {
      const answered = patient.analyse(alice);
      const run = await service.engine.begun(1);
      const cut = expect(usual.analyse(bob)).rejects.toThrow();
      await pause(ANALYSIS_MS);
      run.finish(completed);
      expect(await answered).toMatchObject({ status: 'ANALYSE_STATUS_COMPLETED' });
      await cut;
    } finally {
      patient.close();
      usual.close();
      await nginx.stop();
    }
  },
  3 * 60_000,
);
