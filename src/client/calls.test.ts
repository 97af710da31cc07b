import { expect, onTestFinished, test } from 'vitest';
import { callAnalyse } from './calls.js';
import { dial } from './dial.js';
import { startTestAnalyser } from './testing.js';

test('[T40] a proof goes along with its own call, and is not kept for later ones', async () => {
  const analyser = await startTestAnalyser('https://pods.example/analyser/profile/card#me');
  const publicUrl = 'https://service.example';
  const connection = dial({ ...analyser.service, token: 'a token', publicUrl });
  onTestFinished(() => {
    connection.close();
    analyser.stop();
  });
  const proved: string[] = [];
  const login = {
    proveWebId: (url: string) => {
      proved.push(url);
      return Promise.resolve({ authorization: 'DPoP a', dpop: 'b' });
    },
  };
  await callAnalyse(connection, 'https://pods.example/anna/profile/card#me', 1, { login });
  expect(proved).toEqual([`${publicUrl}/healthpod.analyser.v1.Analyser/Analyse`]);
  expect(connection.metadata.getMap()).toEqual({ authorization: 'Bearer a token' });
});
