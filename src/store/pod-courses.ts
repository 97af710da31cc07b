import type { AnalysisSummary } from '../documents/analysis-summary.js';

/** Since when a Pod is there; null where that was before the oldest stored analysis. */
export interface PodCourse {
  first_seen: string | null;
  last_change: string | null;
}

export interface PodCourses {
  /** When the oldest stored analysis was made; null for none. */
  since: string | null;
  /** By pod_id, of Pods that came, changed or left since. */
  courses: ReadonlyMap<string, PodCourse>;
  /** By pod_id, when each Pod that has left was first missed; the newest last. */
  left: ReadonlyMap<string, string>;
}

/** What the analyses, oldest first, tell of the coming and going of Pods. */
export function podCourses(analyses: readonly AnalysisSummary[]): PodCourses {
  const courses = new Map<string, PodCourse>();
  const left = new Map<string, string>();
  for (const { generated_at: at, joined, changed, left: gone } of analyses) {
    for (const podId of joined) {
      // A Pod that left and came back was first seen before that, whether that time is known or not.
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
