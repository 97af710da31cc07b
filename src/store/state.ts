import { join } from 'node:path';
import { z } from 'zod';
import { parseJson } from '../base/parse-json.js';
import { formatUtc } from '../base/utc-time.js';
import { commonSchemas } from '../documents/results-document.js';
import { readStored, writeFileAtomically } from './files.js';
import { readLockState } from './folder-lock.js';

/**
 * The marker is a file in which the analysing process notes the state of its analyses. It names no caller, because
 * everybody who can read the HTTP API sees it. If the process is killed during an analysis, `running` stays until the
 * next analysis starts; `readServiceState` tells a killed process from a running one.
 */
const { timestamp } = commonSchemas;

export const runningAnalysisSchema = z.object({
  started_at: timestamp,
  callers: z.number().default(0).describe('0: for every Pod, asked for by nobody.'),
  files: z
    .object({ read: z.number(), all: z.number() })
    .nullable()
    .default(null)
    .describe('How many of the shared files were read; null while that is not known.'),
});
export type RunningAnalysis = z.infer<typeof runningAnalysisSchema>;

export const endedAnalysisSchema = z.object({
  /** Null when the analysis ended before it had a run id. */
  run_id: z.string().nullable(),
  status: z.enum(['COMPLETED', 'NO_DATA', 'FAILED']),
  started_at: timestamp,
  finished_at: timestamp,
  /** The message of the reply; it names no Pod. */
  message: z.string(),
});
export type EndedAnalysis = z.infer<typeof endedAnalysisSchema>;

export const cancelledAnalysisSchema = z.object({ started_at: timestamp, finished_at: timestamp });

export const stateMarkerSchema = z.object({
  running: runningAnalysisSchema.nullable(),
  last_run: endedAnalysisSchema.nullable().describe('The last analysis that was not cancelled.'),
  last_cancelled: cancelledAnalysisSchema.nullable(),
});
export type StateMarker = z.infer<typeof stateMarkerSchema>;

export const nothingYet: StateMarker = { running: null, last_run: null, last_cancelled: null };

/** Only for the holder of the analysis lock. */
export async function markAnalysisStarted(stateDir: string, startedAt: Date, callers: number) {
  // A damaged marker holds nothing of use, so it is replaced.
  const before = (await readStateMarker(stateDir)) ?? nothingYet;
  const path = markerPath(stateDir);
  const started_at = formatUtc(startedAt);
  let isOver = false;
  let written = Promise.resolve();
  const write = (change: Partial<StateMarker>): Promise<void> => {
    const marker: StateMarker = { ...before, running: null, ...change };
    const text = `${JSON.stringify(marker, null, 2)}\n`;
    // One write after the other, so that the last write stays.
    written = written.catch(() => undefined).then(() => writeFileAtomically(path, text));
    return written;
  };
  const run = (files: RunningAnalysis['files']) =>
    write({ running: { started_at, callers, files } });
  await run(null);
  return {
    /** A stopped analysis may still read when its end is noted. */
    read: async (files: RunningAnalysis['files']) => {
      if (!isOver) await run(files);
    },
    ended({ status, run_id, message }: Outcome, finishedAt: Date): Promise<void> {
      isOver = true;
      const times = { started_at, finished_at: formatUtc(finishedAt) };
      if (status === 'CANCELLED') return write({ last_cancelled: times });
      // Of a WebID of which nothing is known, nothing is noted: anybody can make one up.
      if (status === 'NO_DATA' && run_id === null) return write({});
      return write({ last_run: { run_id, status, message, ...times } });
    },
  };
}

type Outcome = Pick<EndedAnalysis, 'run_id' | 'message'> & {
  status: EndedAnalysis['status'] | 'CANCELLED';
};

/** Null when the file is there but damaged. */
export async function readStateMarker(stateDir: string): Promise<StateMarker | null> {
  const content = await readStored(markerPath(stateDir));
  if (content === null) return nothingYet;
  return stateMarkerSchema.safeParse(parseJson(content)).data ?? null;
}

function markerPath(stateDir: string): string {
  return join(stateDir, 'state.json');
}

export const analyserStateSchema = z.object({
  state: z
    .enum(['alive', 'killed', 'stopped'])
    .describe('killed: its process ended without a word.'),
  at: timestamp.describe('When it was started, or stopped.'),
});

export const serviceStateSchema = z.object({
  analyser: analyserStateSchema
    .nullable()
    .describe('The service that waits for calls; null where none was ever started.'),
  ...stateMarkerSchema.shape,
  interrupted: z
    .object({ started_at: timestamp })
    .nullable()
    .describe(
      'The analysis that `running` still names, when its process is gone without a word of its end.',
    ),
});
export type ServiceState = z.infer<typeof serviceStateSchema>;

export const noService: ServiceState = {
  analyser: null,
  ...nothingYet,
  interrupted: null,
};

/** The text of the analysis lock while an analysis holds it. Others hold this lock too: to forget somebody, or to tidy up. */
export const forAnalysis = 'analysis';

/** The state of the service, as its state folder shows it; null if the marker is damaged. */
export async function readServiceState(stateDir: string): Promise<ServiceState | null> {
  const marker = await readStateMarker(stateDir);
  if (marker === null) return null;
  const { running } = marker;
  // The lock is read after the marker, because a process takes the lock before it notes `running`.
  const lock = await readLockState(stateDir, 'analysis');
  const isAtWork = lock?.state === 'alive' && lock.about === forAnalysis;
  const service = await readLockState(stateDir, 'service');
  return {
    ...marker,
    analyser: service && { state: service.state, at: formatUtc(service.at) },
    interrupted: isAtWork || running === null ? null : { started_at: running.started_at },
  };
}
