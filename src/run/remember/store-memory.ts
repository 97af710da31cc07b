import type { Config } from '../../config/schema.js';
import { withheldWarning } from '../../documents/withheld.js';
import type { FoundMemory } from '../../memory/stored-memory.js';
import type { ChartStore } from '../../store/chart-store.js';
import type { Conclusion } from '../conclude/conclude.js';
import { withhold } from '../conclude/tell-cohort.js';
import type { MemoryAccess } from './memory-access.js';

interface Keeping {
  access: Pick<MemoryAccess, 'keep'>;
  charts: Pick<ChartStore, 'keepOnly' | 'remove'>;
  config: { sharing: Pick<Config['sharing'], 'enabled'> };
  writingEnds: AbortSignal;
}

/**
 * Stores the memory before anything leaves. If it cannot be stored, no figure of the cohort leaves: `conclusion` is
 * what readers may be told now, and `notices` say why, for the log of the service and the run documents.
 */
export async function storeMemory(
  before: FoundMemory,
  concluded: Conclusion,
  { access, charts, config, writingEnds }: Keeping,
) {
  const { memory, charted, withdrawn, told } = concluded;
  const unkept = await access.keep(before, memory, writingEnds);
  if (unkept === null) {
    if (charted !== null) await charts.keepOnly(charted);
    const { withheld } = told;
    const isSaid = withheld !== null && config.sharing.enabled;
    const notices = isSaid ? [withheldWarning(withheld)] : [];
    return { isStored: true, conclusion: concluded, notices };
  }
  // Nobody knows whose other charts may go.
  for (const podId of withdrawn) await charts.remove(podId);
  const withoutFigures = withhold(told, { reason: unkept, until_confirmed: false });
  const notice = `What this analysis found out was not remembered, so no figures of the cohort were sent: ${unkept}.`;
  return {
    isStored: false,
    conclusion: { ...concluded, told: withoutFigures },
    notices: [notice],
  };
}
