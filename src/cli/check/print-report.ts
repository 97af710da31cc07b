import { countOf } from '../../base/sentences.js';
import type { ModeContext } from '../mode.js';
import type { CountedPod, Examined } from './examine-pod.js';

export interface CheckFlags {
  json?: boolean;
}

interface Report extends Omit<Examined, 'login' | 'unlock'> {
  facts: [key: string, label: string, value: string][];
}

/** Returns whether analyses and calls can work. */
export function printReport(report: Report, context: ModeContext, flags: CheckFlags): boolean {
  const { facts, findings, contributing, remembered, shares } = report;
  const isReady = !findings.some(({ stops }) => stops);
  const files = contributing.reduce((sum, pod) => sum + pod.files, 0);
  if (flags.json === true) {
    context.printJson({
      ready: isReady,
      pods: shares === null ? null : contributing.length,
      files: shares === null ? null : files,
      ...Object.fromEntries(facts.map(([key, , value]) => [key, value])),
      contributing_pods: contributing,
      remembered_pods: remembered,
      shared_resources: shares ?? [],
      findings: findings.map(({ stops, message }) => ({ stops_analyses: stops, message })),
    });
  } else {
    printText(report, { isReady, files }, context);
  }
  return isReady;
}

/** The list of shared resources can be long, so it comes first, and what matters most last. */
function printText(
  { facts, findings, contributing, remembered, shares }: Report,
  { isReady, files }: { isReady: boolean; files: number },
  { print }: ModeContext,
): void {
  const tone = !isReady ? 'bad' : findings.length > 0 ? 'careful' : 'good';
  const line = (label: string, value: string | number) => print(`${label.padEnd(20)}  ${value}`);
  const list = (pods: readonly CountedPod[]) => {
    for (const pod of pods) print(`  ${pod.web_id}  ${countOf(pod.files, 'file')}`);
  };
  line('Shared resources', shares?.length ?? 'unknown');
  for (const { kind, modes, url, excluded } of shares ?? []) {
    const left = excluded ? '  (left out: data.excluded_pods)' : '';
    print(`  ${kind.padEnd(6)}  ${modes.join(',')}  ${url}${left}`);
  }
  line('Contributing Pods', shares === null ? 'unknown' : contributing.length);
  list(contributing);
  if (remembered.length > 0) {
    line('Only remembered', 'not shared any more; what the Analyser may still read counts');
    list(remembered);
  }
  for (const [, label, value] of facts) line(label, value);
  line('Findings', findings.length || 'none');
  for (const { message, stops } of findings) {
    if (stops) print(`  ${message}`, 'bad');
    else print(`  Warning: ${message}`, 'careful');
  }
  print(
    [
      isReady ? 'Ready' : 'Not ready',
      ...(shares === null ? [] : [countOf(contributing.length, 'Pod'), countOf(files, 'file')]),
      countOf(findings.length, 'finding'),
    ].join(', '),
    tone,
  );
}
