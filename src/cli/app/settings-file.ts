import { resolve } from 'node:path';
import { parseDocument } from 'yaml';
import { z } from 'zod';
import { AnalyserError } from '../../base/errors.js';
import { readYamlFile } from '../../config/config-file.js';
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
import type { ClientCredentials } from '../../solid/login/login.js';
import { writeFileAtomically } from '../../store/atomic-file.js';
import { readText } from '../read-text.js';

/**
 * The settings of the app modes. Some keys can also come from a flag or the environment; with-own-pod.ts says which.
 */
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

export type SettingsFile = z.infer<typeof settingsSchema>;

interface FoundSettings {
  settings: SettingsFile;
  /** The absolute path of the file, which need not exist. */
  path: string;
  /** Permission bits; null when there is no such file. */
  mode: number | null;
}

/** Reads the settings. The default file may be missing; a file that the user has named must exist. */
export async function readSettingsFile(
  cwd: string,
  named: string | undefined,
): Promise<FoundSettings> {
  const path = resolve(cwd, named ?? 'app.yaml');
  if (named === undefined && (await readText(path)) === null) {
    return { settings: settingsSchema.parse({}), path, mode: null };
  }
  const found = await readYamlFile(path, {
    missing: `There are no settings at ${path}: correct --settings or APP_USER_SETTINGS.`,
    empty: `${path} is empty: fill in web_id at least, or remove it.`,
  });
  const parsed = settingsSchema.safeParse(found.value);
  if (!parsed.success) {
    const problems = describeIssues(found, settingsSchema, parsed.error);
    throw new AnalyserError('configuration', problems);
  }
  return { settings: parsed.data, path, mode: found.mode };
}

/**
 * Adds credentials, and a missing web_id, to the file. Makes the file readable by its owner only; the rest of it stays.
 */
export async function keepCredentials(
  path: string,
  forWebId: string,
  { clientId, clientSecret }: ClientCredentials,
): Promise<void> {
  const document = parseDocument((await readText(path)) ?? '{}\n');
  if (!document.has('web_id')) document.set('web_id', forWebId);
  document.set('credentials', { client_id: clientId, client_secret: clientSecret });
  if (document.contents !== null && 'flow' in document.contents) document.contents.flow = false;
  await writeFileAtomically(path, String(document), 0o600);
}
