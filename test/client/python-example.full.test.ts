import { execFile, spawnSync } from 'node:child_process';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openOwnPod, readReadings, readResult, revokeReadings } from '../../src/client/client.js';
import { Certificates } from '../grpc/certificates.js';
import { type AnalyserService, startAnalyserService } from '../support/analyser-service.js';
import { createContributor, weekly } from '../support/contributor.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import { blockOf } from '../support/pages.js';
import { createPod, sharedSolidServer } from '../support/solid-server.js';
import { newFolder } from '../support/temp-folder.js';

/** Debian's own Python is the one that Debian's packages are for. */
const python = '/usr/bin/python3';
const packages = 'import argon2, cryptography, grpc, grpc_tools, jwt, rdflib';
const hasPackages = spawnSync(python, ['-c', packages]).status === 0;
const start = promisify(execFile);

const title = hasPackages
  ? 'the Python of the pages'
  : 'the Python of the pages, left out: the packages that the page names are not installed';

const folder = await newFolder();

describe.skipIf(!hasPackages)(title, () => {
  const server = sharedSolidServer();
  let analyser: InitialisedPod;
  const certificates = new Certificates();
  let certificate: string;
  let service: AnalyserService;
  let safeService: AnalyserService;

  beforeAll(async () => {
    analyser = await createInitialisedPod(server);
    const others = weekly([110, 70, 60], [114, 74, 64]);
    for (let created = 0; created < 2; created += 1) {
      await createContributor(server, analyser, others);
    }
    const { cert, key } = certificates.selfSigned('IP:127.0.0.1');
    const tls = { tls_cert_file: cert, tls_key_file: key };
    certificate = cert;
    const token = 'a token';
    service = await startAnalyserService(server, analyser, { token });
    safeService = await startAnalyserService(server, analyser, { token, grpc: tls });
    const example = fileURLToPath(new URL('../../docs/examples/python', import.meta.url));
    await cp(example, folder, { recursive: true });
    const contract = fileURLToPath(new URL('../../proto', import.meta.url));
    const bindings = ['--python_out=.', '--grpc_python_out=.'];
    const generate = ['-m', 'grpc_tools.protoc', '-I', contract, ...bindings];
    await start(python, [...generate, 'healthpod/analyser/v1/analyser.proto'], { cwd: folder });
  });
  afterAll(() => certificates[Symbol.dispose]());

  test('of docs/app-developers.md makes the three calls', async () => {
    await writeFile(join(folder, 'call.py'), await blockOf('docs/app-developers.md', 'python', ''));
    const { webId } = await createPod(server);
    const args = ['call.py', `127.0.0.1:${service.port}`, webId, 'a token'];
    const { stdout } = await start(python, args, { cwd: folder });
    expect(stdout.split('\n')).toEqual([
      `ready ${analyser.pod.webId}`,
      'ANALYSE_STATUS_NO_DATA You have not shared any readings with the Analyser.',
      'CANCEL_STATUS_NOTHING_RUNNING',
      'True',
      '',
    ]);
  });

  test('gives the vectors of the page that the round trip does not need', async () => {
    const script = `import pod_formats as formats
print(*formats.derive_legacy_keys("analyser-test-key")[1:])
print(formats.server_spelling("http://localhost:3000/localhost:3000-alice/a b?c#d"))`;
    const { stdout } = await start(python, ['-c', script], { cwd: folder });
    const page = await readFile(new URL('../../docs/pod-format.md', import.meta.url), 'utf8');
    const [verification = '', ...others] = stdout.trimEnd().split('\n');
    expect(page).toContain(`| verification value, version 1 | \`${verification}\` |`);
    expect(others).toEqual(['http://localhost:3000/localhost%3A3000-alice/a%20b']);
  });

  test('makes a Pod ready, shares two readings, and opens the results', async () => {
    const { webId, clientId, clientSecret } = await createPod(server);
    const securityKey = 'a key of somebody who writes Python';
    const env = {
      APP_USER_WEB_ID: webId,
      APP_USER_SECURITY_KEY: securityKey,
      APP_USER_CLIENT_ID: clientId,
      APP_USER_CLIENT_SECRET: clientSecret,
      APP_USER_ANALYSER: analyser.pod.webId,
      APP_USER_GRPC: `http://127.0.0.1:${service.port}`,
      APP_ANALYSER_GRPC_TOKEN: 'a token',
      PYTHONUTF8: '1',
    };
    const analyse = async (values: string[], other: object = {}): Promise<string[]> => {
      const { stdout } = await start(python, ['share_and_read.py', ...values], {
        cwd: folder,
        env: { ...env, ...other },
      });
      return stdout.trimEnd().split('\n');
    };

    expect(await analyse(['118', '76', '64'])).toEqual([
      'your average   118.0 76.0 64.0',
      'cohort average 114.0 73.3 62.7',
      '1 files read, 0 skipped',
      'chart.png',
    ]);
    expect((await readFile(join(folder, 'chart.png'))).subarray(1, 4).toString()).toBe('PNG');
    // Now the Pod has its keys, and both inboxes are there. This time over TLS, with an authority of one's own.
    const over = { APP_USER_GRPC: `127.0.0.1:${safeService.port}`, SSL_CERT_FILE: certificate };
    expect((await analyse(['128', '86', '74'], over))[0]).toBe('your average   123.0 81.0 69.0');

    // Our own client takes the Pod for one of the app's.
    const own = await openOwnPod({ webId, securityKey, credentials: { clientId, clientSecret } });
    const stored = await readReadings(own);
    expect(stored.map(({ reading }) => [reading?.systolic, reading?.heart_rate])).toEqual([
      [118, 64],
      [128, 74],
    ]);
    const place = { analyserWebId: analyser.pod.webId };
    expect((await readResult(own, place)).pod.files_read).toBe(2);
    expect(await revokeReadings(own, analyser.pod.webId)).toBe(2);
    await own.close();
  });
});
