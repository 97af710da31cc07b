import type { RefObject } from 'preact';
import type { ResultsDocument } from '../../src/documents/results-document.js';
import { Section } from '../components/section.js';
import { countOf } from '../format/format-number.js';

interface SharingSectionProps {
  sharing: ResultsDocument['sharing'];
  /** Where a link leads that is about what failed. */
  failed?: RefObject<HTMLDivElement | null>;
}

/** What the run wrote back to the Pods that asked. */
export function SharingSection({ sharing, failed }: SharingSectionProps) {
  const failures = sharing.published.flatMap(({ failures: reasons }) => Object.entries(reasons));
  const delivered = sharing.published.filter(({ failures: reasons }) => isEmpty(reasons));
  return (
    <Section title="Shared back">
      {!sharing.enabled && <p>Write-back was switched off: nothing was published.</p>}
      {sharing.enabled && sharing.published.length === 0 && <p>Nothing was published.</p>}
      {delivered.length > 0 && (
        <p>{countOf(delivered.length, 'document')} delivered to the Pods that they are for.</p>
      )}
      {failures.length > 0 && (
        <div {...(failed && { ref: failed })} tabIndex={-1}>
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
        </div>
      )}
    </Section>
  );
}

function isEmpty(failures: Record<string, string>): boolean {
  return Object.keys(failures).length === 0;
}
