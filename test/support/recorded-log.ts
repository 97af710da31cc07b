import { createLogger, type Logger } from '../../src/base/logger.js';
import { parseJson } from '../../src/base/parse-json.js';

/** A log whose lines a test looks at; `onLine` is told each as it is written. */
export function recordedLog(onLine: (line: string) => void = () => undefined): {
  log: Logger;
  lines: unknown[];
} {
  const lines: unknown[] = [];
  const write = (line: string) => {
    lines.push(parseJson(line));
    onLine(line);
  };
  return { log: createLogger({ verbose: false, stream: { write } }), lines };
}
