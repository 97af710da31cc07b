import { readResult } from '../../client/result.js';
import { fhirOfResult } from '../../documents/fhir-observations.js';
import type { ModeContext } from '../mode.js';
import { type AppFlags, requireAnalyser } from './app-settings.js';
import { describeResult, saveChart } from './print-result.js';
import { withOwnPod } from './with-own-pod.js';

interface ResultFlags extends AppFlags {
  chart?: string;
  json?: boolean;
  fhir?: boolean;
}

export function showResult(context: ModeContext, flags: ResultFlags): Promise<void> {
  return withOwnPod(context, flags, async (ownPod, app, signal) => {
    const { print, printJson, printError } = context;
    const { chart, json, fhir } = flags;
    const result = await readResult(ownPod, requireAnalyser(app), signal);
    if (fhir) printJson(fhirOfResult(result, ownPod.pod.webId));
    else if (json) printJson(result);
    else for (const line of describeResult(result)) print(line);
    if (chart !== undefined) printError(await saveChart(result, context.cwd, chart));
  });
}
