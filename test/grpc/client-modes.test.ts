import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { findFreePort } from '../../src/embedded-server/embedded-server.js';
import { runMode } from '../support/command-line.js';
import { newFolder } from '../support/temp-folder.js';
import { Certificates } from './certificates.js';
import { alice, analyserWebId, bob, completed, ScriptedAnalyses } from './scripted-analyses.js';
import { serve } from './serve.js';

const analyser = { web_id: analyserWebId };

/** Runs a mode as the command line does, in this process. */
async function run(args: string[], grpc: object, env: Record<string, string> = {}) {
  const cwd = await newFolder();
  const config = stringify({ analyser, grpc });
  await writeFile(join(cwd, 'config.yaml'), config, { mode: 0o600 });
  return await runMode(args, { cwd, env });
}

test('[T19] analyse prints the reply, one aligned line a field, and ends with 0', async () => {
  await using service = await serve();
  // A wildcard address is one to listen on; it is dialled as loopback.
  const mode = run(['analyse', alice], { host: '0.0.0.0', port: service.server.port });
  (await service.analyses.begun(1)).finish({ ...completed, message: 'Done.\u001b[2J' });
  expect(await mode).toEqual({
    code: 0,
    err: '',
    out: [
      'status             ANALYSE_STATUS_COMPLETED',
      'run id             20260819T091500Z',
      'message            Done.',
      `result url         ${completed.result_url}`,
      'generated at       2026-08-19T09:15:00.000+00:00',
      'pod count          3',
      'observation count  12',
      'files read         12',
      'files skipped      1',
      'published          yes',
    ].join('\n'),
  });
});

test('analyse and cancel print JSON for scripts; a cancelled analysis ends with 1', async () => {
  await using service = await serve();
  const grpc = { host: '127.0.0.1', port: service.server.port };
  const analyse = run(['analyse', alice, '--json'], grpc);
  await service.analyses.begun(1);
  const cancel = await run(['cancel', alice, '--json'], grpc);
  expect(cancel.code).toBe(0);
  expect(JSON.parse(cancel.out)).toMatchObject({ status: 'CANCEL_STATUS_STOPPED' });
  const { code, out } = await analyse;
  expect(code).toBe(1);
  expect(JSON.parse(out)).toMatchObject({ status: 'ANALYSE_STATUS_CANCELLED', files_read: 0 });
});

test('[8.1] analyse ends with 1 when the reply is NO_DATA, and says why', async () => {
  const [status, message] = ['NO_DATA', 'You have not shared any readings.'] as const;
  await using service = await serve();
  const mode = run(['analyse', alice], { host: '127.0.0.1', port: service.server.port });
  (await service.analyses.begun(1)).finish({ ...completed, status, message });
  const { code, out } = await mode;
  expect(code).toBe(1);
  expect(out).toMatch(new RegExp(`^status +ANALYSE_STATUS_${status}$`, 'm'));
  expect(out).toContain(message);
});

test('cancel with nothing to stop ends with 0', async () => {
  await using service = await serve();
  const { code, out } = await run(['cancel', bob], {
    host: '127.0.0.1',
    port: service.server.port,
  });
  expect(out).toBe(
    [
      'status   CANCEL_STATUS_NOTHING_RUNNING',
      'message  No analysis is running or waiting for this WebID.',
      'run id   –',
    ].join('\n'),
  );
  expect(code).toBe(0);
});

test('status ends with 0 when the service is ready and with 1 when it is not', async () => {
  const analyses = new ScriptedAnalyses();
  analyses.onConnect = () => Promise.reject(new Error('a bug'));
  await using broken = await serve({ analyses });
  await using ready = await serve();
  const ask = (port: number) => run(['status'], { host: '::ffff:127.0.0.1', port });
  expect(await ask(ready.server.port)).toMatchObject({ code: 0 });
  const { code, out } = await ask(broken.server.port);
  expect(code).toBe(1);
  expect(out).toMatch(/^ready +no$/m);
  expect(out).toMatch(/^message +The service failed to get ready/m);
});

test('[0.12] Ctrl-C hangs up, which cancels the analysis', async () => {
  await using service = await serve();
  const mode = run(['analyse', alice], { host: '127.0.0.1', port: service.server.port });
  const { signal } = await service.analyses.begun(1);
  const stopped = new Promise((resolve) => signal.addEventListener('abort', resolve));
  process.emit('SIGINT');
  expect(await mode).toMatchObject({ code: 1, err: 'Interrupted.' });
  await stopped;
});

test('[T17] a call that cannot be made ends with 4 and one sentence on what to do', async () => {
  await using guarded = await serve({ token: 'right' });
  const grpc = { host: '127.0.0.1', port: guarded.server.port };
  const told = (how: RegExp) => ({ code: 4, err: expect.stringMatching(how) });
  const hint = /got none that is right\.\nThe token must be .*grpc\.token of app\.yaml/;
  expect(await run(['status'], grpc)).toMatchObject(told(hint));
  const wrong = { APP_ANALYSER_GRPC_TOKEN: 'wrong' };
  expect(await run(['status'], grpc, wrong)).toMatchObject(told(hint));
  expect(await run(['status'], { ...grpc, token: 'right' })).toMatchObject({ code: 0 });

  expect(await run(['analyse', '   '], { ...grpc, token: 'right' })).toMatchObject({
    code: 2,
    err: expect.stringMatching(/is not a WebID/),
  });

  const port = await findFreePort();
  expect(await run(['status'], { host: '127.0.0.1', port })).toEqual({
    code: 4,
    out: '',
    err: expect.stringMatching(
      /^The service at 127\.0\.0\.1:\d+ could not be reached: .*ECONNREFUSED.*\nCheck host and port, /,
    ),
  });
});

test('the modes dial with TLS when the configuration has a certificate', async () => {
  using certificates = new Certificates();
  const [own, other] = ['DNS:a.example', 'DNS:b.example'].map((name) =>
    certificates.selfSigned(name),
  );
  if (own === undefined || other === undefined) return;
  const files = { tls_cert_file: own.cert, tls_key_file: own.key };
  await using service = await serve({ grpc: files });
  const grpc = { host: '127.0.0.1', port: service.server.port };
  expect(await run(['status'], { ...grpc, ...files })).toMatchObject({ code: 0 });
  const wrong = { tls_cert_file: other.cert, tls_key_file: other.key };
  expect(await run(['status'], { ...grpc, ...wrong })).toMatchObject({
    code: 4,
    err: expect.stringMatching(/could not be reached: .*certificate/),
  });
});
