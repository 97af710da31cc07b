import { z } from 'zod';
import { apiSection, outputSection } from './api-schema.js';
import { releaseSection } from './release-section.js';
import {
  file,
  flag,
  folderName,
  folderPath,
  fragment,
  hostName,
  listOf,
  origin,
  originPattern,
  originPatternError,
  port,
  range,
  seconds,
  serverUrl,
  webId,
  wholeNumber,
} from './values.js';

/** Every key of config.yaml but the secrets, with its default. */

export const analyserSection = z.strictObject({
  web_id: webId.describe('The WebID of the Analyser Pod.'),
  server_url: serverUrl.describe('The storage server, with a trailing slash once loaded.'),
  app_dir_name: folderName.default('app').describe('The application folder in every Pod.'),
});

/** Folders between the root of a server and a Pod. */
const podDepth = wholeNumber(0, 20);

const dataSection = z
  .strictObject({
    path_fragments: listOf(fragment)
      .default(['/data/blood_pressure/'])
      .describe('A shared resource is analysed when its URL contains one; none accepts all.'),
    allowed_origins: listOf(
      z.union([originPattern, z.strictObject({ origin: originPattern, pod_depth: podDepth })], {
        error: originPatternError,
      }),
    )
      .default([])
      .describe('Other servers that readings may be fetched from.'),
    keep_removed_shares: flag
      .default(true)
      .describe('What was read goes on counting when its entry is removed from the inbox.'),
  })
  .prefault({});

const analysisSection = z
  .strictObject({
    minimum_observations: wholeNumber(0, 1_000_000)
      // A Pod without any reading has no average.
      .transform((least) => Math.max(1, least))
      .default(1)
      .describe('A Pod with fewer observations is left out of the cohort.'),
    window_days: wholeNumber(1, 36_500)
      .nullable()
      .default(null)
      .describe('How many recent days of readings count; null is all history.'),
    plausible: z
      .strictObject({
        systolic: range().default([40, 300]),
        diastolic: range().default([20, 200]),
        heart_rate: range().default([20, 250]),
      })
      .prefault({})
      .describe('Readings outside these limits are left out.'),
  })
  .prefault({});

const sharingSection = z
  .strictObject({
    enabled: flag.default(true).describe('Write results back; false is a trial run.'),
    results_dir: folderPath.default('analyser').describe('Folder of the published results.'),
    share_cohort_average: flag.default(true).describe('Publish the cohort average as well.'),
    encrypt_results: flag.default(true).describe('Encrypt what is published.'),
    minimum_cohort_pods: wholeNumber(0, 1_000_000)
      .default(0)
      .describe('With fewer Pods behind a measure, its cohort figures are not sent out.'),
    cohort_release: releaseSection,
  })
  .prefault({});

export const grpcSection = z.strictObject({
  host: hostName.default('0.0.0.0').describe('Address to listen on.'),
  port: port.default(50051).describe('Port to listen on; 0 takes a free one.'),
  tls_cert_file: file.nullable().default(null).describe('PEM file; absolute once loaded.'),
  tls_key_file: file.nullable().default(null).describe('PEM file; absolute once loaded.'),
  max_workers: wholeNumber(1, 10_000)
    .default(8)
    .describe(
      'Analyse calls checked at once before they join the queue; holds no call back from its turn.',
    ),
  // A timer of more than 24.8 days would fire immediately.
  analysis_timeout_seconds: seconds(86_400)
    .default(300)
    .describe('An analysis that takes longer is abandoned.'),
  max_queued: wholeNumber(1, 10_000)
    .default(1000)
    .describe('Analyse calls in all, running and waiting; one more is answered FAILED.'),
  callers_per_turn: wholeNumber(1, 256)
    .default(64)
    .describe('Callers that one analysis serves together; 1 gives each an analysis of their own.'),
  max_calls_per_peer: wholeNumber(0, 10_000)
    .default(0)
    .describe('Analyse calls in hand for one network address; 0 is no such limit.'),
  require_web_id_proof: flag
    .default(false)
    .describe('Analyse and Cancel must prove that the caller is the WebID they name.'),
  public_url: origin
    .nullable()
    .default(null)
    .describe('The address that callers dial; a proof is made for it.'),
  allowed_issuers: listOf(serverUrl)
    .default([])
    .describe('Who may vouch for a WebID; none is the storage server, once loaded.'),
});

const metricsSection = z
  .strictObject({
    host: hostName.default('127.0.0.1').describe('Address to listen on.'),
    port: port
      .nullable()
      .default(null)
      .describe('Port to listen on, 0 takes a free one; null serves no metrics.'),
  })
  .prefault({});

export const scaleSection = z.strictObject({
  max_requests: wholeNumber(0, 100_000)
    .default(32)
    .describe('Requests in flight at once over all workers together; 0 is no such bound.'),
  requests_per_worker: wholeNumber(1, 1_000)
    .default(32)
    .describe('Requests in flight at once by one worker.'),
});

export const configSchema = z.strictObject({
  analyser: analyserSection,
  data: dataSection,
  analysis: analysisSection,
  sharing: sharingSection,
  grpc: grpcSection.prefault({}),
  output: outputSection,
  api: apiSection,
  metrics: metricsSection,
  scale: scaleSection.prefault({}),
});
export type Config = z.infer<typeof configSchema>;

/** Separate from the configuration, so that printing or passing on a Config cannot leak a secret. */
export interface Secrets {
  securityKey: string;
  clientId: string;
  clientSecret: string;
  /** Null when callers need none. */
  grpcToken: string | null;
  /** With its password; null when one process does everything. */
  redisUrl: string | null;
}
