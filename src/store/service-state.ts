import { z } from 'zod';
import { formatUtc } from '../base/utc-time.js';
import { commonSchemas } from '../documents/results-document.js';
import { readLockState } from './folder-lock.js';
import { nothingYet, readStateMarker, stateMarkerSchema } from './state-marker.js';

const { timestamp } = commonSchemas;

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

/** The state of the service, as its state folder shows it; null if the marker is damaged. */
export async function readServiceState(stateDir: string): Promise<ServiceState | null> {
  const marker = await readStateMarker(stateDir);
  if (marker === null) return null;
  const { running } = marker;
  // The lock is read after the marker, because a process takes the lock before it notes `running`.
  const isAtWork = (await readLockState(stateDir, 'analysis'))?.state === 'alive';
  const service = await readLockState(stateDir, 'service');
  return {
    ...marker,
    analyser: service && { state: service.state, at: formatUtc(service.at) },
    interrupted: isAtWork || running === null ? null : { started_at: running.started_at },
  };
}
