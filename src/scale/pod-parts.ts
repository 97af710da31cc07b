import type { AnalysisRules } from '../analysis/pod-aggregate.js';
import type { SharedPod } from '../run/discover/shared-files.js';
import type { PodPart } from '../run/read/pod-result.js';
import { type PodResult, podResult } from '../run/read/pod-result.js';

/** What has come in of one Pod, in whatever order its parts arrive. */
export class PodParts {
  #missing = 0;
  readonly #parts: Array<{ task: number; part: PodPart }> = [];

  constructor(private readonly pod: SharedPod) {}

  expect(): void {
    this.#missing += 1;
  }

  /** The result with the last part; null until then. */
  add(task: number, part: PodPart, rules: AnalysisRules): PodResult | null {
    this.#parts.push({ task, part });
    this.#missing -= 1;
    if (this.#missing > 0) return null;
    const inOrder = this.#parts.splice(0).sort((one, other) => one.task - other.task);
    return podResult(
      this.pod.owner,
      inOrder.map(({ part: one }) => one),
      rules,
    );
  }
}
