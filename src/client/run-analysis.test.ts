import { expect, onTestFinished, test } from 'vitest';
import { publishers } from '../../test/support/publishing.js';
import { ownPodOf } from './open-own-pod.js';
import { runAnalysis } from './run-analysis.js';
import { startTestAnalyser } from './testing.js';

test.each([
  ['what is new', false],
  ['what was shared before, once more', true],
])('[T43] nobody’s readings are shared without their yes: %s', async (_, shareAgain) => {
  const { server, analyser, person } = await publishers('anna', 'ben');
  const anna = person('anna');
  const values = { systolic: 120, diastolic: 80, heart_rate: null };
  await anna.record([values], shareAgain ? analyser.webId : person('ben').webId);
  const service = await startTestAnalyser(analyser.webId);
  onTestFinished(() => service.stop());
  const inbox = server.textOf(analyser.pod.documents.sharedKeys);
  const asked: number[] = [];
  const outcome = await runAnalysis(
    ownPodOf(anna.client, anna.pod),
    { analyserWebId: analyser.webId, service: service.service },
    { confirm: (readings) => asked.push(readings) > 1, shareAgain },
  );
  expect([outcome, asked]).toEqual([{ kind: 'declined' }, [1]]);
  expect(server.textOf(analyser.pod.documents.sharedKeys)).toBe(inbox);
  expect(service.requests).toEqual([]);
});
