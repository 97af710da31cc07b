/** Why the API gave nothing to show. */
export type Problem =
  | { kind: 'unreachable' }
  | { kind: 'refused'; status: number; detail: string }
  | { kind: 'unexpected' };

export function describeProblem(problem: Problem): string {
  switch (problem.kind) {
    case 'unreachable':
      return 'The HTTP API does not answer. Check that ./run.sh serve is running and that this device reaches it.';
    case 'refused':
      return `The HTTP API answered ${problem.status}: ${problem.detail}`;
    case 'unexpected':
      return 'The HTTP API answered with something this page does not understand. It may be of another version: reload the page.';
  }
}
