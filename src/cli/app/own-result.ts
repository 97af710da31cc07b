import { resolve } from 'node:path';
import type { Figures } from '../../analysis/figures.js';
import { describeLatest, latestAverage } from '../../analysis/home-words.js';
import { measureNames } from '../../analysis/reading.js';
import { countOf } from '../../base/sentences.js';
import { chartOf, readResult } from '../../client/result.js';
import { fhirOfResult } from '../../documents/fhir-observations.js';
import type { PodAverageDocument } from '../../documents/published-document.js';
import { writeFileAtomically } from '../../store/atomic-file.js';
import type { ModeContext } from '../mode.js';
import { type AppFlags, requireAnalyser, withOwnPod } from './with-own-pod.js';

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

/** Describes a result for a person: own figures beside those of the latest days and of the cohort. */
export function describeResult(result: PodAverageDocument): string[] {
  const { average, cohort, pod, units } = result;
  const latest = describeLatest(pod);
  const rows: [string, Figures | null][] = [
    ['your average', average],
    ...latestRows(pod),
    ['cohort average', cohort.average_of_averages],
  ];
  const columns = measureNames.map((name) => {
    const title = `${name.replace('_', ' ')} (${units[name]})`;
    const figures = rows.map(([, figures]) => show(figures?.[name] ?? null));
    return [title, ...figures].map((cell) => cell.padStart(title.length));
  });
  const table = ['', ...rows.map(([label]) => label)].map((label, row) =>
    [label.padEnd(14), ...columns.map((cells) => cells[row])].join('  '),
  );
  return [
    ...table,
    '',
    ...(latest === null ? [] : [latest]),
    ...whyDashes(result),
    `${countOf(pod.observation_count, 'reading')} of yours, ${countOf(cohort.pod_count, 'Pod')} in the cohort; generated at ${result.generated_at}.`,
    ...(pod.notes ?? []),
  ];
}

/** The document says that a figure is missing, and not why: that stood in the reply to its analysis. */
function whyDashes({ average, cohort, pod }: PodAverageDocument): string[] {
  const days = latestAverage(pod)?.days;
  const isWithheld = measureNames.some(
    (name) => average[name] !== null && cohort.average_of_averages[name] === null,
  );
  return [
    ...(days?.morning === null || days?.evening === null
      ? ['A half of the day has a dash (–) where it has fewer than three readings.']
      : []),
    ...(isWithheld
      ? [
          'The cohort has a dash (–) where too few Pods have a figure for anybody to be told, or the service sends none now.',
        ]
      : []),
  ];
}

function latestRows(pod: PodAverageDocument['pod']): [string, Figures | null][] {
  const latest = latestAverage(pod);
  if (latest === null) return [];
  const { average, morning, evening } = latest.days;
  return [
    [latest.name.toLowerCase(), average],
    ['  morning', morning],
    ['  evening', evening],
  ];
}

/** Saves the chart, named as on a command line; returns the sentence to print. */
export async function saveChart(
  result: PodAverageDocument,
  cwd: string,
  name: string,
): Promise<string> {
  const chart = chartOf(result);
  if (chart === null) return 'The service draws no charts, so none was saved.';
  const path = resolve(cwd, name);
  await writeFileAtomically(path, chart, 0o600);
  return `The chart is in ${path}.`;
}

function show(figure: number | null): string {
  return figure === null ? '–' : figure.toFixed(1);
}
