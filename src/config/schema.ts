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
  place,
  port,
  range,
  seconds,
  serverUrl,
  webId,
  wholeNumber,
} from './values.js';

/** Every key of config.yaml but the secrets, with its default; config.example.yaml explains each. */

export const analyserSection = z.strictObject({
  web_id: webId,
  server_url: serverUrl,
  app_dir_name: folderName.default('app'),
});

/** Folders between the root of a server and a Pod. */
const podDepth = wholeNumber(0, 20);

const dataSection = z
  .strictObject({
    path_fragments: listOf(fragment).default(['/data/blood_pressure/']),
    allowed_origins: listOf(
      z.union([originPattern, z.strictObject({ origin: originPattern, pod_depth: podDepth })], {
        error: originPatternError,
      }),
    ).default([]),
    excluded_pods: listOf(place).default([]),
    keep_removed_shares: flag.default(true),
  })
  .prefault({});

const analysisSection = z
  .strictObject({
    minimum_observations: wholeNumber(0, 1_000_000)
      // A Pod without any reading has no average.
      .transform((least) => Math.max(1, least))
      .default(1),
    window_days: wholeNumber(1, 36_500).nullable().default(null),
    plausible: z
      .strictObject({
        systolic: range().default([40, 300]),
        diastolic: range().default([20, 200]),
        heart_rate: range().default([20, 250]),
      })
      .prefault({}),
  })
  .prefault({});

const sharingSection = z
  .strictObject({
    enabled: flag.default(true),
    results_dir: folderPath.default('analyser'),
    share_cohort_average: flag.default(true),
    encrypt_results: flag.default(true),
    minimum_cohort_pods: wholeNumber(0, 1_000_000).default(0),
    partial_cohort: flag.default(false),
    cohort_release: releaseSection,
  })
  .prefault({});

export const grpcSection = z.strictObject({
  host: hostName.default('0.0.0.0'),
  port: port.default(50051),
  tls_cert_file: file.nullable().default(null),
  tls_key_file: file.nullable().default(null),
  max_workers: wholeNumber(1, 10_000).default(8),
  // A timer of more than 24.8 days would fire immediately.
  analysis_timeout_seconds: seconds(86_400).default(300),
  max_queued: wholeNumber(1, 10_000).default(1000),
  callers_per_turn: wholeNumber(1, 256).default(64),
  max_calls_per_peer: wholeNumber(0, 10_000).default(0),
  max_connections_per_peer: wholeNumber(0, 10_000).default(200),
  require_web_id_proof: flag.default(false),
  public_url: origin.nullable().default(null),
  allowed_issuers: listOf(serverUrl).default([]),
});

const metricsSection = z
  .strictObject({
    host: hostName.default('127.0.0.1'),
    port: port.nullable().default(null),
  })
  .prefault({});

export const scaleSection = z.strictObject({
  max_requests: wholeNumber(0, 100_000).default(32),
  requests_per_worker: wholeNumber(1, 1_000).default(32),
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
/**
 * Once loaded, paths are absolute, server_url ends in a slash, and allowed_issuers names the storage
 * server where the file names nobody.
 */
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
