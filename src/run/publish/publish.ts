import { AnalyserError, ServerError } from '../../base/errors.js';
import { chunksOf } from '../../base/lists.js';
import { countOf, withoutFullStop } from '../../base/sentences.js';
import type { PublishedRecord } from '../../documents/results-document.js';
import { addToLog, LINES_AT_ONCE, logStatements } from '../../pod/sharing/permissions-log.js';
import type { Triple } from '../../solid/documents/turtle-document.js';
import type { SolidClient } from '../../solid/solid-client.js';
import type { Connection } from '../connection.js';
import type { PodAccess } from '../pod-access.js';
import type { PodReading } from '../read/pod-reading.js';
import { storeDocumentKeys } from './document-keys.js';
import { HandOvers } from './hand-overs.js';
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
  shareResultKeys,
  whyNotReceived,
} from './share-result-keys.js';

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
  /** Whether a document was written that holds a figure of the cohort. */
  hasSentFigures = false;
  /** Lines for the Analyser's own permission log. */
  readonly #granted: Triple[] = [];
  /** For the Analyser's own Pod. */
  readonly #own: PodAccess;
  /** Null when the cohort is not shared. */
  readonly #cohortName: DocumentName | null;
  #cohort: Written | null = null;
  readonly #handOvers = new HandOvers();

  constructor(
    private readonly connection: Connection,
    own: SolidClient,
    private readonly settings: PublicationSettings,
    /** Without keys nothing is encrypted. */
    private readonly keyOf: KeyOf | null,
    private readonly now: () => Date,
  ) {
    this.#own = { client: own, pod: connection.pod };
    this.#cohortName = settings.sharing.share_cohort_average
      ? { kind: 'cohort-average', podId: 'cohort', url: cohortAddress(settings) }
      : null;
  }

  writeOwn(pod: PodReading, picture: Buffer | null): Promise<Written> {
    return this.#write(ownDocument(this.settings, pod, picture));
  }

  /**
   * To be called after all own documents, because only readers with an own document may read the cohort's. Nobody may
   * read it when the cohort is not shared any more: returns why the document of an earlier analysis could not be closed.
   */
  async writeCohort(deliveries: readonly Delivery[]): Promise<AnalyserError | null> {
    const readers = deliveries.filter(({ own }) => own.failure === null).map(({ pod }) => pod);
    if (readers.length === 0) return null;
    if (this.#cohortName === null) {
      return await failureOf(closeToReaders(this.#own, cohortAddress(this.settings)));
    }
    this.#cohort = await this.#write(cohortDocument(this.settings, readers));
    return null;
  }

  /** After the documents, because nobody's result depends on it. Returns warnings. */
  async storeKeys(deliveries: readonly Delivery[]): Promise<string[]> {
    const written = [...deliveries.map(({ own }) => own), ...(this.#cohort ? [this.#cohort] : [])];
    const keys = written.flatMap(({ url, key }): [string, Buffer][] => (key ? [[url, key]] : []));
    return await storeDocumentKeys(this.connection, this.#own.client, new Map(keys));
  }

  /**
   * Hands over the keys of the documents that were written. Then adds a line to the reader's log for each document that
   * the reader can open.
   */
  async handOver({ pod, own }: Delivery): Promise<RecipientOutcome> {
    const { webId } = pod.owner;
    if (own.failure !== null) {
      const reason = notWritten(own.failure);
      const cohort = this.#cohortName && recordOf(this.#cohortName, webId, reason);
      const warnings = [`The result of ${webId} was not published: ${reason}`];
      return { own: recordOf(own, webId, reason), cohort, warnings, errors: [own.failure] };
    }
    const cohort = this.#cohort;
    const written = [own, cohort].flatMap((one) => (one?.failure === null ? [one] : []));
    const keys = written.flatMap(({ url, key }) => (key === null ? [] : [{ url, key }]));
    const handOver = async (client: SolidClient) => {
      const access = { ...this.#own, client };
      const missed = await shareResultKeys(access, webId, keys);
      const arrived = written.map(({ url }) => url).filter((url) => !missed.has(url));
      return { missed, unlogged: await this.#logGrants(webId, access, arrived) };
    };
    const { client } = this.connection;
    const { missed, unlogged } = await this.#handOvers.run(client, webId, handOver);
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
      errors: [cohort?.failure, [...missed.values()].find(isLoginFailure)].flatMap(
        (error) => error ?? [],
      ),
    };
  }

  /**
   * Writes all grants into the Analyser's own permission log, once for everybody, when all keys are handed over. Nobody's
   * result depends on this log. Returns warnings.
   */
  async logOwnGrants(): Promise<string[]> {
    const { client, pod } = this.#own;
    let left = this.#granted.length;
    for (const lines of chunksOf(this.#granted, LINES_AT_ONCE)) {
      const failure = await failureOf(addToLog(client, pod, lines));
      if (failure !== null) {
        return [
          `${countOf(left, 'line')} could not be written into the Analyser's own permission log, ${pod.documents.permissionsLog}, and will be missing there: ${withoutFullStop(failure.message)}.`,
        ];
      }
      left -= lines.length;
    }
    return [];
  }

  /** Writes the grants into the reader's log, and notes them for the Analyser's log; returns warnings. */
  async #logGrants(
    webId: string,
    { client, pod }: PodAccess,
    urls: readonly string[],
  ): Promise<string[]> {
    if (urls.length === 0) return [];
    const ends = { ownerWebId: pod.webId, recipientWebId: webId };
    const grant = { ...ends, urls, action: 'grant', time: this.now() } as const;
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
    const key = await failureOr(writeForReaders(this.#own, document, this.keyOf));
    if (key instanceof AnalyserError) return { ...name, key: null, failure: key };
    this.hasSentFigures ||= document.hasCohortFigures;
    return { ...name, key, failure: null };
  }
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
