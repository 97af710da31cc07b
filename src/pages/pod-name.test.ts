import { expect, test } from 'vitest';
import { splitPodId } from './pod-name.js';

test.each([
  ['pods.example.org-alice', 'https://pods.example.org/alice/', 'pods.example.org-', 'alice'],
  ['localhost:3000-a-b', 'http://localhost:3000/a-b/', 'localhost:3000-', 'a-b'],
  ['alice.example.org', 'https://alice.example.org/', '', 'alice.example.org'],
  ['odd', '', '', 'odd'],
])('%s of %s is %j and %j', (pod_id, pod_root, host, name) => {
  expect(splitPodId({ pod_id, pod_root })).toEqual({ host, name });
});
