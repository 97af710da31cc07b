import { z } from 'zod';

const port = z.int().min(0).max(65535);
const range = (low: number, high: number) => z.tuple([z.number(), z.number()]).default([low, high]);

/** Every key of config.yaml but the secrets, with its default. Names are the specification's. */
export const configSchema = z.strictObject({
  analyser: z.strictObject({
    web_id: z.string(),
    /** Derived from web_id when blank. */
    server_url: z.string(),
    app_dir_name: z.string().default('app'),
  }),
  data: z
    .strictObject({
      path_fragments: z.array(z.string()).default(['/data/blood_pressure/']),
      allowed_origins: z.array(z.string()).default([]),
    })
    .prefault({}),
  analysis: z
    .strictObject({
      minimum_observations: z.int().min(1).default(1),
      window_days: z.int().min(1).nullable().default(null),
      plausible: z
        .strictObject({
          systolic: range(40, 300),
          diastolic: range(20, 200),
          heart_rate: range(20, 250),
        })
        .prefault({}),
    })
    .prefault({}),
  sharing: z
    .strictObject({
      enabled: z.boolean().default(true),
      results_dir: z.string().default('analyser'),
      share_cohort_average: z.boolean().default(true),
      encrypt_results: z.boolean().default(true),
      minimum_cohort_pods: z.int().min(0).default(0),
    })
    .prefault({}),
  grpc: z
    .strictObject({
      host: z.string().default('0.0.0.0'),
      port: port.default(50051),
      /** Absolute once loaded; null when TLS is off. */
      tls_cert_file: z.string().nullable().default(null),
      tls_key_file: z.string().nullable().default(null),
      max_workers: z.int().min(1).default(8),
      analysis_timeout_seconds: z.number().positive().default(300),
    })
    .prefault({}),
  output: z
    .strictObject({
      /** Absolute once loaded. */
      state_dir: z.string().default('var/state'),
      results_dir: z.string().default('var/results'),
      charts_dir: z.string().default('var/charts'),
      render_charts: z.boolean().default(true),
    })
    .prefault({}),
  api: z
    .strictObject({
      enabled: z.boolean().default(true),
      host: z.string().default('127.0.0.1'),
      port: port.default(8088),
      cors_origins: z.array(z.string()).default([]),
    })
    .prefault({}),
});
export type Config = z.infer<typeof configSchema>;

/** Kept apart from the configuration, so that nothing that prints or passes on a Config can leak one. */
export interface Secrets {
  securityKey: string;
  clientId: string;
  clientSecret: string;
  /** Null: callers need none. */
  grpcToken: string | null;
}
