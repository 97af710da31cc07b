import { isIP } from 'node:net';
import type { onRequestHookHandler } from 'fastify';
import type { ApiConfig } from '../config/schema.js';

const detail =
  'This service does not go by the host name that it was asked under; ' +
  'api.allowed_hosts in its configuration lists the names that it goes by.';

/**
 * Against DNS rebinding: the host name of a stranger's web page points to this machine, and the browser of a visitor
 * takes the API for a part of that page. Only the Host header shows this, and no page can change that header.
 */
export function refuseForeignHosts(api: ApiConfig): onRequestHookHandler {
  const isOwn = ownHosts(api);
  return (request, reply, done) => {
    const { host } = request.headers;
    // Every browser sends a Host header, so a request without one cannot come from a web page.
    if (host === undefined || isOwn(host)) {
      done();
      return;
    }
    void reply.code(421).send({ detail });
  };
}

export function ownHosts({ host, allowed_hosts }: ApiConfig): (header: string) => boolean {
  const listed = new Set([...allowed_hosts, host].map(plain));
  // Without allowed_hosts, an API that other machines reach accepts every name, because its names are not known.
  const isAnything = allowed_hosts.length === 0 && !isThisMachine(plain(host));
  return (header) => {
    const name = nameIn(header);
    if (name === null) return false;
    // Unlike a name, an IP address cannot be pointed to another machine.
    return isAnything || isIP(name) !== 0 || isThisMachine(name) || listed.has(name);
  };
}

function isThisMachine(name: string): boolean {
  if (name === 'localhost' || name.endsWith('.localhost') || name === '::1') return true;
  return isIP(name) === 4 && name.startsWith('127.');
}

function nameIn(header: string): string | null {
  const [, address, name] = /^(?:\[([\da-f:.]+)\]|([\w.-]+))(?::\d*)?$/i.exec(header) ?? [];
  const found = address ?? name;
  return found === undefined ? null : plain(found);
}

function plain(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}
