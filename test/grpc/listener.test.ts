import { Server } from '@grpc/grpc-js';
import { expect, test } from 'vitest';
import ownPackage from '../../package.json' with { type: 'json' };
import { openListener, testedVersion } from '../../src/grpc/listener.js';
import { AddressSet } from '../../src/ports/caller-address.js';

test('the library whose field is read is installed in exactly the version that was tested', () => {
  expect(ownPackage.dependencies['@grpc/grpc-js']).toBe(testedVersion);
});

test('a library that has moved the field is told with the version that is needed', async () => {
  const server = new Server();
  Reflect.deleteProperty(server, 'http2Servers');
  Object.defineProperty(server, 'createConnectionInjector', { value: () => ({}) });
  const limits = { atOnce: 10, ofOneAddress: 10, proxies: new AddressSet([]) };
  const opening = openListener(server, {
    host: '127.0.0.1',
    port: 0,
    limits,
    certificates: null,
  });
  await expect(opening).rejects.toThrow(`needs version ${testedVersion}`);
});
