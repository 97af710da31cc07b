import { createSolidClient, type SolidClientOptions } from '../../src/solid/http-solid-client.js';
import type { HttpSolidClient } from '../../src/solid/solid-client.js';
import { atEnd } from './at-end.js';

/** A client that is closed when the test file ends. */
export function openClient(options: SolidClientOptions): HttpSolidClient {
  const client = createSolidClient(options);
  atEnd(() => client.close());
  return client;
}
