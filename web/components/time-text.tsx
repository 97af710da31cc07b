import { formatTime } from '../format/format-time.js';

/** A time in the reader's zone, in UTC for the pointer that rests on it. */
export function TimeText({ iso }: { iso: string | null }) {
  return iso === null ? (
    <>–</>
  ) : (
    <time dateTime={iso} title={formatTime(iso, 'UTC')}>
      {formatTime(iso)}
    </time>
  );
}
