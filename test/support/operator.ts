import { type ModeResult, runMode } from './command-line.js';
import { writeConfigFile } from './config-file.js';
import type { InitialisedPod } from './initialised-pod.js';
import type { TestRuns } from './test-runs.js';

/** Runs a mode over the var/ of these runs, as whoever operates them would. */
export async function operate(
  { folder, config }: TestRuns,
  analyser: InitialisedPod,
  ...args: string[]
): Promise<ModeResult> {
  const { output, data } = config;
  await writeConfigFile(folder, analyser, { output, data });
  return await runMode(args, { cwd: folder });
}
