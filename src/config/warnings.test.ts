import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newFolder } from '../../test/support/temp-folder.js';

import { configSchema, type FoundSecrets, webProxySchema } from './schema.js';
import { listWarnings, warnOfPort, warnOfReadableSecrets, warnOfWebProxy } from './warnings.js';

const folder = await newFolder();

async function write(name: string, mode: number): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, '');
  await chmod(path, mode);
  return path;
}

const readable = (path: string, mode: string) =>
  `${path} holds secrets and other accounts can read it (mode ${mode}): run chmod 600 ${path}`;

test.each(['grpc', 'web_proxy'])('[T32] the private key of %s is warned of', async (section) => {
  const path = await write('closed.yaml', 0o600);
  const key = await write(`${section}.key`, 0o604);
  const value = { [section]: { tls_key_file: `${section}.key` } };
  expect(await warnOfReadableSecrets({ path, value, locate: String })).toEqual([
    readable(key, '0604'),
  ]);
});

test('[T32] the configuration is warned of if it holds a secret, and the file of secrets always', async () => {
  const path = await write('open.yaml', 0o644);
  const about = (value: unknown) => warnOfReadableSecrets({ path, value, locate: String });
  const secret = { analyser: { security_key: 'k' } };
  expect(await about({ grpc: { tls_key_file: null } })).toEqual([]);
  expect(await about(secret)).toEqual([readable(path, '0644')]);
  const beside = await write('open.env', 0o640);
  expect(await about({})).toEqual([readable(beside, '0640')]);
  await chmod(beside, 0o600);
  await chmod(path, 0o600);
  expect(await about(secret)).toEqual([]);
});

const none: FoundSecrets = {
  securityKey: null,
  clientId: null,
  clientSecret: null,
  grpcToken: null,
  redisUrl: null,
};

test.each([
  ['redis://redis.example', ['the password of Redis travels in the clear']],
  ['rediss://redis.example', []],
  ['redis://127.0.0.1:6379', []],
  ['redis://127.0.0.1.example', ['the password of Redis travels in the clear']],
])('the password for %s travels in the clear or not', (redisUrl, told) => {
  const config = configSchema.parse({
    analyser: { web_id: 'https://pods.example/analyser/profile/card#me' },
  });
  const complete = {
    ...config,
    analyser: { ...config.analyser, server_url: 'https://pods.example/' },
  };
  const warnings = listWarnings(complete, { ...none, redisUrl });
  expect(warnings).toHaveLength(told.length);
  for (const text of told) expect(warnings[0]).toContain(text);
});

const pair = { tls_cert_file: 'a.pem', tls_key_file: 'a.key' };

test('a port that others reach is warned of until it has TLS', () => {
  const { grpc } = configSchema.parse({
    analyser: { web_id: 'https://pods.example/analyser/profile/card#me' },
    grpc: { ...pair, host: '0.0.0.0' },
  });
  expect(warnOfPort(grpc, true)).toEqual([]);
  expect(warnOfPort({ ...grpc, tls_cert_file: null }, true)).toEqual([
    expect.stringContaining('there is no grpc.tls_cert_file'),
  ]);
  const { web_proxy } = webProxySchema.parse({
    web_proxy: { ...pair, host: '0.0.0.0', origins: ['https://app.example'] },
  });
  expect(warnOfWebProxy(web_proxy)).toEqual([]);
  expect(warnOfWebProxy({ ...web_proxy, tls_cert_file: null })).toEqual([
    expect.stringContaining('there is no web_proxy.tls_cert_file'),
  ]);
});
