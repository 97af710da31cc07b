import { expect, test } from 'vitest';
import { commonHost, splitPodId } from './pod-name.js';

test.each([
  ['pods.example.org-alice', 'https://pods.example.org/alice/', 'pods.example.org-', 'alice'],
  ['localhost:3000-a-b', 'http://localhost:3000/a-b/', 'localhost:3000-', 'a-b'],
  ['alice.example.org', 'https://alice.example.org/', '', 'alice.example.org'],
  ['odd', '', '', 'odd'],
])('%s of %s is %j and %j', (pod_id, pod_root, host, name) => {
  expect(splitPodId({ pod_id, pod_root })).toEqual({ host, name });
});

test('a host is told once for all, unless there are several', () => {
  const pods = ['a', 'b'].map((name) => ({
    pod_id: `pods.example.org-${name}`,
    pod_root: `https://pods.example.org/${name}/`,
  }));
  expect(commonHost(pods)).toBe('pods.example.org-');
  const other = { pod_id: 'b.example-c', pod_root: 'https://b.example/c/' };
  expect(commonHost([...pods, other])).toBe('');
});
