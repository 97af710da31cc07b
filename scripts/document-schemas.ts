import { z } from 'zod';
import { cohortAverageSchema, podAverageSchema } from '../src/documents/published-document.js';
import {
  daysAverageSchema,
  documentParts,
  measureSchema,
  podEntrySchema,
  publishedEntrySchema,
  resultsDocumentSchema,
} from '../src/documents/results-document.js';

/** What the documents mention more than once. */
const names = z.registry<{ id: string }>();
names.add(documentParts.timestamp, { id: 'timestamp' });
names.add(documentParts.readingTime, { id: 'reading_time' });
names.add(documentParts.count, { id: 'count' });
names.add(documentParts.figures, { id: 'figures' });
names.add(documentParts.measures, { id: 'measures' });
names.add(measureSchema, { id: 'measure' });
names.add(daysAverageSchema, { id: 'days_average' });
names.add(podEntrySchema, { id: 'pod' });
names.add(publishedEntrySchema, { id: 'published' });

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
      return [file, `${JSON.stringify({ $schema, title, description, ...rest }, null, 2)}\n`];
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
