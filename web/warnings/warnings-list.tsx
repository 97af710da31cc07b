import { useMemo, useState } from 'preact/hooks';
import type { ResultsDocument } from '../../src/documents/results-document.js';
import { MoreButton } from '../components/more-button.js';
import { countOf, formatCount } from '../format/format-number.js';
import { countWarnings, groupWarnings, type WarningGroup } from './group-warnings.js';

const step = 50;

/** What a run skipped and why, one line per kind that opens to the warnings themselves. */
export function WarningsList({ results }: { results: ResultsDocument }) {
  const groups = useMemo(
    () =>
      groupWarnings(
        results.warnings,
        results.pods.map((pod) => pod.pod_id),
      ),
    [results],
  );
  const total = countWarnings(results.warnings);
  const hint =
    total === 0
      ? 'Nothing was skipped in this run.'
      : `${countOf(total, 'warning')} of ${countOf(groups.length, 'kind')}. What the run left out, and why.`;
  return (
    <>
      <p class="lead">{hint}</p>
      {groups.map((group) => (
        <Group key={group.kind} group={group} />
      ))}
    </>
  );
}

function Group({ group }: { group: WarningGroup }) {
  const [shown, setShown] = useState(step);
  return (
    <details class="warnings">
      <summary>
        <span class="kind">{group.kind}</span>
        <span class="count">{formatCount(group.count)}</span>
      </summary>
      <ul>
        {group.texts.slice(0, shown).map((text, index) => (
          <li key={index}>{text}</li>
        ))}
      </ul>
      <MoreButton
        shown={Math.min(shown, group.texts.length)}
        total={group.texts.length}
        step={step}
        what="warnings"
        onMore={() => setShown(shown + step)}
      />
    </details>
  );
}
