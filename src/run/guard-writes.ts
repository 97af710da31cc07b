import type { AnalysisTools } from './analysis-tools.js';

/** Throws when this process does not hold the lock of the analysis any more. */
export type RequireLock = () => Promise<void>;

/** The same tools, which write and remove files below `var/` only while the analysis holds its lock. */
export function guardWrites(tools: AnalysisTools, requireLock: RequireLock): AnalysisTools {
  const { results, charts, logBacklog, keepStored } = tools;
  const guarded =
    <Given extends unknown[], Written>(write: (...given: Given) => Promise<Written>) =>
    async (...given: Given): Promise<Written> => {
      await requireLock();
      return await write(...given);
    };
  return {
    ...tools,
    results: { ...results, write: guarded((document) => results.write(document)) },
    keepStored: guarded(keepStored),
    logBacklog: { ...logBacklog, write: guarded((lines) => logBacklog.write(lines)) },
    charts: {
      ...charts,
      write: guarded((podId, png, figures) => charts.write(podId, png, figures)),
      remove: guarded((stem) => charts.remove(stem)),
    },
  };
}
