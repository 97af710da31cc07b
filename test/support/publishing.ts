import { createHash } from 'node:crypto';
import { present } from '../../src/base/lists.js';
import { configSchema } from '../../src/config/schema.js';
import { readResourceKey } from '../../src/pod/crypto/content-cipher.js';
import { openValue } from '../../src/pod/crypto/rsa.js';
import { readShareStatements, shareId, shareSubject } from '../../src/pod/formats/shared-keys.js';
import { vocabulary } from '../../src/pod/formats/vocabulary.js';
import { Connection } from '../../src/run/connection.js';
import type {
  PublicationSettings,
  Publishing,
  RecipientDocument,
} from '../../src/run/publish/recipient-documents.js';
import type { SolidClient } from '../../src/solid/solid-client.js';
import { Person, securityKeyOf } from '../simulation/people/person.js';
import { StorageServer } from '../simulation/server/storage-server.js';
import { type RecordedRequest, recordRequests } from './recording-client.js';

/** A server in memory, on which the Analyser publishes for others. */
export async function publishers<Name extends string>(...names: Name[]) {
  const server = new StorageServer('https://pods.example/');
  const analyser = await Person.create(server, 'analyser');
  const all = await Promise.all(
    names.map(async (name) => [name, await Person.create(server, name)] as const),
  );
  const person = (name: Name) => {
    const [, found] = all.find(([one]) => one === name) ?? [];
    if (found === undefined) throw new Error(`${name} has no Pod.`);
    return found;
  };
  return { server, analyser, person };
}

/** Another one for each name. */
export const keyOf = (name: string): Buffer => createHash('sha256').update(name).digest();

/** What the Analyser publishes with, through this client. */
export function publishingOf(
  { pod }: Person,
  client: SolidClient,
  settings: Partial<PublicationSettings> = {},
): Publishing & { requests: readonly RecordedRequest[] } {
  const recorded = recordRequests(client);
  const { sharing } = configSchema.parse({
    analyser: { web_id: pod.webId, server_url: 'https://pods.example/' },
  });
  const figures = { systolic: null, diastolic: null, heart_rate: null };
  return {
    requests: recorded.requests,
    connection: new Connection(recorded, pod, securityKeyOf('analyser')),
    analyserPod: recorded,
    keyOf,
    settings: {
      sharing,
      period: null,
      analyser: pod,
      generatedAt: '2026-11-01T00:00:00.000+00:00',
      podCount: 7,
      disclose: () => ({ average_of_averages: figures, pooled_average: figures }),
      noise: undefined,
      ...settings,
    },
  };
}

/** The keys of the document that the inbox of its reader holds. */
export async function keysReceived({ client, pod }: Person, url: string): Promise<Buffer[]> {
  const subject = shareSubject(shareId(url, pod.webId));
  const inbox = pod.documents.sharedKeys;
  const statements = (await readShareStatements(client, inbox, [subject])) ?? [];
  const sealed = statements.flatMap(({ predicate, object }) =>
    predicate === vocabulary.sharedKey && 'literal' in object ? [object.literal] : [],
  );
  return present(sealed.map((value) => readResourceKey(openValue(value, pod.privateKey))));
}

/** Of the Analyser, for these readers. */
export function documentFor({ pod }: Person, readers: readonly Person[]): RecipientDocument {
  return {
    podId: 'some-pod',
    url: `${pod.root}app/data/analyser/some-pod/bp-average.json.enc.ttl`,
    kind: 'pod-average',
    text: `{"for":"${readers.map(({ name }) => name).join()}"}`,
    hasCohortFigures: true,
    readers: readers.map(({ webId }) => webId),
  };
}
