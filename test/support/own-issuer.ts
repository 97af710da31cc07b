import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  calculateJwkThumbprint,
  exportJWK,
  type GenerateKeyPairResult,
  generateKeyPair,
  SignJWT,
} from 'jose';

export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * A Solid issuer in the hands of an attacker: its tokens are in order, and everything that it is
 * asked can be answered in any way.
 */
export class OwnIssuer implements AsyncDisposable {
  /** By path, instead of the right answer. */
  readonly answers = new Map<string, Answer>();
  readonly asked: string[] = [];
  readonly #server = createServer((request, response) => this.#answer(request, response));
  #keys: GenerateKeyPairResult | null = null;
  #holder: GenerateKeyPairResult | null = null;

  static async start(): Promise<OwnIssuer> {
    const issuer = new OwnIssuer();
    await issuer.changeKey();
    issuer.#holder = await generateKeyPair('ES256', { extractable: true });
    issuer.#server.listen(0, '127.0.0.1');
    await once(issuer.#server, 'listening');
    return issuer;
  }

  get url(): string {
    return `http://localhost:${portOf(this.#server.address())}/`;
  }

  webId(name: string): string {
    return `${this.url}${name}/profile/card#me`;
  }

  async changeKey(): Promise<void> {
    this.#keys = await generateKeyPair('ES256', { extractable: true });
  }

  /** The metadata of a call. */
  async prove(
    name: string,
    path: string,
    jti: string = randomUUID(),
    {
      issued,
      expires = '10m',
      webId = this.webId(name),
      audience = 'solid',
      typ = 'dpop+jwt',
    }: {
      issued?: string;
      expires?: string;
      webId?: string;
      audience?: string;
      typ?: string;
    } = {},
  ) {
    const [keys, holder] = [this.#keys, this.#holder];
    if (keys === null || holder === null) throw new Error('The issuer has not started.');
    const jwk = await exportJWK(holder.publicKey);
    const claims = { webid: webId, cnf: { jkt: await calculateJwkThumbprint(jwk) } };
    const token = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'ES256', kid: await this.#keyId(keys) })
      .setIssuer(this.url)
      .setAudience(audience)
      .setIssuedAt(issued)
      .setExpirationTime(expires)
      .sign(keys.privateKey);
    const ath = Buffer.from(
      await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token)),
    ).toString('base64url');
    const dpop = await new SignJWT({ htm: 'POST', htu: path, ath, jti })
      .setProtectedHeader({ alg: 'ES256', typ, jwk })
      .setIssuedAt()
      .sign(holder.privateKey);
    return { authorization: `DPoP ${token}`, dpop };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #keyId({ publicKey }: GenerateKeyPairResult): Promise<string> {
    return exportJWK(publicKey).then((jwk) => calculateJwkThumbprint(jwk));
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const path = request.url ?? '';
    this.asked.push(path);
    const answer = this.answers.get(path);
    if (answer !== undefined) answer(request, response);
    else void this.#answerWell(path, response);
  }

  async #answerWell(path: string, response: ServerResponse): Promise<void> {
    if (path.endsWith('/profile/card')) {
      const profile = `<#me> <http://www.w3.org/ns/solid/terms#oidcIssuer> <${this.url}>.`;
      response.writeHead(200, { 'content-type': 'text/turtle' }).end(profile);
      return;
    }
    response.writeHead(200, { 'content-type': 'application/json' });
    if (path !== '/jwks' || this.#keys === null) {
      response.end(JSON.stringify({ issuer: this.url, jwks_uri: `${this.url}jwks` }));
      return;
    }
    const jwk = await exportJWK(this.#keys.publicKey);
    const kid = await this.#keyId(this.#keys);
    response.end(JSON.stringify({ keys: [{ ...jwk, kid, alg: 'ES256' }] }));
  }
}

function portOf(address: AddressInfo | string | null): number {
  if (typeof address === 'object' && address !== null) return address.port;
  throw new Error('The server is not listening.');
}
