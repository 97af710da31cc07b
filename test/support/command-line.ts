import { runCommandLine } from '../../src/cli/run-command-line.js';

export interface ModeResult {
  code: number;
  out: string;
  err: string;
}

/** Runs a mode as the command line does, in this process. */
export async function runMode(
  args: readonly string[],
  { env = {}, cwd }: { cwd: string; env?: Record<string, string> },
): Promise<ModeResult> {
  const [out, err]: [string[], string[]] = [[], []];
  const code = await runCommandLine(args, {
    env,
    cwd,
    print: (text) => out.push(text),
    printError: (text) => err.push(text),
  });
  return { code, out: out.join('\n'), err: err.join('\n') };
}
