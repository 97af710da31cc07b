import type { Config, Secrets } from '../../config/schema.js';
import { type PodDocuments, parseWebId, podDocuments } from '../../pod/addresses.js';
import { aclAddress, parseAcl } from '../../pod/documents/access-control-list.js';
import { createDpopKey } from '../../solid/dpop-proof.js';
import { getTurtle } from '../../solid/get-turtle.js';
import { createSolidClient, type HttpSolidClient } from '../../solid/http-solid-client.js';
import { logIn } from '../../solid/login.js';
import { createTransport } from '../../solid/transport.js';
import { examineCertificate } from './certificate.js';
import { judgeClock } from './clock.js';
import { judgeCredentials } from './credentials.js';
import { examineFolders } from './folders.js';
import { judgeInbox, judgePublicKey } from './open-documents.js';

/** The lines of check say whether a server answers at all; here it is asked once and not waited for. */
const patience = {
  retry: { tries: 1, slowTries: 1 },
  timeouts: { connectMs: 5000, answerMs: 10_000, totalMs: 15_000 },
};

/**
 * What is wrong, or will be: each finding says what to do. Only reads, on this machine, on the
 * storage server as anybody, and in the Analyser's own Pod.
 */
export async function examine(
  config: Config,
  secrets: Secrets,
  signal: AbortSignal,
): Promise<string[]> {
  const now = new Date();
  const findings = await Promise.all([
    examineFolders(config.output),
    examineCertificate(config.grpc, now),
    silentOnFailure(() => examineAsAnybody(config, signal)),
    silentOnFailure(() => examineCredentials(config, secrets, signal)),
    silentOnFailure(() => examineInbox(config, secrets, signal)),
  ]);
  return findings.flat();
}

/** A server that is away, or refuses the login, is what the lines before have said already. */
async function silentOnFailure(examineOne: () => Promise<string[]>): Promise<string[]> {
  try {
    return await examineOne();
  } catch {
    return [];
  }
}

async function examineAsAnybody(config: Config, signal: AbortSignal): Promise<string[]> {
  const client = createClient(config, null);
  try {
    const url = documentsOf(config).publicKey;
    const { status, headers } = await client.request(url, { signal });
    return [...judgePublicKey(url, status), ...judgeClock(headers['date'], new Date())];
  } finally {
    await client.close();
  }
}

async function examineCredentials(
  config: Config,
  credentials: Secrets,
  signal: AbortSignal,
): Promise<string[]> {
  const { timeouts } = patience;
  const transport = createTransport({ connections: 1, timeouts });
  try {
    const { server_url: serverUrl, web_id } = config.analyser;
    const { send } = transport;
    const context = { serverUrl, credentials, key: createDpopKey(), send, now: Date.now };
    return judgeCredentials((await logIn(context, signal)).value, web_id);
  } finally {
    await transport.close();
  }
}

async function examineInbox(
  config: Config,
  secrets: Secrets,
  signal: AbortSignal,
): Promise<string[]> {
  const client = createClient(config, secrets);
  try {
    const { sharedFolder } = documentsOf(config);
    const acl = await getTurtle(client, aclAddress(sharedFolder), { signal });
    return judgeInbox(sharedFolder, acl === undefined ? null : parseAcl(acl));
  } finally {
    await client.close();
  }
}

function createClient({ analyser, data }: Config, credentials: Secrets | null): HttpSolidClient {
  return createSolidClient({
    serverUrl: analyser.server_url,
    allowedOrigins: data.allowed_origins,
    credentials,
    ...patience,
  });
}

function documentsOf({ analyser }: Config): PodDocuments {
  const root = parseWebId(analyser.web_id)?.root ?? analyser.server_url;
  return podDocuments(root, analyser.app_dir_name);
}
