/** The runs up to the end of a day (`2026-11-19`, UTC as run ids are); ids are newest first. */
export function runsUntil(runIds: readonly string[], day: string): readonly string[] {
  if (!/^\d{4}-\d\d-\d\d$/.test(day)) return runIds;
  const prefix = day.replaceAll('-', '');
  return runIds.filter((runId) => runId.slice(0, prefix.length) <= prefix);
}
