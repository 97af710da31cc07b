import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { status } from '@grpc/grpc-js';
import { describe, expect, onTestFinished, test } from 'vitest';
import { stringify } from 'yaml';
import { callCancel, createProofMetadata, type ProofMetadata } from '../../src/client/calls.js';
import { dial } from '../../src/client/dial.js';
import type { ProofVerifier } from '../../src/grpc/caller-proof.js';
import { WebIdVerifier } from '../../src/solid/login/web-id-verifier.js';
import type { WebIdHolder } from '../../src/solid/solid-client.js';
import { atEnd } from '../support/at-end.js';
import { runMode } from '../support/command-line.js';
import { openClient } from '../support/open-client.js';
import { createPod, sharedSolidServer, type TestPod } from '../support/solid-server.js';
import { newFolder } from '../support/temp-folder.js';
import { completed } from './scripted-analyses.js';
import { serve } from './serve.js';

const solid = sharedSolidServer();
const publicUrl = 'https://analyser.example:8443';
const unproved = { code: status.UNAUTHENTICATED };

interface Person {
  webId: string;
  account: TestPod;
  login: WebIdHolder;
  prove(
    call: 'analyse' | 'cancel',
    serviceUrl?: string,
  ): Promise<ProofMetadata & Record<string, string>>;
}

const [alice, bob] = await Promise.all([createPerson(), createPerson()]);
const verifier = new WebIdVerifier({ issuers: [solid.baseUrl], origins: [], atOnce: 8 });
atEnd(() => verifier.close());

async function createPerson(): Promise<Person> {
  const pod = await createPod(solid);
  const login = openClient({ serverUrl: solid.baseUrl, credentials: pod });
  return {
    webId: pod.webId,
    account: pod,
    login,
    prove: async (call, url = publicUrl) => ({ ...(await createProofMetadata(login, url, call)) }),
  };
}

function serveProving(asked: ProofVerifier = verifier) {
  const grpc = { require_web_id_proof: true, public_url: publicUrl };
  return serve({ grpc, verifier: asked });
}

describe('where callers must prove their WebID', () => {
  test('[T18] the proof opens Analyse and Cancel for that WebID', async () => {
    await using service = await serveProving();
    const client = service.client();
    const first = client.analyse(alice.webId, {}, {}, await alice.prove('analyse'));
    (await service.analyses.begun(1)).finish(completed);
    expect(await first).toMatchObject({ status: 'ANALYSE_STATUS_COMPLETED' });

    const second = client.analyse(alice.webId, {}, {}, await alice.prove('analyse'));
    await service.analyses.begun(2);
    expect(await client.cancel(alice.webId, await alice.prove('cancel'))).toMatchObject({
      status: 'CANCEL_STATUS_STOPPED',
    });
    expect(await second).toMatchObject({ status: 'ANALYSE_STATUS_CANCELLED' });
    expect(service.log()).not.toMatch(/DPoP e|eyJ/);
  });

  test('[T17] where a token is asked for as well, a proof alone opens nothing', async () => {
    const grpc = { require_web_id_proof: true, public_url: publicUrl };
    const token = 'correct horse battery staple';
    await using service = await serve({ grpc, verifier, token });
    const refused = { code: status.UNAUTHENTICATED, details: expect.stringContaining('Bearer') };
    const proved = async () => await alice.prove('analyse');
    const client = service.client();
    await expect(client.analyse(alice.webId, {}, {}, await proved())).rejects.toMatchObject(
      refused,
    );
    await expect(client.status()).rejects.toMatchObject(refused);
    expect(service.analyses.runs).toEqual([]);
    const reply = service.client(`Bearer ${token}`).analyse(alice.webId, {}, {}, await proved());
    (await service.analyses.begun(1)).finish(completed);
    expect(await reply).toMatchObject({ status: 'ANALYSE_STATUS_COMPLETED' });
  });

  test('[T33] Status asks for none, and a call without is refused before anything else', async () => {
    await using service = await serveProving();
    const client = service.client();
    expect(await client.status()).toMatchObject({ ready: true });
    await expect(client.analyse(alice.webId)).rejects.toMatchObject({
      ...unproved,
      details: expect.stringMatching(/prove their WebID.*x-solid-authorization and x-solid-dpop/),
    });
    await expect(client.cancel(alice.webId)).rejects.toMatchObject(unproved);
    await expect(client.cancel('')).rejects.toMatchObject({ code: status.INVALID_ARGUMENT });
    const connection = dial({ host: '127.0.0.1', port: service.server.port });
    onTestFinished(() => connection.close());
    await expect(callCancel(connection, alice.webId)).rejects.toMatchObject({
      code: 'proof-rejected',
    });
  });

  test.each<[string, () => Promise<Record<string, string | string[]>>, RegExp]>([
    ['of somebody else', () => bob.prove('analyse'), /another WebID than web_id/],
    ['for Cancel', () => alice.prove('cancel'), /POST to .*\/Analyse/],
    [
      'sent twice',
      async () => {
        const proof = await alice.prove('analyse');
        return { ...proof, 'x-solid-dpop': [proof['x-solid-dpop'], proof['x-solid-dpop']] };
      },
      /does not hold|each once/,
    ],
  ])('[T33] a proof %s is refused', async (_what, prove, reason) => {
    await using service = await serveProving();
    await expect(
      service.client().analyse(alice.webId, {}, {}, await prove()),
    ).rejects.toMatchObject({ ...unproved, details: expect.stringMatching(reason) });
    expect(service.analyses.runs).toEqual([]);
  });

  test('[T33] a Cancel without a proof, or with that of somebody else, stops nothing', async () => {
    await using service = await serveProving();
    const client = service.client();
    const reply = client.analyse(alice.webId, {}, {}, await alice.prove('analyse'));
    const run = await service.analyses.begun(1);
    for (const proof of [{}, await bob.prove('cancel')]) {
      await expect(client.cancel(alice.webId, proof)).rejects.toMatchObject(unproved);
    }
    run.finish(completed);
    expect(await reply).toMatchObject({ status: 'ANALYSE_STATUS_COMPLETED' });
  });

  test('[T13] nobody has more than two analyses in hand, and nobody else is kept out by that', async () => {
    await using service = await serveProving();
    const analyse = async (person: Person) =>
      service.client().analyse(person.webId, {}, {}, await person.prove('analyse'));
    const inHand = [analyse(alice), analyse(alice)];
    await expect.poll(async () => (await service.client().status())['active_runs']).toBe(2);
    expect((await analyse(alice))['message']).toBe(
      'There are too many analyses in hand for this WebID; wait for one to end.',
    );
    const other = analyse(bob);
    for (const turn of [1, 2, 3]) (await service.analyses.begun(turn)).finish(completed);
    for (const call of [...inHand, other]) {
      expect(await call).toMatchObject({ status: 'ANALYSE_STATUS_COMPLETED' });
    }
  });

  test('the modes analyse and cancel send the proof of whose credentials they are given', async () => {
    await using service = await serveProving();
    const cwd = await newFolder();
    const config = {
      analyser: { web_id: `${solid.baseUrl}analyser/profile/card#me` },
      grpc: {
        host: '127.0.0.1',
        port: service.server.port,
        require_web_id_proof: true,
        public_url: publicUrl,
      },
    };
    await writeFile(join(cwd, 'config.yaml'), stringify(config), { mode: 0o600 });
    const { clientId, clientSecret } = alice.account;
    const env = { APP_USER_CLIENT_ID: clientId, APP_USER_CLIENT_SECRET: clientSecret };
    const analyse = runMode(['analyse', alice.webId], { cwd, env });
    await service.analyses.begun(1);
    const cancel = await runMode(['cancel', alice.webId], { cwd, env });
    expect(cancel).toMatchObject({ code: 0, out: expect.stringContaining('_STOPPED') });
    expect(await analyse).toMatchObject({ code: 1, out: expect.stringContaining('_CANCELLED') });

    for (const mode of ['analyse', 'cancel']) {
      const refused = { code: 4, err: expect.stringContaining('asks for a proof of the WebID') };
      expect(await runMode([mode, alice.webId], { cwd })).toMatchObject(refused);
      const { code } = await runMode([mode, bob.webId], { cwd, env });
      expect(code, `${mode} of another WebID`).toBe(4);
    }
    expect(service.analyses.runs).toHaveLength(1);
  });

  test('[0.12] who hangs up while the proof is checked gets no analysis', async () => {
    let isAsked = false;
    let prove: (webId: string) => void = () => undefined;
    const proved = new Promise<string>((resolve) => {
      prove = resolve;
    });
    const verify = () => {
      isAsked = true;
      return proved;
    };
    await using service = await serveProving({ verify });
    const client = service.client();
    const call = client.analyse(alice.webId, {}, {}, await alice.prove('analyse'));
    await expect.poll(() => isAsked).toBe(true);
    call.hangUp();
    await expect(call).rejects.toMatchObject({ code: status.CANCELLED });
    // On the same connection, so the service knows by now.
    await client.status();
    prove(alice.webId);
    await expect.poll(() => service.log()).toContain('The caller hung up');
    expect(service.analyses.runs).toEqual([]);
  });

  test('[T27] an issuer that does not answer is told as that', async () => {
    const nowhere = 'http://localhost:1/';
    const lost = new WebIdVerifier({ issuers: [nowhere], origins: [], atOnce: 8 });
    const jwt = (claims: object) =>
      ['{"alg":"ES256"}', JSON.stringify(claims), 'x']
        .map((part) => Buffer.from(part).toString('base64url'))
        .join('.');
    const proofFor = (call: string) => ({
      'x-solid-authorization': `DPoP ${jwt({ iss: nowhere })}`,
      'x-solid-dpop': jwt({ htu: `${publicUrl}/healthpod.analyser.v1.Analyser/${call}`, ath: 'x' }),
    });
    await using service = await serveProving(lost);
    expect(await service.client().analyse(alice.webId, {}, {}, proofFor('Analyse'))).toMatchObject({
      status: 'ANALYSE_STATUS_FAILED',
      message: 'The storage server could not be reached. Try again later.',
    });
    await expect(service.client().cancel(alice.webId, proofFor('Cancel'))).rejects.toMatchObject({
      code: status.UNAVAILABLE,
    });
    await lost.close();
  });

  test('the service is not served without the means to check', async () => {
    const grpc = { require_web_id_proof: true, public_url: 'https://analyser.example' };
    await expect(serve({ grpc })).rejects.toThrow(/needs a verifier/);
  });
});
