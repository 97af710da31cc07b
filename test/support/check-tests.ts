import { runMode } from './command-line.js';
import { writeConfigFile } from './config-file.js';
import type { InitialisedPod } from './initialised-pod.js';
import { folderForEach } from './temp-folder.js';

interface CheckTests {
  /** Where config.yaml is; a new one for each test. */
  readonly folder: string;
  check(
    analyser: InitialisedPod,
    sections?: object,
    how?: { flags?: string[] },
  ): Promise<{ code: number; lines: string[]; errors: string[]; findings: string }>;
}

/** The mode `check` as somebody at a terminal or a program runs it. */
export function prepareCheckTests(): CheckTests {
  const folder = folderForEach();
  return {
    get folder() {
      return folder();
    },
    async check(analyser, sections = {}, { flags = [] } = {}) {
      await writeConfigFile(folder(), analyser, {
        output: { render_charts: false },
        grpc: { host: '127.0.0.1' },
        ...sections,
      });
      const { code, out, err } = await runMode(['check', ...flags], { cwd: folder() });
      const lines = out.split('\n');
      const errors = err === '' ? [] : err.split('\n');
      const rest = lines.slice(lines.findIndex((line) => line.startsWith('Findings')));
      const end = rest.findIndex((line, index) => index > 0 && !line.startsWith('  '));
      const findings = rest.slice(0, end === -1 ? undefined : end).join('\n');
      return { code, lines, errors, findings };
    },
  };
}
