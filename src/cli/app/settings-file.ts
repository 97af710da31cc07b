import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseDocument } from 'yaml';
import type { z } from 'zod';
import { AnalyserError } from '../../base/errors.js';
import {
  checkFile,
  firstGiven,
  type Given,
  type ParsedFile,
  readYamlFile,
  withGiven,
} from '../../config/config-file.js';
import {
  file,
  flag,
  folderName,
  folderPath,
  hostName,
  origin,
  port,
  secret,
  section,
  serverUrl,
  token,
  webId,
} from '../../config/values.js';
import { writeFileAtomically } from '../../store/files.js';

export interface AppFlags {
  settings?: string;
  webId?: string;
  analyser?: string;
  grpc?: string;
}

const settingsSchema = section({
  web_id: webId.optional(),
  server_url: serverUrl.optional(),
  app_dir_name: folderName.default('app'),
  security_key: secret(),
  credentials: section({ client_id: secret(), client_secret: secret() }).prefault({}),
  account: section({ email: secret(), password: secret() }).prefault({}),
  analyser: section({
    web_id: webId.optional(),
    results_dir: folderPath.default('analyser'),
  }).prefault({}),
  grpc: section({
    host: hostName.default('127.0.0.1'),
    port: port.default(50051),
    token,
    tls: flag.default(false),
    tls_cert_file: file.optional(),
    // Only for a service that asks callers to prove their WebID: the value of its grpc.public_url.
    public_url: origin.optional(),
  }).prefault({}),
});

export interface AppSettings {
  settings: z.infer<typeof settingsSchema>;
  path: string;
}

/** A flag wins over the environment, and that over the file. A file that the user has named must exist. */
export async function readSettings(
  { cwd, env }: { cwd: string; env: NodeJS.ProcessEnv },
  flags: AppFlags,
): Promise<AppSettings> {
  const file = await readNamed(cwd, flags.settings || env['APP_USER_SETTINGS'] || null);
  const settings = checkFile(settingsSchema, withGiven(file, listGiven(flags, env)));
  return { settings, path: file.path };
}

async function readNamed(cwd: string, named: string | null): Promise<ParsedFile> {
  const path = resolve(cwd, named ?? 'app.yaml');
  if (named === null && !existsSync(path)) return { path, value: {}, locate: () => path };
  return await readYamlFile(path, {
    missing: `There are no settings at ${path}: correct --settings or APP_USER_SETTINGS.`,
    empty: `${path} is empty: fill in web_id at least, or remove it.`,
  });
}

function listGiven(flags: AppFlags, env: NodeJS.ProcessEnv): Given[] {
  const variable = (name: string): [string | undefined, string] => [env[name], name];
  return [
    ...firstGiven('web_id', [flags.webId, '--web-id'], variable('APP_USER_WEB_ID')),
    ...firstGiven('analyser.web_id', [flags.analyser, '--analyser'], variable('APP_USER_ANALYSER')),
    ...firstGiven('grpc', [flags.grpc, '--grpc'], variable('APP_USER_GRPC')).flatMap(hostAndPort),
    ...firstGiven('grpc.token', variable('APP_ANALYSER_GRPC_TOKEN')),
    ...firstGiven('security_key', variable('APP_USER_SECURITY_KEY')),
    ...firstGiven('credentials.client_id', variable('APP_USER_CLIENT_ID')),
    ...firstGiven('credentials.client_secret', variable('APP_USER_CLIENT_SECRET')),
    ...firstGiven('account.email', variable('APP_USER_EMAIL')),
    ...firstGiven('account.password', variable('APP_USER_PASSWORD')),
  ];
}

function hostAndPort({ value, name }: Given): Given[] {
  const [, host, port] = /^\[?([\w.:-]+?)\]?:(\d{1,5})$/.exec(String(value)) ?? [];
  if (host === undefined) {
    throw new AnalyserError('configuration', `${name}: expected host:port, got "${value}".`);
  }
  return [
    { key: 'grpc.host', value: host, name },
    { key: 'grpc.port', value: Number(port), name },
  ];
}

/** Sets keys in the file, which stays as it is otherwise, and makes it readable by its owner only. */
export async function keepInSettings(path: string, values: Record<string, unknown>): Promise<void> {
  const document = parseDocument(existsSync(path) ? await readFile(path, 'utf8') : '{}\n');
  for (const [key, value] of Object.entries(values)) document.set(key, value);
  if (document.contents !== null && 'flow' in document.contents) document.contents.flow = false;
  await writeFileAtomically(path, String(document), 0o600);
}
