import { type OwnPodSettings, openOwnPod, runAnalysis } from '../../src/client/client.js';

export async function analyseMine(settings: OwnPodSettings, token: string): Promise<void> {
  const own = await openOwnPod(settings); // WebID, security key, client credentials
  const analyserWebId = 'https://pods.example.org/analyser/profile/card#me';
  const service = {
    host: 'pods.example.org',
    port: 50051,
    tls: true,
    certificateFile: null,
    token,
  };
  const confirm = (readings: number) => readings > 0; // ask before anything is shared
  const outcome = await runAnalysis(own, { analyserWebId, service }, { confirm });
  if (outcome.kind === 'completed') console.log(outcome.result.average, outcome.result.cohort);
  await own.close();
}
