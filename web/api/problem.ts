/** Why the API gave nothing to show. */
export type Problem =
  | { kind: 'unreachable' }
  | { kind: 'refused'; status: number; detail: string }
  /** Without the sentence that every refusal of the API has. */
  | { kind: 'in-between'; status: number }
  | { kind: 'unexpected' };

export function describeProblem(problem: Problem): string {
  switch (problem.kind) {
    case 'unreachable':
      return 'The HTTP API does not answer. Check that ./run.sh serve is running and that this device reaches it.';
    case 'refused':
      return `The HTTP API answered ${problem.status}: ${problem.detail}`;
    case 'in-between':
      return `Something between this page and the HTTP API, such as a proxy, answered ${problem.status}: ${whatItMeans(problem.status)}`;
    case 'unexpected':
      return 'The HTTP API answered with something this page does not understand. It may be of another version: reload the page.';
  }
}

function whatItMeans(status: number): string {
  switch (status) {
    case 401:
    case 403:
      return 'it lets nobody through without a login, or not to this address.';
    case 429:
    case 503:
      return 'it was asked too much in a short time, or the HTTP API behind it is not running.';
    case 502:
    case 504:
      return 'it does not reach the HTTP API. Check that ./run.sh serve is running.';
    default:
      return 'its log says why.';
  }
}
