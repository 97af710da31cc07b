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

    const outcome = await runAnalysis(own, analyser, {
      confirm: (readings) => readings > 0,
      onStep: (step) => {
        if (step.step === 'sharing') console.log(`Shared ${step.done} of ${step.all}`);
      },
      signal,
    });
    switch (outcome.kind) {
      case 'completed': {
        const { result, readings, inView } = outcome;
        const chart = chartOf(result);
        if (chart !== null) await writeFile(chartFile, chart);
        const partial = inView < readings ? ` (only ${inView} of ${readings} readings)` : '';
        return `Systolic ${result.average.systolic} mm Hg${partial}`;
      }
      case 'unpublished':
      case 'without-result':
        return outcome.reply.message;
      case 'too-late':
        return 'Too late: the result is there.';
      case 'cancelled':
        return 'Cancelled.';
      case 'cancel-undelivered':
        return `The analysis may still run: ${outcome.reason}`;
      default:
        return 'Nothing was shared.';
    }
  } catch (error) {
    if (error instanceof ClientError && error.code === 'not-ready') return 'Try again later.';
    throw error;
  } finally {
    await own.close();
  }
}
