import { countOf } from '../../base/sentences.js';
import type { ModeContext } from '../mode.js';
import type { JsonFlag } from '../printer.js';
import type { CountedPod, Examined } from './examine-pod.js';
import type { Fact } from './judgements.js';

/** Returns whether analyses and calls can work. */
export function printReport(
  facts: readonly Fact[],
  examined: Examined,
  context: ModeContext,
  flags: JsonFlag,
): boolean {
  const { problems, warnings, contributing, remembered, shares } = examined;
  const isReady = problems.length === 0;
  const files = contributing.reduce((sum, pod) => sum + pod.files, 0);
  if (flags.json === true) {
    const finding = (stops: boolean) => (message: string) => ({ stops_analyses: stops, message });
    context.printJson({
      ready: isReady,
      pods: shares === null ? null : contributing.length,
      files: shares === null ? null : files,
      ...Object.fromEntries(facts.map(([key, , value]) => [key, value])),
      contributing_pods: contributing,
      remembered_pods: remembered,
      shared_resources: shares ?? [],
      findings: [...problems.map(finding(true)), ...warnings.map(finding(false))],
    });
    return isReady;
  }
  const { print } = context;
  const line = (label: string, value: string | number) => print(`${label.padEnd(20)}  ${value}`);
  const list = (pods: readonly CountedPod[]) => {
    for (const pod of pods) print(`  ${pod.web_id}  ${countOf(pod.files, 'file')}`);
  };
  // This list can be long, so it comes first, and what matters most last.
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
  const findings = problems.length + warnings.length;
  line('Findings', findings || 'none');
  for (const problem of problems) print(`  ${problem}`, 'bad');
  for (const warning of warnings) print(`  Warning: ${warning}`, 'careful');
  print(
    [
      isReady ? 'Ready' : 'Not ready',
      ...(shares === null ? [] : [countOf(contributing.length, 'Pod'), countOf(files, 'file')]),
      countOf(findings, 'finding'),
    ].join(', '),
    isReady ? (warnings.length > 0 ? 'careful' : 'good') : 'bad',
  );
  return isReady;
}
