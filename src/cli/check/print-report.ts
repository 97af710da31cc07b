import { countOf } from '../../base/sentences.js';
import type { ModeContext } from '../mode.js';
import type { Examined } from './examine-pod.js';

export interface CheckFlags {
  json?: boolean;
}

interface Report extends Pick<Examined, 'findings' | 'pods' | 'shares'> {
  facts: [key: string, label: string, value: string][];
}

/** Returns whether analyses and calls can work. */
export function printReport(report: Report, context: ModeContext, flags: CheckFlags): boolean {
  const isReady = !report.findings.some(({ stops }) => stops);
  const files = (report.pods ?? []).reduce((sum, pod) => sum + pod.files, 0);
  if (flags.json === true) {
    const { facts, findings, pods, shares } = report;
    context.printJson({
      ready: isReady,
      pods: pods?.length ?? null,
      files: pods === null ? null : files,
      ...Object.fromEntries(facts.map(([key, , value]) => [key, value])),
      contributing_pods: pods ?? [],
      shared_resources: shares,
      findings: findings.map(({ stops, message }) => ({ stops_analyses: stops, message })),
    });
  } else {
    printText(report, { isReady, files }, context);
  }
  return isReady;
}

/** The list of shared resources can be long, so it comes first, and what matters most last. */
function printText(
  { facts, findings, pods, shares }: Report,
  { isReady, files }: { isReady: boolean; files: number },
  { print }: ModeContext,
): void {
  const tone = !isReady ? 'bad' : findings.length > 0 ? 'careful' : 'good';
  const line = (label: string, value: string | number) => print(`${label.padEnd(20)}  ${value}`);
  line('Shared resources', shares.length);
  for (const { kind, modes, url, excluded } of shares) {
    const left = excluded ? '  (left out: data.excluded_pods)' : '';
    print(`  ${kind.padEnd(6)}  ${modes.join(',')}  ${url}${left}`);
  }
  line('Contributing Pods', pods?.length ?? 0);
  for (const pod of pods ?? []) print(`  ${pod.web_id}  ${countOf(pod.files, 'file')}`);
  for (const [, label, value] of facts) line(label, value);
  line('Findings', findings.length || 'none');
  for (const { message, stops } of findings) print(`  ${message}`, stops ? 'bad' : 'careful');
  print(
    [
      isReady ? 'Ready' : 'Not ready',
      ...(pods === null ? [] : [countOf(pods.length, 'Pod'), countOf(files, 'file')]),
      countOf(findings.length, 'finding'),
    ].join(', '),
    tone,
  );
}
