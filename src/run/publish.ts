import type { AnalyserError } from '../base/errors.js';
import { mapConcurrently } from '../base/map-concurrently.js';
import type { PublishedEntry } from '../documents/results-document.js';
import type { Connection } from './connection.js';
import { handOver, type Prepared, prepareHandOver } from './hand-over.js';
import type { Parcel } from './parcel.js';
import type { Delivery } from './plan-deliveries.js';
import { writeDeliveries } from './write-deliveries.js';

export interface Publication {
  entries: PublishedEntry[];
  warnings: string[];
  /** What went wrong on the Analyser's own side; null when nothing did. */
  error: AnalyserError | null;
}

export interface PublishOptions {
  encrypt: boolean;
  now: () => Date;
  onRecipient?: ((done: number, all: number) => void) | undefined;
}

const RECIPIENTS_AT_ONCE = 8;

/**
 * Step 7: each document is written where only its recipients may read it, then each recipient
 * is handed the keys. It runs past the last checkpoint, so nothing stops it; what fails is
 * noted for the recipient whom it fails.
 */
export async function publish(
  connection: Connection,
  deliveries: readonly Delivery[],
  options: PublishOptions,
): Promise<Publication> {
  const parcels = deliveries.map(
    (delivery): Parcel => ({ delivery, key: null, problem: null, failures: new Map() }),
  );
  const recipients = [...new Set(deliveries.flatMap((delivery) => delivery.recipients))];
  const prepared = new Map<string, Promise<Prepared>>();
  // Side by side: what is known of the recipients' Pods has nothing to do with the documents.
  await Promise.all([
    writeDeliveries(connection, parcels, options.encrypt),
    mapConcurrently(options.encrypt ? recipients : [], RECIPIENTS_AT_ONCE, async (webId) => {
      const own = deliveries.filter((delivery) => delivery.recipients.includes(webId));
      const urls = own.map(({ url }) => url);
      const preparing = prepareHandOver(connection, webId, urls);
      prepared.set(webId, preparing);
      // The hand-over says what is wrong with it.
      await Promise.allSettled([preparing]);
    }),
  ]);
  const unwritten = new Set(parcels.filter(({ problem }) => problem !== null));

  const warnings: string[] = [];
  let done = 0;
  await mapConcurrently(recipients, RECIPIENTS_AT_ONCE, async (webId) => {
    const own = parcels.filter(({ delivery }) => delivery.recipients.includes(webId));
    for (const { failures, problem } of own.filter((parcel) => unwritten.has(parcel))) {
      failures.set(webId, `the document could not be written: ${problem?.message}`);
    }
    const written = own.filter((parcel) => !unwritten.has(parcel));
    warnings.push(
      ...(await handOver(connection, webId, written, options.now(), prepared.get(webId))),
    );
    done += 1;
    options.onRecipient?.(done, recipients.length);
  });
  const error = parcels.find(({ problem }) => problem !== null)?.problem ?? null;
  return { entries: parcels.map(entryOf), warnings: warnings.sort(), error };
}

function entryOf({ delivery, failures }: Parcel): PublishedEntry {
  const { kind, podId, url, recipients } = delivery;
  return {
    kind,
    pod_id: podId,
    resource_url: url,
    recipients: recipients.filter((webId) => !failures.has(webId)),
    failures: Object.fromEntries(failures),
  };
}
