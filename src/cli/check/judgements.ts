import { z } from 'zod';
import { parseJson } from '../../base/parse-json.js';
import type { Rule } from '../../pod/documents/access-control-list.js';
import { canonicalResource } from '../../pod/resource-address.js';
import { vocabulary as v } from '../../pod/vocabulary.js';
import { foreignOrigin } from '../../run/gather/classify-share.js';

/** A problem that there is now or will be later; the message says what to do. */
export interface Finding {
  /** Whether analyses or calls fail because of it. */
  stops: boolean;
  message: string;
}

/** A list of one finding, because every examination gives a list, which is empty if all is well. */
export function stopping(message: string): Finding[] {
  return [{ stops: true, message }];
}

export function notice(message: string): Finding[] {
  return [{ stops: false, message }];
}

const mostOffMs = 60_000;

/** `date` is the Date header of the storage server. A difference of up to a minute is no finding. */
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

/** Anybody can share any address, so the service asks other servers only if the operator allows them. */
export function judgeRefused(refused: readonly { url: string; reason: string }[]): Finding[] {
  const counts = new Map<string, { count: number; url: string; reason: string }>();
  for (const { url, reason } of refused) {
    const subject = reason === foreignOrigin ? new URL(url).origin : reason;
    const known = counts.get(subject);
    if (known === undefined) counts.set(subject, { count: 1, url, reason });
    else known.count += 1;
  }
  return [...counts.values()].flatMap(({ count, url, reason }) => {
    const shared = `${count} shared ${count === 1 ? 'resource is' : 'resources are'}`;
    return notice(
      reason === foreignOrigin
        ? `${shared} on ${new URL(url).origin}, where nothing is read: add it to data.allowed_origins if its Pods are to take part.`
        : `${shared} left out, because ${reason}, such as ${url}`,
    );
  });
}

const repair = 'Log in to the Analyser Pod with the app and set it again, or change its .acl';

/** `status` is the status of a request without a login. */
export function judgePublicKey(url: string, status: number): Finding[] {
  if (status === 200) return [];
  return stopping(
    `${url} is not publicly readable (HTTP ${status} instead of 200), so nobody can share with the Analyser. ${repair} so that everybody (foaf:Agent) may read.`,
  );
}

/** `rules` are the rules in the folder's own .acl; null when the folder inherits its rules. */
export function judgeInbox(folder: string, rules: readonly Rule[] | null): Finding[] {
  const wanted = canonicalResource(folder);
  const isOpen = (key: 'accessTo' | 'default') =>
    rules?.some(
      (rule) =>
        rule.classes.includes(v.everyone) &&
        rule.modes.includes(v.write) &&
        rule[key].some((target) => canonicalResource(target) === wanted),
    ) === true;
  if (isOpen('accessTo') && isOpen('default')) return [];
  return stopping(
    `${folder} is not publicly writable, so no Pod can hand over a key. ${repair} so that everybody (foaf:Agent) may read and write the folder and what is in it.`,
  );
}
