import { expect, test } from 'vitest';
import { sampleResults } from '../../test/support/results-sample.js';
import { summariseRun } from './analysis-summary.js';

const webId = 'https://pods.example.org/alice/profile/card#me';

test('[8.4] a figure that was sent is told of, also where a delivery failed; one that was not is not', () => {
  const document = sampleResults('20260819T091500Z', []);
  const record = {
    kind: 'pod-average' as const,
    pod_id: 'a',
    resource_url: 'https://pods.example.org/x',
    recipients: [],
    failures: { [webId]: 'It is full.' },
  };
  const failed = { ...document, sharing: { enabled: true, published: [record] } };
  expect(summariseRun(failed, true)).toMatchObject({
    failed_deliveries: 1,
    sent_by: document.analyser.web_id,
  });
  expect(summariseRun(failed, false)).not.toHaveProperty('sent_by');
  expect(summariseRun(document, true)).toMatchObject({ failed_deliveries: 0 });
});
