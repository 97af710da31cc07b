import type { AnalysisSummary } from '../documents/analysis-summary.js';

/** When a Pod was first seen (null: before the oldest stored analysis), and when it last came, changed or left. */
export interface PodCourse {
  first_seen: string | null;
  last_change: string | null;
}

export interface PodCourses {
  /** When the oldest stored analysis was made; null if none is stored. */
  since: string | null;
  /** The courses, by pod_id, of the Pods that came, changed or left since then. */
  courses: ReadonlyMap<string, PodCourse>;
  /** For each Pod that has left, by pod_id: when the first analysis without it was made; the newest time last. */
  left: ReadonlyMap<string, string>;
}

/** Works out from the analyses, oldest first, when Pods came, changed and left. */
export function podCourses(analyses: readonly AnalysisSummary[]): PodCourses {
  const courses = new Map<string, PodCourse>();
  const left = new Map<string, string>();
  for (const { generated_at: at, joined, changed, left: gone } of analyses) {
    for (const podId of joined) {
      // A Pod that left and came back keeps its earlier `first_seen`. This can be null: then the time is not known.
      const before = courses.get(podId);
      courses.set(podId, { first_seen: before ? before.first_seen : at, last_change: at });
      left.delete(podId);
    }
    for (const podId of [...changed, ...gone]) {
      courses.set(podId, { first_seen: courses.get(podId)?.first_seen ?? null, last_change: at });
    }
    for (const podId of gone) left.set(podId, at);
  }
  return { since: analyses[0]?.generated_at ?? null, courses, left };
}
