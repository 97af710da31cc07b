import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { z } from 'zod';

const axe = new URL('../../../tools/node_modules/axe-core/axe.min.js', import.meta.url);

const findings = z.object({
  violations: z.array(
    z.object({
      id: z.string(),
      impact: z.string().nullish(),
      nodes: z.array(z.object({ html: z.string(), failureSummary: z.string().optional() })),
    }),
  ),
  passes: z.array(z.unknown()),
});

/** What axe finds wrong with the page as it is now, one line per element. */
export async function auditPage(page: Page): Promise<string[]> {
  await page.evaluate(await readFile(axe, 'utf8'));
  const result = findings.parse(await page.evaluate('axe.run(document)'));
  if (result.passes.length === 0) throw new Error('The audit looked at nothing.');
  return result.violations.flatMap(({ id, impact, nodes }) =>
    nodes.map((node) => `${impact ?? 'unknown'} ${id}: ${node.html} ${node.failureSummary ?? ''}`),
  );
}

/** True when something makes the whole page scroll sideways. */
export async function overflows(page: Page): Promise<boolean> {
  const width = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';
  return z.boolean().parse(await page.evaluate(width));
}

/** The visible name of what has the focus. */
export async function focused(page: Page): Promise<string> {
  return z.string().parse(await page.evaluate('document.activeElement.textContent.trim()'));
}
