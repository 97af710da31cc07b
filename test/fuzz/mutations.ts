import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';

/** What such documents are made of, and what trips readers up. */
const pieces = [
  ...`< > " """ ' \\ \\u0000 { } [ ] ( ) , ; : . @prefix @en ^^ # % %2F %00 .. /`.split(' '),
  ...'null true -0 1e999 NaN __proto__ constructor &a *a <<: !! ='.split(' '),
  ...['\n', '\r', '\u0000', '\ufeff', '\u2028', '\ud800', 'ä', '𝒳', '9'.repeat(400)],
];

interface Edit {
  at: number;
  remove: number;
  insert: string;
}

const edit = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  remove: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 60 })),
  insert: fc.oneof(
    fc.constant(''),
    fc.constantFrom(...pieces),
    fc.constantFrom(...pieces).map((piece) => piece.repeat(50)),
    fc.string({ unit: 'binary', maxLength: 20 }),
  ),
});

/** Samples of the corpus, each a little broken, and now and then anything at all. */
export function mutated(samples: readonly string[]): fc.Arbitrary<string> {
  return fc.oneof(
    {
      weight: 9,
      arbitrary: fc.tuple(fc.constantFrom(...samples), fc.array(edit, { maxLength: 6 })).map(apply),
    },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 300 }) },
  );
}

function apply([sample, edits]: [string, Edit[]]): string {
  let text = sample;
  for (const { at, remove, insert } of edits) {
    const start = Math.floor(at * text.length);
    text = text.slice(0, start) + insert + text.slice(start + remove);
  }
  return text;
}

/** Whole files, or the lines of one. */
export function readCorpus(kind: string, by: 'file' | 'line' = 'file'): string[] {
  const folder = fileURLToPath(new URL(`./corpus/${kind}/`, import.meta.url));
  const texts = readdirSync(folder).map((name) => readFileSync(folder + name, 'utf8'));
  return by === 'file' ? texts : texts.flatMap((text) => text.split('\n').filter(Boolean));
}
