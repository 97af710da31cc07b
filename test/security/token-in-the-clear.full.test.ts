import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { startCommand, waitForEnd } from '../support/child-process.js';
import { newFolder } from '../support/temp-folder.js';

const sentence = 'and there is no grpc.tls_cert_file';

test.each([
  ['0.0.0.0', 1],
  ['127.0.0.1', 0],
])('a service on %s that is given a token and no TLS says so once', async (host, times) => {
  const cwd = await newFolder();
  // No analysis is made, so the storage server need not be there.
  const config = {
    analyser: {
      web_id: 'http://127.0.0.1:9/analyser/profile/card#me',
      security_key: 'x',
      credentials: { client_id: 'x', client_secret: 'x' },
    },
    grpc: { host, port: 0, token: 'a-token' },
  };
  await writeFile(join(cwd, 'config.yaml'), stringify(config), { mode: 0o600 });
  const service = startCommand(['grpc'], { cwd });
  service.stderr.on('data', (text: Buffer) => {
    if (text.includes('serving gRPC on')) service.kill('SIGTERM');
  });
  const { err } = await waitForEnd(service);
  expect(err.split(sentence)).toHaveLength(times + 1);
});
