import { hash } from 'node:crypto';
import { AnalyserError, ServerError } from '../../base/errors.js';
import type { PublishedEntry } from '../../documents/results-document.js';
import { requireAccessLists } from '../../pod/access-control.js';
import { ensureResourceKeys } from '../../pod/resource-keys.js';
import type { PodAccess } from '../connection.js';
import { limitedClient } from './limited-client.js';
import {
  cohortDocument,
  type DocumentKeys,
  ownAddress,
  ownDocument,
  type PublicationSettings,
  type Recipient,
  type ResultDocument,
  writeForReaders,
} from './recipient-documents.js';
import {
  logGrant,
  lookUpReader,
  type ReaderPod,
  shareResultKey,
  whyNotReceived,
} from './share-result-keys.js';

/** How long the Pod of one reader may take for all that is asked of it. */
const READER_MS = 30_000;

interface DocumentOutcome {
  entry: PublishedEntry;
  warnings: string[];
  /** A failure on the Analyser's own side; null without one. */
  error: AnalyserError | null;
}

export interface RecipientOutcome {
  own: DocumentOutcome;
  /** Null when the cohort is not shared. */
  cohort: DocumentOutcome | null;
  /** Of the own document, in hex. */
  sha256: string;
}

/**
 * Step 7. Each recipient gets their own result first: the document, its key, the line in the logs.
 * The one cohort document for all is written when the first own result has arrived. Past the last
 * checkpoint nothing stops this; a failure is noted for the recipient it concerns.
 */
export class Publication {
  readonly #connection: PodAccess;
  readonly #settings: PublicationSettings;
  readonly #now: () => Date;
  readonly #keys: DocumentKeys;
  readonly #cohort: ResultDocument | null;
  #cohortWritten: Promise<Buffer | null> | null = null;

  constructor(
    connection: PodAccess,
    settings: PublicationSettings,
    recipients: readonly Recipient[],
    now: () => Date,
  ) {
    this.#connection = connection;
    this.#settings = settings;
    this.#now = now;
    const { share_cohort_average, encrypt_results } = settings.sharing;
    this.#cohort = share_cohort_average ? cohortDocument(settings, recipients) : null;
    const urls = recipients.map(({ podId }) => ownAddress(settings, podId));
    if (this.#cohort !== null) urls.push(this.#cohort.url);
    const { client, pod } = connection;
    const makeKeys = async () => {
      requireAccessLists(pod);
      return await ensureResourceKeys(client, pod, urls);
    };
    this.#keys = encrypt_results ? makeKeys() : null;
    // Whoever waits for a key gets the failure; without this it would count as unhandled.
    this.#keys?.catch(() => undefined);
  }

  async publishFor(recipient: Recipient, picture: Buffer | null): Promise<RecipientOutcome> {
    const { webId } = recipient;
    const own = ownDocument(this.#settings, recipient, picture);
    const urls = this.#cohort === null ? [own.url] : [own.url, this.#cohort.url];
    const connection = limitedFor(webId, this.#connection);
    const isEncrypted = this.#keys !== null;
    const found = isEncrypted ? lookUpReader(connection, webId, urls) : null;
    // Fetched while the document is written; the hand-over reports a failure.
    found?.catch(() => undefined);
    const reader = { webId, connection, found };
    const first = await this.#publishOne(own, reader, () => this.#write(own));
    const sha256 = hash('sha256', own.text);
    return { own: first, cohort: await this.#publishCohort(reader, first), sha256 };
  }

  async #publishCohort(reader: Reader, own: DocumentOutcome): Promise<DocumentOutcome | null> {
    const cohort = this.#cohort;
    const { webId } = reader;
    if (cohort === null) return null;
    // Who could not be given their own document is not tried again, as that would delay the others.
    const failure = own.entry.failures[webId];
    if (failure !== undefined) {
      const warnings = own.error === null ? [notReceived(webId, cohort.url, failure)] : [];
      return { entry: entryOf(cohort, webId, failure), warnings, error: null };
    }
    return await this.#publishOne(cohort, reader, () => {
      this.#cohortWritten ??= this.#write(cohort);
      return this.#cohortWritten;
    });
  }

  async #publishOne(
    document: ResultDocument,
    { webId, connection, found }: Reader,
    write: () => Promise<Buffer | null>,
  ): Promise<DocumentOutcome> {
    const { url } = document;
    let key: Buffer | null;
    try {
      key = await write();
    } catch (error) {
      const problem = requireExpected(error);
      const reason = `the document could not be written: ${problem.message}`;
      return { entry: entryOf(document, webId, reason), warnings: [], error: problem };
    }
    try {
      if (key !== null && found !== null) {
        await shareResultKey(connection, await found, { url, key });
      }
    } catch (error) {
      const reason = whyNotReceived(webId, requireExpected(error));
      // The login failed, not the recipient's Pod: the next analysis must log in again.
      const isLogin = error instanceof ServerError && error.failure === 'login';
      return {
        entry: entryOf(document, webId, reason),
        warnings: [notReceived(webId, url, reason)],
        error: isLogin ? error : null,
      };
    }
    const warnings = await logGrant(connection, webId, url, this.#now());
    return { entry: entryOf(document, webId), warnings, error: null };
  }

  #write(document: ResultDocument): Promise<Buffer | null> {
    return writeForReaders(this.#connection, document, this.#keys);
  }
}

interface Reader {
  webId: string;
  /** Its requests end with the time of the reader. */
  connection: PodAccess;
  /** Null where no key is handed over. */
  found: Promise<ReaderPod> | null;
}

function limitedFor(webId: string, { client, pod }: PodAccess): PodAccess {
  const message = `The Pod of ${webId} took more than ${READER_MS / 1000} seconds to take a result.`;
  const tooSlow = new ServerError('slow', message, { url: webId });
  return { client: limitedClient(client, READER_MS, tooSlow), pod };
}

function entryOf(
  { kind, podId, url }: ResultDocument,
  webId: string,
  failure?: string,
): PublishedEntry {
  return {
    kind,
    pod_id: podId,
    resource_url: url,
    recipients: failure === undefined ? [webId] : [],
    failures: failure === undefined ? {} : { [webId]: failure },
  };
}

function notReceived(webId: string, url: string, reason: string): string {
  return `${webId} did not receive the key of ${url}: ${reason}`;
}

/** Any other error is a bug of ours, whose text is not for recipients. */
function requireExpected(error: unknown): AnalyserError {
  if (error instanceof AnalyserError) return error;
  throw error;
}

/** The list for a run document: each own result, then the cohort document with all its readers. */
export function listPublished(outcomes: readonly RecipientOutcome[]): PublishedEntry[] {
  const cohort = outcomes.flatMap((outcome) => outcome.cohort?.entry ?? []);
  const [first] = cohort;
  const own = outcomes.map((outcome) => outcome.own.entry);
  if (first === undefined) return own;
  const recipients = cohort.flatMap((entry) => entry.recipients);
  const failures = Object.fromEntries(cohort.flatMap((entry) => Object.entries(entry.failures)));
  return [...own, { ...first, recipients, failures }];
}
