import { z } from 'zod';
import { isEmpty, type StudyPeriod } from '../base/study-period.js';
import {
  dayOrMoment,
  file,
  flag,
  folder,
  folderName,
  folderPath,
  fragment,
  hostName,
  listOf,
  network,
  number,
  origin,
  originPattern,
  plainHostName,
  port,
  redisUrl,
  scope,
  seconds,
  secret,
  section,
  serverUrl,
  token,
  webId,
  wholeNumber,
  wholeRange,
} from './values.js';

const analyserSection = section({
  web_id: webId,
  server_url: serverUrl.optional(),
  app_dir_name: folderName.default('app'),
  security_key: secret(),
  credentials: section({ client_id: secret(), client_secret: secret() }).optional(),
}).transform(({ web_id, server_url, ...rest }) => {
  const server = new URL(server_url ?? new URL('/', web_id));
  if (!server.pathname.endsWith('/')) server.pathname += '/';
  return { web_id, server_url: server.href, ...rest };
});

/** An origin alone stands for one with the defaults. */
const allowedOrigin = z.preprocess(
  (item) => (typeof item === 'string' ? { origin: item } : item),
  section({
    origin: originPattern,
    /** Folders between the root of the server and a Pod; null when the configuration does not say. */
    pod_depth: wholeNumber(0, 20).nullable().default(null),
    /** How long a request there may stay without an answer: so long an analysis waits for it at least. */
    seconds: seconds(86_400).default(10),
  }),
);

const dataSection = section({
  path_fragments: listOf(fragment).default(['/data/blood_pressure/']),
  allowed_origins: listOf(allowedOrigin).default([]),
  excluded_pods: listOf(scope).default([]),
}).prefault({});

const analysisSection = section({
  minimum_observations: wholeNumber(0, 1_000_000)
    // A Pod without any reading has no average.
    .transform((least) => Math.max(1, least))
    .default(1),
  window_days: wholeNumber(1, 36_500).nullable().default(null),
  from: dayOrMoment.nullable().default(null),
  until: dayOrMoment.nullable().default(null),
})
  .superRefine(expectOrder)
  .prefault({});

function expectOrder(period: StudyPeriod, context: z.core.$RefinementCtx): void {
  if (!isEmpty(period)) return;
  const message = 'a day or a moment that is not before analysis.from';
  context.addIssue({ code: 'custom', path: ['until'], message });
}

/** There is a release only where this section is filled in. */
const releaseSection = section({
  epsilon: number(0.001, 100),
  every_days: wholeNumber(1, 3650),
  bounds: section({
    systolic: wholeRange().default([80, 200]),
    diastolic: wholeRange().default([40, 120]),
    heart_rate: wholeRange().default([40, 120]),
  }).prefault({}),
  budget: number(0.003, 1000),
  per_days: wholeNumber(1, 36_500).default(365),
})
  // With a tolerance: in floating-point numbers, 0.3 is below three times 0.1.
  .refine(({ epsilon, budget }) => budget >= 3 * epsilon * (1 - 1e-12), {
    path: ['budget'],
    error: 'at least 3 × epsilon, which is what one release spends',
  });

const sharingSection = section({
  enabled: flag.default(true),
  results_dir: folderPath.default('analyser'),
  share_cohort_average: flag.default(true),
  encrypt_results: flag.default(true),
  minimum_cohort_pods: wholeNumber(0, 1_000_000).default(0),
  cohort_release: releaseSection.nullable().default(null),
}).prefault({});

/** The keys of the gRPC port that the proxy for gRPC-Web needs too. */
const ofGrpcPort = {
  host: hostName.default('0.0.0.0'),
  port: port.default(50051),
  tls_cert_file: file.nullable().default(null),
  max_queued: wholeNumber(1, 10_000).default(1000),
  max_connections_per_peer: wholeNumber(0, 10_000).default(200),
  trusted_proxies: listOf(network).default([]),
};

const grpcSection = section({
  ...ofGrpcPort,
  token,
  tls_key_file: file.nullable().default(null),
  max_workers: wholeNumber(1, 10_000).default(8),
  // The limit is a day, because a timer of more than 24.8 days would fire immediately.
  analysis_timeout_seconds: seconds(86_400).default(300),
  require_web_id_proof: flag.default(false),
  public_url: origin.nullable().default(null),
  allowed_issuers: listOf(serverUrl).default([]),
})
  .superRefine(expectBothTlsFiles)
  .superRefine((grpc, context) => {
    // A proof is made for the address that callers dial. Behind a proxy the service cannot know this address, and it
    // must not believe the address in a call.
    if (!grpc.require_web_id_proof || grpc.public_url !== null) return;
    const message = 'the address that callers dial, because require_web_id_proof is set';
    context.addIssue({ code: 'custom', path: ['public_url'], message });
  })
  .prefault({});

const webProxySection = section({
  host: hostName.default('127.0.0.1'),
  port: port.default(8089),
  origins: listOf(origin).default([]),
  service: origin.nullable().default(null),
  tls_cert_file: file.nullable().default(null),
  tls_key_file: file.nullable().default(null),
})
  .superRefine(expectBothTlsFiles)
  .prefault({});

function expectBothTlsFiles(
  section: { tls_cert_file: string | null; tls_key_file: string | null },
  context: z.core.$RefinementCtx,
): void {
  const { tls_cert_file: cert, tls_key_file: key } = section;
  if ((cert === null) === (key === null)) return;
  const [missing, given] =
    cert === null ? ['tls_cert_file', 'tls_key_file'] : ['tls_key_file', 'tls_cert_file'];
  const message = `a PEM file, because ${given} is set`;
  context.addIssue({ code: 'custom', path: [missing], message });
}

const outputSection = section({
  state_dir: folder.default('var/state'),
  results_dir: folder.default('var/results'),
  charts_dir: folder.default('var/charts'),
  keep_days: wholeNumber(1, 36_500).nullable().default(null),
  render_charts: flag.default(true),
}).prefault({});

export const apiSection = section({
  enabled: flag.default(true),
  host: hostName.default('127.0.0.1'),
  port: port.default(8088),
  allowed_hosts: listOf(plainHostName).default([]),
  cors_origins: listOf(origin).default([]),
}).prefault({});

const metricsSection = section({
  host: hostName.default('127.0.0.1'),
  port: port.nullable().default(null),
}).prefault({});

const scaleSection = section({
  redis_url: redisUrl,
  max_requests: wholeNumber(0, 100_000).default(32),
  requests_per_worker: wholeNumber(1, 1_000).default(32),
}).prefault({});

export const configSchema = section({
  analyser: analyserSection,
  data: dataSection,
  analysis: analysisSection,
  sharing: sharingSection,
  grpc: grpcSection,
  web_proxy: webProxySection,
  output: outputSection,
  api: apiSection,
  metrics: metricsSection,
  scale: scaleSection,
});

/** The sections that the HTTP API sees; the others are neither checked nor kept. */
export const servedSchema = section({ api: apiSection, output: outputSection }).strip();

/** The keys that the proxy for gRPC-Web sees; no token is among them. */
export const webProxySchema = section({
  web_proxy: webProxySection,
  grpc: section(ofGrpcPort).strip().prefault({}),
}).strip();

export type WebProxyConfig = z.infer<typeof webProxySchema>;
export type ConfigFile = z.infer<typeof configSchema>;
export type ApiConfig = ConfigFile['api'];
export type OutputConfig = ConfigFile['output'];

/** Without its secrets; paths are absolute, and allowed_issuers is never empty. */
export type Config = Omit<ConfigFile, 'analyser' | 'grpc' | 'scale'> & {
  analyser: Omit<ConfigFile['analyser'], 'security_key' | 'credentials'>;
  grpc: Omit<ConfigFile['grpc'], 'token'>;
  scale: Omit<ConfigFile['scale'], 'redis_url'>;
};

/** Secrets are kept apart from the configuration, so that nobody leaks one by printing or passing on a Config. */
export interface Secrets {
  securityKey: string;
  clientId: string;
  clientSecret: string;
  /** Null if callers need no token. */
  grpcToken: string | null;
  /** The address of Redis with its password; null if one process does everything. */
  redisUrl: string | null;
}

export type FoundSecrets = { [Name in keyof Secrets]: string | null };
