import { resolve } from 'node:path';
import { parseDocument } from 'yaml';
import { z } from 'zod';
import { AnalyserError } from '../../base/errors.js';
import { isRecord } from '../../base/parse-json.js';
import { type ParsedFile, readYamlFile } from '../../config/config-file.js';
import { listSecretKeys } from '../../config/keys.js';
import { describeIssues } from '../../config/problems.js';
import {
  file,
  flag,
  folderName,
  folderPath,
  hostName,
  origin,
  port,
  secret,
  serverUrl,
  token,
  webId,
} from '../../config/values.js';
import { writeFileAtomically } from '../../store/atomic-file.js';
import { readText } from '../read-text.js';

/** The flags that stand for settings; each mode has some of them. */
export interface AppFlags {
  settings?: string;
  webId?: string;
  analyser?: string;
  grpc?: string;
}

const settingsSchema = z.strictObject({
  web_id: webId.optional(),
  server_url: serverUrl.optional(),
  app_dir_name: folderName.default('app'),
  security_key: secret('APP_USER_SECURITY_KEY'),
  credentials: z
    .strictObject({
      client_id: secret('APP_USER_CLIENT_ID'),
      client_secret: secret('APP_USER_CLIENT_SECRET'),
    })
    .prefault({}),
  account: z
    .strictObject({ email: secret('APP_USER_EMAIL'), password: secret('APP_USER_PASSWORD') })
    .prefault({}),
  analyser: z
    .strictObject({ web_id: webId.optional(), results_dir: folderPath.default('analyser') })
    .prefault({}),
  grpc: z
    .strictObject({
      host: hostName.default('127.0.0.1'),
      port: port.default(50051),
      token,
      tls: flag.default(false),
      tls_cert_file: file.optional(),
      // Only for a service that asks callers to prove their WebID: the value of its grpc.public_url.
      public_url: origin.optional(),
    })
    .prefault({}),
});

export interface AppSettings {
  settings: z.infer<typeof settingsSchema>;
  /** The absolute path of the file, which need not exist. */
  path: string;
  /** Permission bits; 0 when there is no file. */
  mode: number;
}

/**
 * Reads the settings: a flag wins over the environment, and the environment over the file. The default file may be
 * missing; a file that the user has named must exist.
 */
export async function readSettings(
  { cwd, env }: { cwd: string; env: NodeJS.ProcessEnv },
  flags: AppFlags,
): Promise<AppSettings> {
  const file = await readFile(cwd, flags.settings || env['APP_USER_SETTINGS'] || null);
  const given = listGiven(flags, env);
  const value = given.reduce((all, { path, value }) => setAt(all, path, value), file.value);
  const parsed = settingsSchema.safeParse(value);
  if (parsed.success) return { settings: parsed.data, path: file.path, mode: file.mode };
  const locate: ParsedFile['locate'] = (key) =>
    given.find(({ path }) => path.join() === key.join())?.name ?? file.locate(key);
  const problems = describeIssues({ ...file, value, locate }, settingsSchema, parsed.error);
  throw new AnalyserError('configuration', problems);
}

async function readFile(cwd: string, named: string | null): Promise<ParsedFile> {
  const path = resolve(cwd, named ?? 'app.yaml');
  if (named === null && (await readText(path)) === null) {
    return { path, mode: 0, uid: 0, value: {}, locate: () => path };
  }
  return await readYamlFile(path, {
    missing: `There are no settings at ${path}: correct --settings or APP_USER_SETTINGS.`,
    empty: `${path} is empty: fill in web_id at least, or remove it.`,
  });
}

interface Given {
  /** The key in the file that it stands for. */
  path: readonly string[];
  value: string | number;
  /** The flag or the variable that it comes from. */
  name: string;
}

function listGiven(flags: AppFlags, env: NodeJS.ProcessEnv): Given[] {
  const find = (path: readonly string[], variable: string, name = '', flag = ''): Given[] => {
    const one = [
      { path, value: flag, name },
      { path, value: env[variable] ?? '', name: variable },
    ].find(({ value }) => value.trim() !== '');
    return one === undefined ? [] : [one];
  };
  return [
    ...find(['web_id'], 'APP_USER_WEB_ID', '--web-id', flags.webId),
    ...find(['analyser', 'web_id'], 'APP_USER_ANALYSER', '--analyser', flags.analyser),
    ...find(['grpc'], 'APP_USER_GRPC', '--grpc', flags.grpc).flatMap(hostAndPort),
    ...listSecretKeys(settingsSchema).flatMap(({ path, variable }) => find(path, variable)),
  ];
}

function hostAndPort({ value, name }: Given): Given[] {
  const [, host, port] = /^\[?([\w.:-]+?)\]?:(\d{1,5})$/.exec(String(value)) ?? [];
  if (host === undefined) {
    throw new AnalyserError('configuration', `${name}: expected host:port, got "${value}".`);
  }
  return [
    { path: ['grpc', 'host'], value: host, name },
    { path: ['grpc', 'port'], value: Number(port), name },
  ];
}

/** A copy with a value at a path. */
function setAt(all: unknown, [key = '', ...rest]: readonly string[], value: unknown): unknown {
  const record = isRecord(all) ? all : {};
  return { ...record, [key]: rest.length === 0 ? value : setAt(record[key], rest, value) };
}

/** Sets keys in the file, which stays as it is otherwise, and makes it readable by its owner only. */
export async function keepInSettings(path: string, values: Record<string, unknown>): Promise<void> {
  const document = parseDocument((await readText(path)) ?? '{}\n');
  for (const [key, value] of Object.entries(values)) document.set(key, value);
  if (document.contents !== null && 'flow' in document.contents) document.contents.flow = false;
  await writeFileAtomically(path, String(document), 0o600);
}
