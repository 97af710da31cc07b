import { ConcurrencyLimit } from '../../base/concurrency.js';
import { type AnalyserError, failureOf, ServerError } from '../../base/errors.js';
import { chunksOf, present } from '../../base/lists.js';
import { countOf, withoutFullStop } from '../../base/sentences.js';
import type { PublishedRecord } from '../../documents/results-document.js';
import { addToLog, LINES_AT_ONCE, logStatements } from '../../pod/sharing/permissions-log.js';
import type { PodAccess } from '../../pod/unlock-pod.js';
import type { SolidClient } from '../../solid/solid-client.js';
import type { Triple } from '../../solid/turtle.js';
import { limited } from '../limited.js';
import { limits } from '../limits.js';
import { Deadline } from '../read/deadline.js';
import type { PodReading } from '../read/pod-reading.js';
import type { Publishing, Written } from './recipient-documents.js';
import { documentsOfRecipient, shareResultKeys, whyNotReceived } from './share-result-keys.js';

/** Sees to it that no recipient's Pod, however slow it is, takes time from other recipients or from the Analyser's own Pod. */
export class HandOvers {
  readonly #places = new ConcurrencyLimit(limits.recipientsAtOnce);

  /** The time of a recipient begins with their place, so that those who wait for theirs lose nothing. */
  run<T>(
    client: SolidClient,
    webId: string,
    work: (client: SolidClient) => Promise<T>,
  ): Promise<T> {
    return this.#places.run(async (leave) => {
      const message = `The Pod of ${webId} took more than ${limits.recipientMs / 1000} seconds to take a result.`;
      const tooSlow = () => new ServerError('slow', message, { url: webId });
      const deadline = new Deadline(
        Number.POSITIVE_INFINITY,
        new AbortController().signal,
        tooSlow,
      );
      deadline.endWithin(limits.recipientMs);
      const leaving = setTimeout(leave, limits.recipientPlaceMs);
      const how = { isApart: true, longestPauseMs: limits.longestPauseMs };
      try {
        return await work(limited(client, deadline, how));
      } finally {
        clearTimeout(leaving);
        deadline.clear();
      }
    });
  }
}

export interface OwnResult {
  pod: PodReading;
  own: Written;
}

export interface RecipientOutcome {
  own: PublishedRecord;
  cohort: PublishedRecord | null;
  warnings: string[];
  /** Failures on the Analyser's own side. */
  errors: AnalyserError[];
  /** Lines for the Analyser's own permission log. */
  granted: readonly Triple[];
}

/** Only documents that the recipient can open get a line in their log. */
export async function handOver(
  { connection }: Publishing,
  { pod, own }: OwnResult,
  cohort: Written | null,
  { handOvers, now }: { handOvers: HandOvers; now: () => Date },
): Promise<RecipientOutcome> {
  const { webId } = pod.owner;
  const all = cohort === null ? [own] : [own, cohort];
  const written = own.failure === null ? all.filter(({ failure }) => failure === null) : [];
  const { missed, granted, warnings } = await handOvers.run(connection.client, webId, (client) =>
    shareAndLog({ client, pod: connection.pod }, webId, written, now()),
  );
  const whyNot = ({ url, failure }: Written) => {
    // Only recipients with a document of their own may read that of the cohort.
    const cause = own.failure ?? failure;
    if (cause !== null) return `the document could not be written: ${cause.message}`;
    const problem = missed.get(url);
    return problem && whyNotReceived(webId, problem);
  };
  const unwritten = all.filter(({ failure }) => failure !== null);
  return {
    own: recordOf(own, webId, whyNot(own)),
    cohort: cohort && recordOf(cohort, webId, whyNot(cohort)),
    warnings: [
      ...unwritten.map((document) => {
        const whose = document === own ? webId : 'the cohort';
        return `The result of ${whose} was not published: ${whyNot(document)}`;
      }),
      ...warnings,
    ],
    // A failed login has to be reported, so that the next analysis logs in again.
    errors: present([
      ...unwritten.map(({ failure }) => failure),
      [...missed.values()].find(isLoginFailure),
    ]),
    granted,
  };
}

async function shareAndLog(
  access: PodAccess,
  webId: string,
  written: readonly Written[],
  time: Date,
) {
  const keys = written.flatMap(({ url, key }) => (key === null ? [] : [{ url, key }]));
  const missed = await shareResultKeys(access, webId, keys);
  const notReceived = Array.from(
    missed,
    ([url, why]) => `${webId} did not receive the key of ${url}: ${whyNotReceived(webId, why)}`,
  );
  const urls = written.map(({ url }) => url).filter((url) => !missed.has(url));
  if (urls.length === 0) return { missed, granted: [], warnings: notReceived };
  const ownerWebId = access.pod.webId;
  const granted = logStatements({ ownerWebId, recipientWebId: webId, urls, action: 'grant', time });
  const documents = documentsOfRecipient(webId, access.pod.appDir);
  const failure = await failureOf(addToLog(access.client, { documents }, granted));
  const unlogged =
    failure === null
      ? []
      : [`The grant to ${webId} could not be written to their permission log: ${failure.message}`];
  return { missed, granted, warnings: [...notReceived, ...unlogged] };
}

/** Once for everybody, when all keys are handed over: nobody's result depends on this log. Returns warnings. */
export async function logGrantsOfAnalyser(
  { connection: { pod }, analyserPod }: Publishing,
  granted: readonly Triple[],
): Promise<string[]> {
  let left = granted.length;
  for (const lines of chunksOf(granted, LINES_AT_ONCE)) {
    const failure = await failureOf(addToLog(analyserPod, pod, lines));
    if (failure !== null) {
      return [
        `${countOf(left, 'line')} could not be written into the Analyser's own permission log, ${pod.documents.permissionsLog}, and will be missing there: ${withoutFullStop(failure.message)}.`,
      ];
    }
    left -= lines.length;
  }
  return [];
}

function isLoginFailure(error: AnalyserError): boolean {
  return error instanceof ServerError && error.failure === 'login';
}

function recordOf({ kind, podId, url }: Written, webId: string, failure?: string): PublishedRecord {
  return {
    kind,
    pod_id: podId,
    resource_url: url,
    recipients: failure === undefined ? [webId] : [],
    failures: failure === undefined ? {} : { [webId]: failure },
  };
}

export function listPublished(outcomes: readonly RecipientOutcome[]): PublishedRecord[] {
  const cohort = present(outcomes.map((outcome) => outcome.cohort));
  const own = outcomes.map((outcome) => outcome.own);
  const [first] = cohort;
  if (first === undefined) return own;
  const recipients = cohort.flatMap((record) => record.recipients);
  const failures = Object.fromEntries(cohort.flatMap((record) => Object.entries(record.failures)));
  return [...own, { ...first, recipients, failures }];
}
