import fc from 'fast-check';
import { mutated } from './mutations.js';
import { targets } from './targets.js';

/** A quarter of this is already far more than any honest document of that size takes. */
const LONGEST_MS = 2_000;

/**
 * So many inputs, always the same, so that only a change can make them fail; or others each time until the time
 * is up. What fails is printed, cut down to the least that fails, and FUZZ_SEED tries it again.
 */
export async function runTarget(
  name: string,
  extent: { inputs: number } | { milliseconds: number },
): Promise<void> {
  const target = await targets[name]?.();
  if (target === undefined) throw new Error(`There is no target ${name}.`);
  const seed = Number(
    process.env['FUZZ_SEED'] ?? ('inputs' in extent ? 1 : Date.now() % 0x7fffffff),
  );
  let tried = 0;
  try {
    const property = fc.asyncProperty(mutated(target.samples), async (text) => {
      tried += 1;
      const started = performance.now();
      await target.run(text);
      if (performance.now() - started > LONGEST_MS) throw new Error('It took too long.');
    });
    const examples = target.samples.map((sample): [string] => [sample]);
    await fc.assert(property, {
      seed,
      examples,
      ...('inputs' in extent
        ? { numRuns: extent.inputs }
        : {
            numRuns: Number.MAX_SAFE_INTEGER,
            plugins: [fc.interruptAfterTimeLimit(extent.milliseconds)],
          }),
    });
  } finally {
    console.log(`${name}: ${tried} inputs from FUZZ_SEED=${seed}`);
  }
}
