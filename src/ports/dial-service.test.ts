import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { Certificates } from '../../test/grpc/certificates.js';
import { trustCertificate } from './dial-service.js';

const certificates = new Certificates();
afterAll(() => certificates[Symbol.dispose]());
const own = certificates.selfSigned('DNS:service.example');
const other = certificates.selfSigned('DNS:other.example');
const { checkIdentity } = trustCertificate(own.cert);
const shown = ({ cert }: typeof own) => new X509Certificate(readFileSync(cert)).toLegacyObject();

test.each([
  ['the certificate of the file', 'service.example', own, true],
  ['the same on this machine, where its name is another', '127.0.0.1', own, true],
  ['another with the name that is asked for', 'other.example', other, true],
  ['another of a name that is not asked for', 'service.example', other, false],
  ['another, by its address', '127.0.0.1', other, false],
])('[T40] who shows %s is the service at %s', (_, name, certificate, isService) => {
  expect(checkIdentity(name, shown(certificate)) === undefined).toBe(isService);
});
