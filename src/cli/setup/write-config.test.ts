import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderForEach } from '../../../test/support/temp-folder.js';
import { createSecretsFile, writeConfig, writeSecretsFile } from './write-config.js';

const folder = folderForEach();
const secrets = { APP_ANALYSER_SECURITY_KEY: 'correct horse' };
const identity = {
  webId: 'https://pods.example/analyser/profile/card#me',
  serverUrl: 'https://pods.example/',
  appDir: 'app',
};

test.each<[string, string, (configFile: string) => Promise<void>]>([
  ['secrets that are new', 'config.env', (path) => createSecretsFile(path, secrets)],
  ['secrets that are written again', 'config.env', (path) => writeSecretsFile(path, secrets)],
  ['the configuration', 'config.yaml', (path) => writeConfig(path, identity, {})],
])('[T39] %s: for the account that sets up alone, whatever the umask', async (_, name, write) => {
  const before = process.umask(0);
  await write(join(folder(), 'config.yaml'));
  process.umask(before);
  expect((await stat(join(folder(), name))).mode & 0o777).toBe(0o600);
  expect(await readFile(join(folder(), name), 'utf8')).toMatch(/correct horse|web_id/);
});
