import { originSet } from '../base/origin-set.js';
import type { Config } from './schema.js';

type Data = Pick<Config['data'], 'allowed_origins'>;

export function originsOf({ allowed_origins }: Data): string[] {
  return allowed_origins.map(({ origin }) => origin);
}

export function serversOf({ analyser, data }: Pick<Config, 'analyser' | 'data'>): string[] {
  return [analyser.server_url, ...originsOf(data)];
}

/** What the configuration says of an origin, by its own name before a wildcard; undefined for the Analyser's own server. */
export function allowedOrigin({ allowed_origins }: Data, wanted: string) {
  const fitting = allowed_origins.filter(({ origin }) => originSet([origin]).has(wanted));
  return fitting.find(({ origin }) => !origin.includes('*')) ?? fitting[0];
}
