import type { ResultsDocument } from '../../src/documents/results-document.js';

/** How many recipients did not receive a document of this run. */
export function countUndelivered({ published }: ResultsDocument['sharing']): number {
  return published.reduce((sum, { failures }) => sum + Object.keys(failures).length, 0);
}
