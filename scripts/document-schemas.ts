import { z } from 'zod';
import { cohortAverageSchema, podAverageSchema } from '../src/documents/published-document.js';
import {
  commonSchemas,
  daysAverageSchema,
  measureSchema,
  podRecordSchema,
  publishedRecordSchema,
  resultsDocumentSchema,
} from '../src/documents/results-document.js';

/** What the documents mention more than once. */
const names = z.registry<{ id: string }>();
const { readingTime: reading_time, timestamp, count, figures, measures } = commonSchemas;
const small = { timestamp, reading_time, count, figures, measures, measure: measureSchema };
const large = {
  days_average: daysAverageSchema,
  pod: podRecordSchema,
  published: publishedRecordSchema,
};
for (const [id, schema] of Object.entries({ ...small, ...large })) names.add(schema, { id });

const documents = [
  {
    file: 'results.schema.json',
    title: 'Results document',
    description: 'var/results/latest.json and var/results/run-<run_id>.json.',
    schema: resultsDocumentSchema,
  },
  {
    file: 'pod-average.schema.json',
    title: 'Per-Pod result',
    description: 'bp-average.json.enc.ttl, decrypted. Readers must tolerate that chart is absent.',
    schema: podAverageSchema,
  },
  {
    file: 'cohort-average.schema.json',
    title: 'Cohort result',
    description: 'bp-cohort-average.json.enc.ttl, decrypted.',
    schema: cohortAverageSchema,
  },
];

/** The JSON Schemas of docs/schemas, by file name. */
export function renderSchemas(): Map<string, string> {
  return new Map(
    documents.map(({ file, title, description, schema }) => {
      const body = z.toJSONSchema(schema, { metadata: names, override: simplify });
      const { $schema, ...rest } = body;
      return [file, `${print({ $schema, title, description, ...rest })}\n`];
    }),
  );
}

/** Drops what only repeats, and the one format that JSON Schema does not know. */
function simplify({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
  if (jsonSchema.format === 'base64') delete jsonSchema.format;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
}

/** Like JSON.stringify, but a value that fits into a line of 100 characters stands on one line. */
function print(value: unknown, indent = '\n', room = 100): string {
  const line = JSON.stringify(value, null, 1).replaceAll(/\n */g, ' ');
  if (line.length <= room || typeof value !== 'object' || value === null) return line;
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const inner = `${indent}  `;
  const lines = Object.entries(value).map(([name, each]) => {
    const start = `${inner}${Array.isArray(value) ? '' : `${JSON.stringify(name)}: `}`;
    return start + print(each, inner, 100 - start.length);
  });
  return `${open}${lines.join()}${indent}${close}`;
}
