import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { listKeys } from '../../test/support/config-keys.js';
import { newFolder } from '../../test/support/temp-folder.js';
import { AnalyserError } from '../base/errors.js';
import { loadEffectiveConfig } from './load-config.js';

const webId = 'https://pods.example.org/analyser/profile/card#me';

const folder = await newFolder();

/** The message of a refusal; null when the text is accepted. Anything else thrown is a bug. */
async function refusal(text: string): Promise<string | null> {
  await writeFile(join(folder, 'config.yaml'), text);
  try {
    await loadEffectiveConfig({ env: {}, cwd: folder });
    return null;
  } catch (error) {
    if (error instanceof AnalyserError && error.kind === 'configuration') return error.message;
    throw error;
  }
}

function nest(path: readonly string[], value: unknown): Record<string, unknown> {
  const [first = '', ...rest] = path;
  return { [first]: rest.length === 0 ? value : nest(rest, value) };
}

const kinds: readonly (readonly [string, unknown, RegExp])[] = [
  ['a negative number', -1, /.*/],
  ['a fraction', 0.5, /analysis_timeout_seconds|epsilon|budget/],
  [
    'a flag',
    true,
    /(enabled|share_cohort_average|encrypt_results|render_charts|require_web_id_proof)$/,
  ],
  ['a list of numbers', [1, 2], /bounds/],
  ['a section', { a: 1 }, /^$/],
];

test.each(
  listKeys().flatMap((path) =>
    kinds.map(([kind, value, fits]) => [path.join('.'), kind, path, value, fits] as const),
  ),
)('%s refuses %s with its line and its name, unless it fits', async (key, _, path, value, fits) => {
  const rest = path[0] === 'analyser' ? {} : { analyser: { web_id: webId } };
  const message = await refusal(stringify({ ...rest, ...nest(path, value) }));
  if (value !== -1 && fits.test(key)) {
    expect(message ?? '').not.toContain(`${key}:`);
  } else {
    expect(message).toMatch(new RegExp(`config\\.yaml:\\d+: ${key.replaceAll('.', '\\.')}`));
  }
});
