import { countOf } from '../../base/sentences.js';
import type { ModeContext } from '../mode.js';
import type { Tone } from '../printer.js';
import type { Finding } from './judgements.js';

const LABEL_WIDTH = 20;
const MOST_ON_A_SCREEN = 20;
/** A terminal shows a list of up to this number of files without the flag --files. */
const MOST_FILES = 100;

export interface CheckFlags {
  json?: boolean;
  files?: boolean;
  /** Set by set-up, because the service may run under another account than set-up. */
  isForAnother?: boolean;
}

interface Line {
  key: string;
  label: string;
  shown: string;
  tone?: Tone | undefined;
  /** The items that the line counts: JSON holds their values, and the text holds a description of each. */
  items?: { values: readonly unknown[]; described: readonly string[]; most: number };
}

/** Collects the results of all steps and prints them at the end, because the summary has to come first. */
export class CheckReport {
  readonly #lines: Line[] = [];
  readonly #findings = new Map<string, Finding>();
  #shared: { pods: number; files: number } | null = null;

  constructor(
    private readonly context: ModeContext,
    private readonly flags: CheckFlags,
  ) {}

  value(key: string, label: string, shown: string, tone?: Tone): void {
    this.#lines.push({ key, label, shown, tone });
  }

  list<T>(
    key: string,
    label: string,
    values: readonly T[],
    describe: (value: T) => string,
    most = MOST_ON_A_SCREEN,
  ): void {
    const items = { values, described: values.map(describe), most };
    this.#lines.push({ key, label, shown: String(values.length), items });
  }

  /** Reports single files. Of many files, a person at a terminal gets only the count and has to ask for the list. */
  files<T>(key: string, label: string, values: readonly T[], describe: (value: T) => string): void {
    const isAsked = this.flags.files === true || !this.context.isTerminal;
    if (isAsked || values.length <= MOST_FILES) this.list(key, label, values, describe, MOST_FILES);
    else this.value(key, label, `${values.length} (--files lists them)`);
  }

  /** Several steps can have the same finding; it is printed once. */
  found(findings: readonly Finding[]): void {
    for (const finding of findings) {
      if (!this.#findings.has(finding.message)) this.#findings.set(finding.message, finding);
    }
  }

  shared(pods: number, files: number): void {
    this.#shared = { pods, files };
  }

  /** Returns whether analyses and calls can work. */
  print(): boolean {
    const findings = [...this.#findings.values()];
    const isReady = !findings.some(({ stops }) => stops);
    if (this.flags.json === true) this.#printJson(findings, isReady);
    else this.#printText(findings, isReady);
    return isReady;
  }

  #printText(findings: readonly Finding[], isReady: boolean): void {
    const { print, verbose, isTerminal } = this.context;
    const tone = !isReady ? 'bad' : findings.length > 0 ? 'careful' : 'good';
    print(
      [
        isReady ? 'Ready' : 'Not ready',
        ...(this.#shared === null
          ? []
          : [countOf(this.#shared.pods, 'Pod'), countOf(this.#shared.files, 'file')]),
        countOf(findings.length, 'finding'),
      ].join(', '),
      tone,
    );
    // At a terminal the last lines stay in view, so findings come last. A pipe is read from its start, so they come
    // first.
    if (!isTerminal) this.#printFindings(findings, tone);
    const isCut = isTerminal && !verbose && this.flags.files !== true;
    for (const { label, shown, tone: toneOfLine, items } of this.#lines) {
      print(`${label.padEnd(LABEL_WIDTH)}  ${shown}`, toneOfLine);
      const described = items?.described ?? [];
      const most = isCut ? (items?.most ?? 0) : Infinity;
      for (const item of described.slice(0, most)) print(`  ${item}`);
      if (described.length > most) print(`  … and ${described.length - most} more (--verbose)`);
    }
    if (isTerminal) this.#printFindings(findings, tone);
  }

  #printFindings(findings: readonly Finding[], tone: Tone): void {
    const { print } = this.context;
    const count = findings.length > 0 ? findings.length : 'none';
    print(`${'Findings'.padEnd(LABEL_WIDTH)}  ${count}`, tone);
    for (const { message, stops } of findings) print(`  ${message}`, stops ? 'bad' : 'careful');
  }

  #printJson(findings: readonly Finding[], isReady: boolean): void {
    this.context.printJson({
      ready: isReady,
      pods: this.#shared?.pods ?? null,
      files: this.#shared?.files ?? null,
      ...Object.fromEntries(
        this.#lines.map(({ key, shown, items }) => [key, items?.values ?? shown]),
      ),
      findings: findings.map(({ stops, message }) => ({ stops_analyses: stops, message })),
    });
  }
}
