import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { startCommand, waitForEnd } from './support/child-process.js';
import { modes } from './support/modes.js';
import { newFolder } from './support/temp-folder.js';

const folder = await newFolder();
const config = join(folder, 'config.yaml');
const key = join(folder, 'key.pem');
const secrets = join(folder, 'config.env');
await writeFile(key, 'a key');
await writeFile(secrets, '');
await writeFile(join(folder, 'cert.pem'), 'a certificate');
const sections = {
  analyser: {
    web_id: 'http://127.0.0.1:9/analyser/profile/card#me',
    security_key: 'k',
    credentials: { client_id: 'i', client_secret: 's' },
  },
  // Not a pair, so that no mode comes so far as to serve.
  grpc: { tls_cert_file: 'cert.pem', tls_key_file: 'key.pem' },
  api: { enabled: false },
  output: { render_charts: false },
  // Without, a worker has nothing to do.
  scale: { redis_url: 'redis://127.0.0.1:9' },
};
await writeFile(config, stringify(sections));

const reading = modes.filter(({ flags }) => flags.includes('--config <file>'));
const warned = reading.filter(({ name }) => name !== 'setup');

test('the modes that read the configuration are known', () => {
  expect(warned.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['check', 'grpc', 'worker', 'serve', 'run-once', 'status']),
  );
});

async function start(name: string, takesArgument: boolean): Promise<string> {
  const words = takesArgument ? [name, 'https://a.example/b/profile/card#me'] : [name];
  const child = startCommand(words, { cwd: folder });
  let said = '';
  child.stderr.on('data', (text: Buffer) => {
    said += text.toString();
    // Further on some would try to reach a server that is not there.
    if (said.includes('key.pem')) child.kill('SIGKILL');
  });
  const { out, err } = await waitForEnd(child);
  return out + err;
}

test.each(warned.map(({ name, takesArgument }) => [name, takesArgument] as const))(
  '[T32] %s warns of every file with a secret that others can read, a group included',
  async (name, takesArgument) => {
    await Promise.all([chmod(config, 0o640), chmod(key, 0o644), chmod(secrets, 0o604)]);
    const err = await start(name, takesArgument);
    expect(err).toContain(`${config} holds secrets and other accounts can read it (mode 0640)`);
    expect(err).toContain(`${secrets} holds secrets and other accounts can read it (mode 0604)`);
    expect(err).toContain(`${key} holds secrets and other accounts can read it`);
  },
);

test('grpc says once that others reach its port without a guard', async () => {
  const { err } = await waitForEnd(startCommand(['grpc'], { cwd: folder }));
  expect(err.match(/Other machines reach 0\.0\.0\.0:50051, and there is no/g)).toHaveLength(1);
});
