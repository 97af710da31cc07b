/** What this machine knows of the memory from elsewhere. */
export interface Evidence {
  /** The newest version that it has noted, 0 for none; or that the note is damaged. */
  note: { state: 'read'; version: number } | { state: 'damaged'; path: string };
  /** Whether a stored run has sent somebody a cohort figure. */
  hasSentFigure: () => Promise<boolean>;
}

/** What stands where the memory should be: its version, or that nothing does or that it is shut. */
type Found = number | 'absent' | 'shut';

/** Why the memory may not be the newest; null when nothing speaks against it. */
export async function findDoubt(
  url: string,
  found: Found,
  { note, hasSentFigure }: Evidence,
): Promise<string | null> {
  if (note.state === 'damaged') return `${note.path} is damaged`;
  if (found === 'shut') return `${url} does not open: it is damaged, or sealed with another key`;
  if (found === 'absent') {
    if (note.version > 0) return `${url} is gone`;
    const hasSent = await hasSentFigure();
    return hasSent ? `${url} does not exist, although cohort figures have been sent out` : null;
  }
  if (found >= note.version) return null;
  return `${url} is older (version ${found}) than the one seen before (${note.version})`;
}
