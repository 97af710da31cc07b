import { isIP } from 'node:net';
import type { onRequestHookHandler } from 'fastify';
import type { ApiConfig } from '../config/schema.js';

const detail =
  'This service does not go by the host name that it was asked under; ' +
  'api.allowed_hosts in its configuration lists the names that it goes by.';

/** Anybody can ask under any name, so only this many are logged. */
const MOST_LOGGED = 10;

/**
 * A page on the web can lead a name of its own to this machine, and its visitor's browser then takes the API for a
 * part of that page (DNS rebinding). Only the Host header gives this away, and no page can change that header.
 */
export function refuseForeignHosts(api: ApiConfig): onRequestHookHandler {
  const isOwn = ownHosts(api);
  const logged = new Set<string>();
  return (request, reply, done) => {
    const { host } = request.headers;
    // Every browser sends a Host header.
    if (host === undefined || isOwn(host)) {
      done();
      return;
    }
    if (logged.size < MOST_LOGGED && !logged.has(host)) {
      logged.add(host);
      request.log.warn(
        { host },
        'Asked under a host name that is not its own: refused, as api.allowed_hosts does not list it.',
      );
    }
    void reply.code(421).send({ detail });
  };
}

export function ownHosts({ host, allowed_hosts }: ApiConfig): (header: string) => boolean {
  const listed = new Set([...allowed_hosts, host].map(plain));
  // Other machines then reach the API under names that nobody has told us yet.
  const isAnything = allowed_hosts.length === 0 && !isThisMachine(plain(host));
  return (header) => {
    const name = nameIn(header);
    if (name === null) return false;
    // An IP address cannot be made to point elsewhere.
    return isAnything || isIP(name) !== 0 || isThisMachine(name) || listed.has(name);
  };
}

function isThisMachine(name: string): boolean {
  if (name === 'localhost' || name.endsWith('.localhost') || name === '::1') return true;
  return isIP(name) === 4 && name.startsWith('127.');
}

/** Null for a header that no browser sends. */
function nameIn(header: string): string | null {
  const [, address, name] = /^(?:\[([\da-f:.]+)\]|([\w.-]+))(?::\d*)?$/i.exec(header) ?? [];
  const found = address ?? name;
  return found === undefined ? null : plain(found);
}

function plain(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}
