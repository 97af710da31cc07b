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
    enabled: flag.default(true).describe('Whether the mode serve may start.'),
    host: hostName.default('127.0.0.1').describe('Address to listen on.'),
    port: port.default(8088).describe('Port to listen on; 0 takes a free one.'),
    allowed_hosts: listOf(plainHostName)
      .default([])
      .describe('Host names that the API goes by, besides those of this machine.'),
    cors_origins: listOf(origin)
      .default([])
      .describe('Web pages from these origins may read the API.'),
  })
  .prefault({});

export const outputSection = z
  .strictObject({
    state_dir: folder
      .default('var/state')
      .describe('State marker, locks, ledger of shares; absolute once loaded.'),
    results_dir: folder.default('var/results').describe('Results documents; absolute once loaded.'),
    charts_dir: folder.default('var/charts').describe('Charts; absolute once loaded.'),
    keep_days: wholeNumber(1, 36_500)
      .nullable()
      .default(null)
      .describe('Runs and charts that are older are removed; null keeps them.'),
    render_charts: flag.default(true).describe('Draw charts; the JSON is the same without.'),
  })
  .prefault({});

export type ApiConfig = z.infer<typeof apiSection>;
export type OutputConfig = z.infer<typeof outputSection>;
