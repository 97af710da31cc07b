import { constants, createPrivateKey, privateDecrypt } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';

const { pem, values } = z
  .object({ pem: z.string(), values: z.array(z.string()) })
  .parse(workerData);
const ciphertexts = values.map((value) => Buffer.from(value, 'base64'));
const key = { key: createPrivateKey(pem), padding: constants.RSA_NO_PADDING };

parentPort?.once('message', () => {
  for (const ciphertext of ciphertexts) privateDecrypt(key, ciphertext);
  parentPort?.postMessage('done');
});
parentPort?.postMessage('ready');
