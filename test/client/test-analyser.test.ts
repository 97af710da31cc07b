import { expect, onTestFinished, test } from 'vitest';
import {
  AnalyseStatus,
  CancelStatus,
  callAnalyse,
  callCancel,
  callStatus,
  dial,
} from '../../src/client/client.js';
import { startTestAnalyser, type TestReplies } from '../../src/client/testing.js';

const analyserWebId = 'https://health.example/analyser/profile/card#me';
const alice = 'https://pods.example/alice/profile/card#me';
const bob = 'https://pods.example/bob/profile/card#me';

async function start(replies?: TestReplies) {
  const analyser = await startTestAnalyser(analyserWebId, replies);
  const connection = dial(analyser.service);
  onTestFinished(() => {
    connection.close();
    analyser.stop();
  });
  return { analyser, connection };
}

test('by itself it is ready, and has published nothing', async () => {
  const { connection } = await start();
  expect(await callStatus(connection)).toMatchObject({
    ready: true,
    analyser_web_id: analyserWebId,
  });
  expect(await callAnalyse(connection, alice, 1)).toMatchObject({
    status: AnalyseStatus.ANALYSE_STATUS_COMPLETED,
    published: false,
  });
});

test('it answers what it was told last', async () => {
  const message = 'The disk is full.';
  const { analyser, connection } = await start({ status: { ready: false, message } });
  expect(await callStatus(connection)).toMatchObject({ ready: false, message });
  const status = AnalyseStatus.ANALYSE_STATUS_FAILED;
  analyser.replies = { status: { analyser_web_id: bob }, analyse: { status, message } };
  expect(await callStatus(connection)).toMatchObject({ ready: true, analyser_web_id: bob });
  expect(await callAnalyse(connection, alice, 1)).toMatchObject({ status, message });
});

test('an analysis that waits ends with a Cancel for its WebID', async () => {
  const { analyser, connection } = await start({ analyse: 'until-cancelled' });
  const waiting = callAnalyse(connection, alice, 1);
  await expect.poll(() => analyser.requests.length).toBe(1);
  const cancel = async (webId: string) => (await callCancel(connection, webId)).status;
  expect(await cancel(bob)).toBe(CancelStatus.CANCEL_STATUS_NOTHING_RUNNING);
  expect(await cancel(alice)).toBe(CancelStatus.CANCEL_STATUS_STOPPED);
  const status = AnalyseStatus.ANALYSE_STATUS_CANCELLED;
  expect(await waiting).toMatchObject({ status });
  expect(await cancel(alice)).toBe(CancelStatus.CANCEL_STATUS_NOTHING_RUNNING);
});
