import { z } from 'zod';
import { type Finding, stopping } from './finding.js';

const claims = z.object({ webid: z.string() });

/** The WebID that an access token is for; null for one that does not tell. */
export function webIdOfToken(token: string): string | null {
  try {
    const payload: unknown = JSON.parse(
      Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'),
    );
    const parsed = claims.safeParse(payload);
    return parsed.success ? parsed.data.webid : null;
  } catch {
    return null;
  }
}

export function judgeCredentials(token: string, webId: string): Finding[] {
  const bound = webIdOfToken(token);
  if (bound === null || bound === webId) return [];
  return [
    stopping(
      `The client credentials are bound to ${bound}, not to analyser.web_id ${webId}: issue new ones for that WebID, or correct analyser.web_id.`,
    ),
  ];
}
