import { writeFile } from 'node:fs/promises';
import {
  type Analyser,
  addReadings,
  ClientError,
  chartOf,
  type OwnPodSettings,
  openOwnPod,
  parseNewReading,
  runAnalysis,
} from '../../src/client/client.js';

export async function recordAndAnalyse(
  settings: OwnPodSettings,
  analyser: Analyser,
  chartFile: string,
  signal: AbortSignal,
): Promise<string> {
  const own = await openOwnPod(settings, signal);
  try {
    const timestamp = '2026-08-19T09:15:00';
    const reading = { timestamp, systolic: '118', diastolic: '76', heartRate: '64' };
    await addReadings(own, [parseNewReading(reading)], { signal });
    // This is where an app asks its user.
    const confirm = (readings: number) => readings > 0;
    const outcome = await runAnalysis(own, analyser, { confirm, signal });
    if (outcome.kind === 'without-result' || outcome.kind === 'unpublished') {
      return outcome.reply.message;
    }
    if (outcome.kind !== 'completed') return `No result: ${outcome.kind}`;
    const { result, readings, inView } = outcome;
    const chart = chartOf(result);
    if (chart !== null) await writeFile(chartFile, chart);
    const partial = inView < readings ? ` (only ${inView} of ${readings} readings)` : '';
    return `Systolic ${result.average.systolic} mm Hg${partial}`;
  } catch (error) {
    if (error instanceof ClientError && error.code === 'not-ready') return 'Try again later.';
    throw error;
  } finally {
    await own.close();
  }
}
