import { z } from 'zod';
import type { OriginSet } from '../../base/origin-set.js';
import { parseJson } from '../../base/parse-json.js';
import type { Rule } from '../../pod/documents/access-control-list.js';
import { canonicalResource } from '../../pod/resource-address.js';
import { vocabulary as v } from '../../pod/vocabulary.js';
import { type Finding, notice, stopping } from './finding.js';

const mostOffMs = 60_000;

/** `date` is a header of the storage server in whole seconds, so two seconds are no difference. */
export function judgeClock(date: string | undefined, now: Date): Finding[] {
  const server = Date.parse(date ?? '');
  if (Number.isNaN(server)) return [];
  const offMs = now.getTime() - server;
  if (Math.abs(offMs) <= mostOffMs) return [];
  const seconds = Math.round(Math.abs(offMs) / 1000);
  return notice(
    `The clock of this machine is ${seconds} seconds ${offMs > 0 ? 'ahead of' : 'behind'} that of the storage server, which refuses logins that look old or early: synchronise both with NTP.`,
  );
}

const claims = z.object({ webid: z.string() });

/** The WebID that an access token is for; null when the token does not say. */
export function webIdOfToken(token: string): string | null {
  const payload = Buffer.from(token.split('.')[1] ?? '', 'base64url');
  return claims.safeParse(parseJson(payload)).data?.webid ?? null;
}

export function judgeCredentials(token: string, webId: string): Finding[] {
  const bound = webIdOfToken(token);
  if (bound === null || bound === webId) return [];
  return stopping(
    `The client credentials are bound to ${bound}, not to analyser.web_id ${webId}: issue new ones for that WebID, or correct analyser.web_id.`,
  );
}

/** Anybody can share any address, so other servers are only asked when the operator allows them. */
export function judgeOrigins(urls: readonly string[], allowed: OriginSet): Finding[] {
  const counts = new Map<string, number>();
  for (const url of urls) {
    const { origin } = new URL(url);
    if (!allowed.has(origin)) counts.set(origin, (counts.get(origin) ?? 0) + 1);
  }
  return [...counts].flatMap(([origin, count]) =>
    notice(
      `${count} shared ${count === 1 ? 'resource is' : 'resources are'} on ${origin}, where nothing is read: add it to data.allowed_origins if its Pods are to take part.`,
    ),
  );
}

const repair = 'Log in to the Analyser Pod with the app and set it again, or change its .acl';

/** `status` is that of a request without a login. */
export function judgePublicKey(url: string, status: number): Finding[] {
  if (status === 200) return [];
  return stopping(
    `${url} is not publicly readable (HTTP ${status} instead of 200), so nobody can share with the Analyser. ${repair} so that everybody (foaf:Agent) may read.`,
  );
}

/** `rules` are those of the folder's own .acl; null when it inherits them. */
export function judgeInbox(folder: string, rules: readonly Rule[] | null): Finding[] {
  const place = canonicalResource(folder);
  const isOpen = (key: 'accessTo' | 'default') =>
    rules?.some(
      (rule) =>
        rule.classes.includes(v.everyone) &&
        rule.modes.includes(v.write) &&
        rule[key].some((target) => canonicalResource(target) === place),
    ) === true;
  if (isOpen('accessTo') && isOpen('default')) return [];
  return stopping(
    `${folder} is not publicly writable, so no Pod can hand over a key. ${repair} so that everybody (foaf:Agent) may read and write the folder and what is in it.`,
  );
}
