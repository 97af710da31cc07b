import { ConcurrencyLimit } from '../../base/concurrency.js';
import { AnalyserError, ServerError } from '../../base/errors.js';
import type { PublishedRecord } from '../../documents/results-document.js';
import { addToLog, logStatements } from '../../pod/sharing/permissions-log.js';
import type { Triple } from '../../solid/documents/turtle-document.js';
import type { SolidClient } from '../../solid/solid-client.js';
import type { Connection } from '../connection.js';
import type { PodAccess } from '../pod-access.js';
import type { PodReading } from '../read/pod-reading.js';
import { storeDocumentKeys } from './document-keys.js';
import { limitedClient } from './limited-client.js';
import { logOwnGrants } from './own-log.js';
import {
  closeToReaders,
  cohortAddress,
  cohortDocument,
  type KeyOf,
  ownDocument,
  type PublicationSettings,
  type ResultDocument,
  writeForReaders,
} from './recipient-documents.js';
import {
  documentsOf,
  failureOf,
  failureOr,
  lookUpReader,
  type ReaderPod,
  shareResultKeys,
  whyNotReceived,
} from './share-result-keys.js';

/** How long the Pod of one reader may take for all requests of a hand-over. */
const READER_MS = 10_000;

/** How many requests to Pods of readers are made at once, besides those to the Analyser's own Pod. */
const READER_REQUESTS_AT_ONCE = 16;

type DocumentName = Pick<ResultDocument, 'kind' | 'podId' | 'url'>;

/** A document that was written or could not be written, without its text. */
interface Written extends DocumentName {
  /** Null if the document is not encrypted or could not be written. */
  key: Buffer | null;
  /** Why it could not be written. */
  failure: AnalyserError | null;
}

/** One reader, after their own document was written or failed, and before the keys are handed over. */
export interface Delivery {
  pod: PodReading;
  own: Written;
  /** For requests to the reader's Pod, which end when the reader's time is over. */
  access: PodAccess;
  /** Null where no key is handed over. */
  readerPod: Promise<ReaderPod> | null;
}

export interface RecipientOutcome {
  own: PublishedRecord;
  /** Null when the cohort is not shared. */
  cohort: PublishedRecord | null;
  warnings: string[];
  /** Failures on the Analyser's own side. */
  errors: AnalyserError[];
}

/**
 * Step 7: writes each recipient's own document; then the cohort document, once, for the recipients whose own document
 * was written; then hands over the keys to each of them. It comes after the last checkpoint, so no Cancel stops it. A
 * failure is noted for the recipient that it concerns.
 */
export class Publication {
  /** Lines for the Analyser's own permission log. */
  readonly #granted: Triple[] = [];
  readonly #readerPlaces = new ConcurrencyLimit(READER_REQUESTS_AT_ONCE);
  readonly #connection: Connection;
  /** For the Analyser's own Pod. */
  readonly #own: PodAccess;
  readonly #settings: PublicationSettings;
  readonly #now: () => Date;
  readonly #keyOf: KeyOf | null;
  /** Null when the cohort is not shared. */
  readonly #cohortDocument: DocumentName | null;
  #cohort: Written | null = null;
  /** Why the cohort document of an earlier analysis could not be closed. */
  #notClosed: AnalyserError | null = null;
  #hasSentFigures = false;

  constructor(
    connection: Connection,
    own: SolidClient,
    settings: PublicationSettings,
    /** Without keys nothing is encrypted. */
    keyOf: KeyOf | null,
    now: () => Date,
  ) {
    this.#connection = connection;
    this.#own = { client: own, pod: connection.pod };
    this.#settings = settings;
    this.#now = now;
    this.#keyOf = keyOf;
    this.#cohortDocument = settings.sharing.share_cohort_average
      ? { kind: 'cohort-average', podId: 'cohort', url: cohortAddress(settings) }
      : null;
  }

  /** Whether a document was written that holds a figure of the cohort. */
  get hasSentFigures(): boolean {
    return this.#hasSentFigures;
  }

  /** Returns when the document is written. Meanwhile it asks the reader's Pod, but does not wait for the answer. */
  async writeOwn(pod: PodReading, picture: Buffer | null): Promise<Delivery> {
    const { webId } = pod.owner;
    const document = ownDocument(this.#settings, pod, picture);
    const urls = [document, this.#cohortDocument].flatMap((name) => name?.url ?? []);
    const access = limitedFor(webId, this.#connection, this.#readerPlaces);
    const readerPod = this.#keyOf === null ? null : lookUpReader(access, webId, urls);
    // A failure is reported by the hand-over.
    readerPod?.catch(() => undefined);
    return { pod, own: await this.#write(document), access, readerPod };
  }

  /**
   * To be called after all own documents, because only readers with an own document may read the cohort's. Nobody may
   * read it when the cohort is not shared any more.
   */
  async writeCohort(deliveries: readonly Delivery[]): Promise<void> {
    const readers = deliveries.filter(({ own }) => own.failure === null);
    if (readers.length === 0) return;
    if (this.#cohortDocument === null) {
      const url = cohortAddress(this.#settings);
      this.#notClosed = await failureOf(closeToReaders(this.#own, url));
      return;
    }
    const pods = readers.map(({ pod }) => pod);
    this.#cohort = await this.#write(cohortDocument(this.#settings, pods));
  }

  /**
   * After the documents, because nobody's result depends on it, and before the answers, because the app looks there.
   * Returns warnings.
   */
  async storeKeys(deliveries: readonly Delivery[]): Promise<string[]> {
    const written = [...deliveries.map(({ own }) => own), ...(this.#cohort ? [this.#cohort] : [])];
    const keys = written.flatMap(({ url, key }): [string, Buffer][] => (key ? [[url, key]] : []));
    return await storeDocumentKeys(this.#connection, this.#own.client, new Map(keys));
  }

  /**
   * Hands over the keys of the documents that were written. Then adds a line to the reader's log for each document that
   * the reader can open.
   */
  async handOver({ pod, own, access, readerPod }: Delivery): Promise<RecipientOutcome> {
    const { webId } = pod.owner;
    if (own.failure !== null) {
      const reason = notWritten(own.failure);
      const cohort = this.#cohortDocument && recordOf(this.#cohortDocument, webId, reason);
      const warnings = [`The result of ${webId} was not published: ${reason}`];
      return { own: recordOf(own, webId, reason), cohort, warnings, errors: [own.failure] };
    }
    const cohort = this.#cohort;
    const written = [own, cohort].flatMap((one) => (one?.failure === null ? [one] : []));
    const keys = written.flatMap(({ url, key }) => (key === null ? [] : [{ url, key }]));
    const missed = await shareResultKeys(access, readerPod, keys);
    const arrived = written.map(({ url }) => url).filter((url) => !missed.has(url));
    const unlogged = await this.#logGrants(webId, access, arrived);
    const record = (document: Written) => {
      if (document.failure !== null) return recordOf(document, webId, notWritten(document.failure));
      const problem = missed.get(document.url);
      return recordOf(document, webId, problem && whyNotReceived(webId, problem));
    };
    return {
      own: record(own),
      cohort: cohort && record(cohort),
      warnings: [
        ...Array.from(missed, ([url, why]) => notReceived(webId, url, why)),
        ...(cohort !== null && cohort.failure !== null
          ? [`The result of the cohort was not published: ${notWritten(cohort.failure)}`]
          : []),
        ...unlogged,
      ],
      // A failed login has to be reported, so that the next analysis logs in again.
      errors: [this.#notClosed, cohort?.failure, [...missed.values()].find(isLoginFailure)].flatMap(
        (error) => error ?? [],
      ),
    };
  }

  /** Once for everybody, when all keys are handed over. Returns warnings. */
  async logOwnGrants(): Promise<string[]> {
    return await logOwnGrants(this.#own.client, this.#connection.pod, this.#granted);
  }

  /** Writes the grants into the reader's log, and notes them for the Analyser's log; returns warnings. */
  async #logGrants(webId: string, access: PodAccess, urls: readonly string[]): Promise<string[]> {
    if (urls.length === 0) return [];
    const { client, pod } = access;
    const ends = { ownerWebId: pod.webId, recipientWebId: webId };
    const grant = { ...ends, urls, action: 'grant', time: this.#now() } as const;
    this.#granted.push(...logStatements(grant));
    const documents = documentsOf(webId, pod.appDir);
    const failure = await failureOf(addToLog(client, { documents }, logStatements(grant)));
    if (failure === null) return [];
    return [
      `The grant to ${webId} could not be written to their permission log: ${failure.message}`,
    ];
  }

  async #write(document: ResultDocument): Promise<Written> {
    const { kind, podId, url } = document;
    const name = { kind, podId, url };
    const key = await failureOr(writeForReaders(this.#own, document, this.#keyOf));
    if (key instanceof AnalyserError) return { ...name, key: null, failure: key };
    this.#hasSentFigures ||= document.hasCohortFigures;
    return { ...name, key, failure: null };
  }
}

function limitedFor(
  webId: string,
  { client, pod }: PodAccess,
  places: ConcurrencyLimit,
): PodAccess {
  const message = `The Pod of ${webId} took more than ${READER_MS / 1000} seconds to take a result.`;
  const tooSlow = new ServerError('slow', message, { url: webId });
  return { client: limitedClient(client, places, READER_MS, tooSlow), pod };
}

function notWritten(failure: AnalyserError): string {
  return `the document could not be written: ${failure.message}`;
}

function notReceived(webId: string, url: string, why: AnalyserError): string {
  return `${webId} did not receive the key of ${url}: ${whyNotReceived(webId, why)}`;
}

function isLoginFailure(error: AnalyserError): boolean {
  return error instanceof ServerError && error.failure === 'login';
}

function recordOf(
  { kind, podId, url }: DocumentName,
  webId: string,
  failure?: string,
): PublishedRecord {
  return {
    kind,
    pod_id: podId,
    resource_url: url,
    recipients: failure === undefined ? [webId] : [],
    failures: failure === undefined ? {} : { [webId]: failure },
  };
}

/** The list for a run document: each own result, then the cohort document with all its readers. */
export function listPublished(outcomes: readonly RecipientOutcome[]): PublishedRecord[] {
  const cohort = outcomes.flatMap((outcome) => outcome.cohort ?? []);
  const own = outcomes.map((outcome) => outcome.own);
  const [first] = cohort;
  if (first === undefined) return own;
  const recipients = cohort.flatMap((record) => record.recipients);
  const failures = Object.fromEntries(cohort.flatMap((record) => Object.entries(record.failures)));
  return [...own, { ...first, recipients, failures }];
}
