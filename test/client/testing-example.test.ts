import { expect, test } from 'vitest';
import { AnalyseStatus, callAnalyse, type DialSettings, dial } from '../../src/client/client.js';
import { startTestAnalyser } from '../../src/client/testing.js';

const alice = 'https://pods.example.org/alice/profile/card#me';

/** Stands for a part of your app. */
async function analyse(service: DialSettings): Promise<string> {
  const connection = dial(service);
  const { published, message } = await callAnalyse(connection, alice, 3);
  connection.close();
  return published ? 'Your result is there.' : `No result: ${message}`;
}

test('the app says why there is no result', async () => {
  const analyser = await startTestAnalyser('https://health.example.org/analyser/profile/card#me');
  const status = AnalyseStatus.ANALYSE_STATUS_NO_DATA;
  analyser.replies = { analyse: { status, message: 'You have shared nothing.' } };
  expect(await analyse(analyser.service)).toBe('No result: You have shared nothing.');
  expect(analyser.requests).toMatchObject([{ web_id: alice, shared_file_count: 3 }]);
  analyser.stop();
});
