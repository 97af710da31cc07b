import { expect, test } from 'vitest';
import { AnalyserError } from '../base/errors.js';
import { notReadyReason } from './readiness.js';

const own = {
  webIds: ['https://pods.example/analyser/profile/card#me'],
  serverUrl: 'https://pods.example/',
};

test('why the service is not ready is told as it is, but for foreign addresses', () => {
  const reason = (error: unknown) => notReadyReason(error, own);
  expect(reason(new AnalyserError('keys', 'The configured security key does not match.'))).toBe(
    'The configured security key does not match.',
  );
  expect(reason(new AnalyserError('configuration', 'Bound to https://pods.example/bob/.'))).toBe(
    'Bound to another address.',
  );
  expect(reason(new AnalyserError('disk', 'Could not write /var/lib/x.'))).toBe(
    'The service could not write to its own disk. The log of the service says why.',
  );
  expect(reason(new Error('ENOENT /etc/secret'))).toBe(
    'The service failed to get ready. The log of the service says why.',
  );
});
