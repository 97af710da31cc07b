import { firstReadingOf } from '../../../client/readings.js';
import { readResult } from '../../../client/result.js';
import { fhirOfResult } from '../../../documents/fhir-observations.js';
import { requireAnalyser } from '../../app/app-settings.js';
import { describeResult, saveChart } from '../../app/print-result.js';
import { withOwnPod } from '../../app/with-own-pod.js';
import { exitCodes } from '../../exit-codes.js';
import type { Mode } from '../../mode.js';

export const mode: Mode = {
  run(context) {
    return withOwnPod(context, async (ownPod, app, signal) => {
      const result = await readResult(ownPod, requireAnalyser(app), signal);
      const { json, fhir } = context.options;
      if (fhir === true) {
        const { observation_count: count } = result.pod;
        const first = await firstReadingOf(ownPod, count, result.generated_at, signal);
        context.printJson(fhirOfResult(result, ownPod.pod.webId, first));
      } else if (json === true) context.printJson(result);
      else for (const line of describeResult(result)) context.print(line);
      const saved = await saveChart(result, context);
      if (saved !== null) context.printError(saved);
      return exitCodes.ok;
    });
  },
};
