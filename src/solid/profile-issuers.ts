import { getTurtle, type ReadOptions } from './get-turtle.js';
import type { SolidClient } from './solid-client.js';

const OIDC_ISSUER = 'http://www.w3.org/ns/solid/terms#oidcIssuer';

/** The servers at which a WebID logs in, as its profile names them; an empty list without a profile. */
export async function readIssuers(
  client: SolidClient,
  webId: string,
  options: ReadOptions,
): Promise<readonly string[]> {
  const profile = await getTurtle(client, webId, options);
  return profile?.links(webId, OIDC_ISSUER) ?? [];
}
