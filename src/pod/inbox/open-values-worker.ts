import { KeyObject } from 'node:crypto';
import { workerData } from 'piscina';
import { openValue } from '../crypto/rsa.js';

const key: unknown = workerData;

/** Runs in the threads of an EntryOpener, which are started with the private key. */
export function openValues(sealed: string[]): (Uint8Array | null)[] {
  if (!(key instanceof KeyObject)) throw new TypeError('The worker was started without a key.');
  return sealed.map((value) => openValue(value, key));
}
