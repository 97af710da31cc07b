import { z } from 'zod';
import {
  flag,
  folder,
  hostName,
  listOf,
  origin,
  plainHostName,
  port,
  wholeNumber,
} from './values.js';

/** The two sections of the configuration that the HTTP API gets to see. */
export const apiSection = z
  .strictObject({
    enabled: flag.default(true),
    host: hostName.default('127.0.0.1'),
    port: port.default(8088),
    allowed_hosts: listOf(plainHostName).default([]),
    cors_origins: listOf(origin).default([]),
  })
  .prefault({});

export const outputSection = z
  .strictObject({
    state_dir: folder.default('var/state'),
    results_dir: folder.default('var/results'),
    charts_dir: folder.default('var/charts'),
    keep_days: wholeNumber(1, 36_500).nullable().default(null),
    render_charts: flag.default(true),
  })
  .prefault({});

export type ApiConfig = z.infer<typeof apiSection>;
export type OutputConfig = z.infer<typeof outputSection>;
