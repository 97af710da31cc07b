import type { ResultsDocument } from '../../src/documents/results-document.js';
import { Section } from '../components/section.js';
import { countOf } from '../format/format-number.js';

/** What the run wrote back to the Pods that asked. */
export function SharingSection({ sharing }: { sharing: ResultsDocument['sharing'] }) {
  const failures = sharing.published.flatMap(({ failures: failed }) => Object.entries(failed));
  const delivered = sharing.published.filter(({ failures: failed }) => isEmpty(failed));
  return (
    <Section title="Shared back">
      {!sharing.enabled && <p>Write-back was switched off: nothing was published.</p>}
      {sharing.enabled && sharing.published.length === 0 && <p>Nothing was published.</p>}
      {delivered.length > 0 && (
        <p>{countOf(delivered.length, 'document')} delivered to the Pods that they are for.</p>
      )}
      {failures.length > 0 && (
        <>
          <p>{countOf(failures.length, 'delivery', 'deliveries')} failed:</p>
          <ul class="plain">
            {failures.map(([recipient, reason], index) => (
              <li key={index}>
                <span class="address">{recipient}</span>
                <br />
                <span class="muted">{reason}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </Section>
  );
}

function isEmpty(failures: Record<string, string>): boolean {
  return Object.keys(failures).length === 0;
}
