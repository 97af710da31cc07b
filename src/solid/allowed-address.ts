import { ServerError } from '../base/errors.js';
import { type OriginSet, originSet } from '../base/origin-set.js';

/** Decides where requests may go, because addresses come from sealed entries, which anybody can write. */
export interface AllowedOrigins {
  /** Returns the normalised address without its fragment; throws `forbidden-address`. */
  check(url: string): string;
}

export function allowOrigins(urls: Iterable<string>): AllowedOrigins {
  const origins = originSet(urls);
  return {
    check(url) {
      const address = URL.canParse(url) ? new URL(url) : undefined;
      const problem = findProblem(address, origins);
      if (address === undefined || problem !== undefined) {
        const message = `No request is made to ${JSON.stringify(url.slice(0, 300))}: ${problem}.`;
        throw new ServerError('forbidden-address', message, { url });
      }
      if (address.hash !== '') address.hash = '';
      return address.href;
    },
  };
}

function findProblem(address: URL | undefined, origins: OriginSet): string | undefined {
  if (address === undefined) return 'it is not an absolute address';
  if (address.protocol !== 'https:' && address.protocol !== 'http:') {
    return 'it is neither https nor http';
  }
  if (address.username !== '' || address.password !== '') return 'it carries a user name';
  if (!origins.has(address.origin)) return `the server ${address.origin} is not an allowed one`;
  return undefined;
}
