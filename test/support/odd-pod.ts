import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { createAccount, issueClientCredentials } from '../../src/solid/css-account.js';
import type { TestPod } from './solid-server.js';

const demand = z.object({ details: z.object({ quad: z.string() }) });

/**
 * A Pod whose name the server's own account page would clean: put on the disk by hand, as a
 * migration would. `segment` is the name as its owner's app spells it in the WebID.
 */
export async function createOddPod(
  server: { baseUrl: string; rootDir: string },
  segment: string,
  unique: string,
): Promise<TestPod> {
  const name = decodeURIComponent(segment);
  // As the server itself writes them on a disk that may be of another system.
  const folder = join(
    server.rootDir,
    name.replace(/[*:]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`),
  );
  const root = `${server.baseUrl}${segment}/`;
  const webId = `${root}profile/card#me`;
  const spelled = `${server.baseUrl}${encodeURIComponent(name)}/`;
  const rules = (target: string, extra: string) => `
    @prefix acl: <http://www.w3.org/ns/auth/acl#>.
    <#owner> a acl:Authorization; acl:agent <${webId}>; acl:accessTo <${target}>; ${extra}
      acl:mode acl:Read, acl:Write, acl:Control.
    <#all> a acl:Authorization; acl:agentClass <http://xmlns.com/foaf/0.1/Agent>;
      acl:accessTo <${spelled}profile/card>; acl:mode acl:Read.`;
  await mkdir(join(folder, 'profile'), { recursive: true });
  await writeFile(join(folder, '.acl'), rules(spelled, `acl:default <${spelled}>;`));
  await writeFile(join(folder, 'profile/card.acl'), rules(`${spelled}profile/card`, ''));
  const writeCard = (proof: string) =>
    writeFile(
      join(folder, 'profile/card$.ttl'),
      `<${webId}> <http://www.w3.org/ns/solid/terms#oidcIssuer> <${server.baseUrl}>.\n${proof}\n`,
    );
  await writeCard('');
  const login = { email: `${unique}@pods.example`, password: `password of ${unique}` };
  const account = await createAccount(server.baseUrl, login);
  const link = async () => {
    const answer = await fetch(
      String(account.controls.account['pod']).replace(/pod\/$/, 'webid/'),
      {
        method: 'POST',
        headers: {
          authorization: `CSS-Account-Token ${account.token}`,
          accept: 'application/json',
          'content-type': 'application/json',
        },
        body: JSON.stringify({ webId }),
      },
    );
    const json: unknown = await answer.json();
    return { ok: answer.ok, json };
  };
  const first = await link();
  await writeCard(demand.parse(first.json).details.quad);
  const second = await link();
  if (!second.ok) throw new Error(`${webId} could not be linked: ${JSON.stringify(second.json)}`);
  const credentials = await issueClientCredentials(account, { name: 'test', webId });
  return { webId, root, ...login, ...credentials };
}
