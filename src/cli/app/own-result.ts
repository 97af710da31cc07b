import { resolve } from 'node:path';
import { describeLatest } from '../../analysis/home-words.js';
import { AnalyserError } from '../../base/errors.js';
import { countOf } from '../../base/sentences.js';
import { describePeriod, isEmpty, studyPeriod } from '../../base/study-period.js';
import { fhirOfResult } from '../../client/fhir-observations.js';
import { readReadings } from '../../client/readings.js';
import { renderReport } from '../../client/report.js';
import { chartOf, readResult } from '../../client/result.js';
import { aboutFigures, measureColumns, onlyOne, resultRows } from '../../client/result-rows.js';
import type { PodAverageDocument } from '../../documents/published-document.js';
import { writeFileAtomically } from '../../store/files.js';
import type { ModeContext } from '../mode.js';
import type { AppFlags } from './settings-file.js';
import { withAnalyser } from './with-own-pod.js';

interface ResultFlags extends AppFlags {
  chart?: string;
  json?: boolean;
  fhir?: boolean;
}

export function showResult(context: ModeContext, flags: ResultFlags): Promise<void> {
  return withAnalyser(context, flags, async (ownPod, analyser, signal) => {
    const { print, printJson, printError } = context;
    const { chart, json, fhir } = flags;
    const result = await readResult(ownPod, analyser, signal);
    if (fhir) printJson(fhirOfResult(result, ownPod.pod.webId));
    else if (json) printJson(result);
    else for (const line of describeResult(result)) print(line);
    printError(
      `The last result, of ${result.generated_at}: what has changed since, such as a share that was taken back, is not in it.`,
    );
    if (chart !== undefined) printError(await saveChart(result, context.cwd, chart));
  });
}

interface ReportFlags extends AppFlags {
  name?: string;
  from?: string;
  until?: string;
}

export async function saveReport(
  context: ModeContext,
  name: string,
  flags: ReportFlags,
): Promise<void> {
  const range = studyPeriod({ from: flags.from ?? null, until: flags.until ?? null });
  if (range !== null && isEmpty(range)) {
    throw new AnalyserError('configuration', '--until: expected a day that is not before --from.');
  }
  await withAnalyser(context, flags, async (ownPod, analyser, signal) => {
    const { name: person = ownPod.pod.webId } = flags;
    const result = await readResult(ownPod, analyser, signal);
    const readings = await readReadings(ownPod, { signal });
    const page = renderReport(result, readings, { person, range });
    const path = await saveForOwner(context.cwd, name, page);
    context.print(`The report is in ${path}: open it in a browser to print it.`);
    if (flags.name === undefined) context.print('--name puts your name on it.');
  });
}

export function describeResult(result: PodAverageDocument): string[] {
  const { cohort, pod, period } = result;
  const latest = describeLatest(pod);
  const widths = measureColumns.map((title) => title.length);
  const rows = [['', ...measureColumns], ...resultRows(result, 'your average', '  ')];
  return [
    ...rows.map(([label = '', ...cells]) =>
      [label.padEnd(14), ...cells.map((cell, at) => cell.padStart(widths[at] ?? 0))].join('  '),
    ),
    '',
    ...(latest === null ? [] : [latest]),
    ...aboutFigures(result),
    ...(period === undefined ? [] : [`Study period: ${describePeriod(period)}.`]),
    ...(cohort.pod_count === 1 ? [`${onlyOne}.`] : []),
    `${countOf(pod.observation_count, 'reading')} of yours, ${countOf(cohort.pod_count, 'Pod')} in the cohort; generated at ${result.generated_at}.`,
    ...(pod.notes ?? []),
  ];
}

export async function saveChart(
  result: PodAverageDocument,
  cwd: string,
  name: string,
): Promise<string> {
  const chart = chartOf(result);
  if (chart === null) return 'The service draws no charts, so none was saved.';
  return `The chart is in ${await saveForOwner(cwd, name, chart)}.`;
}

async function saveForOwner(cwd: string, name: string, content: string | Buffer): Promise<string> {
  const path = resolve(cwd, name);
  await writeFileAtomically(path, content, 0o600);
  return path;
}
