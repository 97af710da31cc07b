import { describeBuild } from '../../base/build.js';
import { createLogger, type Logger } from '../../base/logger.js';
import { exitCodeOf } from '../exit-codes.js';
import type { ModeContext } from '../mode.js';
import { ownBuild } from '../own-build.js';
import { untilStopped } from '../stop-signals.js';

interface ServiceMode<Loaded> {
  load: (context: ModeContext) => Promise<Loaded>;
  start: (loaded: Loaded, log: Logger, context: ModeContext) => Promise<{ stop(): Promise<void> }>;
  onStop: string;
}

export function serviceMode<Loaded extends { warnings: readonly string[] }>({
  load,
  start,
  onStop,
}: ServiceMode<Loaded>) {
  return logged(async (context) => {
    const loaded = await load(context);
    const log = openLog(context, loaded.warnings);
    await untilStopped(
      () => start(loaded, log, context),
      () => log.info(onStop),
    );
    return 0;
  });
}

/** The log of a mode begins with its build and with what the operator should know of the configuration. */
export function openLog({ verbose }: Pick<ModeContext, 'verbose'>, warnings: readonly string[]) {
  const log = createLogger({ verbose });
  log.info(describeBuild(ownBuild));
  for (const warning of warnings) log.warn(warning);
  return log;
}

/** For a mode whose stderr is a log: why it ended is a line of the log too, where programs read it. */
export function logged<Given extends unknown[]>(
  work: (context: ModeContext, ...given: Given) => Promise<number>,
) {
  return async (context: ModeContext, ...given: Given): Promise<number> => {
    try {
      return await work(context, ...given);
    } catch (error) {
      if (process.stderr.isTTY) throw error;
      const write = (line: string) => context.printError(line.trimEnd());
      createLogger({ ...context, stream: { write } }).error({ err: error }, 'The mode has ended.');
      return exitCodeOf(error);
    }
  };
}
