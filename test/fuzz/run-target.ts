import fc from 'fast-check';
import { mutated } from './mutations.js';
import { createTargets } from './targets.js';

/** A quarter of this is already far more than any honest document of that size takes. */
const LONGEST_MS = 2_000;

/** Until so many inputs were tried or the time is up; what fails is printed with its seed. */
export async function runTarget(
  name: string,
  bounds: { runs: number; milliseconds: number },
): Promise<void> {
  const targets = await createTargets();
  const target = targets.find((one) => one.name === name);
  if (target === undefined) throw new Error(`There is no target ${name}.`);
  try {
    const property = fc.asyncProperty(mutated(target.samples), async (text) => {
      const started = performance.now();
      await target.run(text);
      if (performance.now() - started > LONGEST_MS) throw new Error('It took too long.');
    });
    const seed = Date.now() % 0x7fffffff;
    const examples = target.samples.map((sample): [string] => [sample]);
    const { runs, milliseconds } = bounds;
    await fc.assert(property, {
      seed,
      examples,
      numRuns: runs,
      interruptAfterTimeLimit: milliseconds,
      markInterruptAsFailure: false,
    });
  } finally {
    for (const one of targets) await one.close?.();
  }
}

export const targetNames = [
  'documents of a Pod',
  'encrypted resources, the short way and the long one',
  'the inbox',
  'readings',
  'addresses',
  'the configuration',
  'metadata of a call',
  'paths of the HTTP API',
];
