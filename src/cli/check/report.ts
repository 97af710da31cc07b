import type { ModeContext } from '../mode.js';
import type { Tone } from '../printer.js';
import type { Finding } from './finding.js';

const LABEL_WIDTH = 20;
const MOST_ON_A_SCREEN = 20;

/** Takes the results of check one by one, for people or for machines. */
export interface CheckReport {
  value(key: string, label: string, shown: string, tone?: Tone): void;
  list<T>(key: string, label: string, items: readonly T[], describe: (item: T) => string): void;
  findings(findings: readonly Finding[]): void;
}

export function createReport(context: ModeContext, isJson: boolean): CheckReport {
  return isJson ? jsonReport(context) : textReport(context);
}

/** Prints each line as soon as it is known; on a terminal, long lists are cut. */
function textReport({ print, verbose, isTerminal }: ModeContext): CheckReport {
  const say = (label: string, shown: string, tone?: Tone) =>
    print(`${label.padEnd(LABEL_WIDTH)}  ${shown}`, tone);
  const most = isTerminal && !verbose ? MOST_ON_A_SCREEN : Infinity;
  return {
    value: (_, label, shown, tone) => say(label, shown, tone),
    list(_, label, items, describe) {
      say(label, String(items.length));
      for (const item of items.slice(0, most)) print(`  ${describe(item)}`);
      if (items.length > most) print(`  … and ${items.length - most} more (--verbose)`);
    },
    findings(findings) {
      const tone = findings.some(({ stops }) => stops) ? 'bad' : 'careful';
      if (findings.length === 0) say('Findings', 'none', 'good');
      else say('Findings', String(findings.length), tone);
      for (const { message, stops } of findings) print(`  ${message}`, stops ? 'bad' : 'careful');
    },
  };
}

function jsonReport({ printJson }: ModeContext): CheckReport {
  const report: Record<string, unknown> = {};
  return {
    value: (key, _, shown) => {
      report[key] = shown;
    },
    list: (key, _, items) => {
      report[key] = items;
    },
    findings(findings) {
      report['findings'] = findings.map(({ stops, message }) => ({
        stops_analyses: stops,
        message,
      }));
      printJson(report);
    },
  };
}
