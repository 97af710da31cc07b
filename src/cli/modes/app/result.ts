import { readResult } from '../../../client/result.js';
import { fhirOfResult } from '../../../documents/fhir-observations.js';
import { requireAnalyser } from '../../app/app-settings.js';
import { describeResult, saveChart } from '../../app/print-result.js';
import { withOwnPod } from '../../app/with-own-pod.js';
import type { Mode } from '../../mode.js';

export const mode: Mode = (context) =>
  withOwnPod(context, async (ownPod, app, signal) => {
    const { has, print, printJson, printError } = context;
    const result = await readResult(ownPod, requireAnalyser(app), signal);
    if (has('fhir')) printJson(fhirOfResult(result, ownPod.pod.webId));
    else if (has('json')) printJson(result);
    else for (const line of describeResult(result)) print(line);
    const chart = context.value('chart');
    if (chart !== undefined) printError(await saveChart(result, context.cwd, chart));
  });
