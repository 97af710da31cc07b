import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { initialiseOwnPod } from '../../client/open-own-pod.js';
import { addReadings } from '../../client/readings.js';
import type { Analyser } from '../../client/run-analysis.js';
import {
  createAccount,
  createAccountPod,
  issueClientCredentials,
} from '../../solid/css-account.js';
import { writeFileAtomically } from '../../store/atomic-file.js';
import { type demoPeople, demoReadings } from './demo-people.js';

export type PreparedPerson = Awaited<ReturnType<typeof preparePerson>>;

interface DemoPlace {
  serverUrl: string;
  folder: string;
  analyser: Analyser;
  now: Date;
}

/** Makes an account, a Pod with keys and a year of readings, as the app would. */
export async function preparePerson(
  person: (typeof demoPeople)[number],
  { serverUrl, folder, analyser, now }: DemoPlace,
  signal: AbortSignal,
) {
  const { name } = person;
  const password = randomBytes(12).toString('base64url');
  const login = { email: `${name}@demo.example`, password };
  const account = await createAccount(serverUrl, login, signal);
  const { webId } = await createAccountPod(account, name);
  const issued = await issueClientCredentials(account, { name: 'demo', webId });
  const { clientId, clientSecret } = issued;
  const securityKey = `the security key of ${name}`;
  const settingsFile = join(folder, `${name}.yaml`);
  const { host, port } = analyser.service;
  const settings = {
    web_id: webId,
    security_key: securityKey,
    credentials: { client_id: clientId, client_secret: clientSecret },
    analyser: { web_id: analyser.analyserWebId },
    grpc: { host, port },
  };
  await writeFileAtomically(settingsFile, stringify(settings), 0o600);
  const credentials = { clientId, clientSecret };
  const ownPod = await initialiseOwnPod({ webId, securityKey, credentials }, signal);
  try {
    await addReadings(ownPod, demoReadings(person, now), { signal });
    return { name, ownPod, settingsFile };
  } catch (error) {
    await ownPod.close();
    throw error;
  }
}
