import type { Config } from '../config/schema.js';
import type { Connection } from '../run/connection.js';
import { withinTime } from '../run/read/ask-pod.js';
import { FilesReader, type SliceReading } from '../run/read/read-files.js';
import { type Part, partBounds, type SlicesToRead } from './part-messages.js';

type PartConnection = Pick<Connection, 'client' | 'pod' | 'opener'>;

/** Parts are stopped each by itself, and not with what is known of their Pods. */
const { signal: never } = new AbortController();

/** Works on parts as a single machine would. */
export function createPartReader(scale: Config['scale']) {
  /** Kept over all parts of one analysis, as long as the login lasts. */
  let current: { analysis: string; connection: PartConnection; reader: FilesReader } | null = null;

  const readerFor = (
    connection: PartConnection,
    analysis: string,
    task: SlicesToRead,
  ): FilesReader => {
    if (current?.analysis !== analysis || current.connection !== connection) {
      const { recipients, rules } = task;
      const reader = new FilesReader(connection, { recipients, rules, signal: never });
      current = { analysis, connection, reader };
    }
    return current.reader;
  };

  return async (connection: PartConnection, { analysis, task }: Part, signal: AbortSignal) => {
    if (task.kind === 'open') {
      const { opener } = connection;
      // The process that asks remembers the results, so nothing is kept here.
      opener.forgetUnasked();
      return await opener.open(task.values, signal);
    }
    const { slices, until, retriesUntil } = task;
    const reader = readerFor(connection, analysis, task);
    const atOnce = partBounds(scale).requests;
    const found = new Map<unknown, SliceReading>();
    await withinTime(until, signal, (limited) =>
      reader.readSlices(slices, { until, retriesUntil, atOnce, signal: limited }, (slice, read) =>
        found.set(slice, read),
      ),
    );
    return slices.map((slice) => found.get(slice));
  };
}
