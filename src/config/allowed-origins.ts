import { originSet } from '../base/origin-set.js';
import type { Config } from './schema.js';

type Data = Pick<Config['data'], 'allowed_origins'>;

/** The items of `allowed_origins` as addresses or patterns, without `pod_depth`. */
export function originsOf({ allowed_origins }: Data): string[] {
  return allowed_origins.map((item) => (typeof item === 'string' ? item : item.origin));
}

/** The Analyser's own server, then the other allowed origins. */
export function serversOf({ analyser, data }: Pick<Config, 'analyser' | 'data'>): string[] {
  return [analyser.server_url, ...originsOf(data)];
}

/** How many folders deep the Pods of an origin lie; null when the configuration does not say. */
export function podDepthOf({ allowed_origins }: Data, origin: string): number | null {
  for (const item of allowed_origins) {
    if (typeof item !== 'string' && originSet([item.origin]).has(origin)) return item.pod_depth;
  }
  return null;
}
