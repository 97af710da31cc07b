import { expect, test } from 'vitest';
import { configSchema } from '../config/schema.js';
import { queueLimits } from './start-analyses.js';

const analyser = {
  web_id: 'https://pods.example/analyser/profile/card#me',
  server_url: 'https://pods.example/',
};

test.each([
  ['where callers prove who they are', true, 2],
  // Anybody could fill the places of another.
  ['where anybody can call in any name', false, Number.POSITIVE_INFINITY],
])('[T13] how many calls of one WebID may be in hand, %s', (_, isProved, perCaller) => {
  const { grpc } = configSchema.parse({ analyser });
  const limits = queueLimits({ ...grpc, max_queued: 7, require_web_id_proof: isProved });
  expect(limits).toMatchObject({ waiting: 7, perCaller });
});
