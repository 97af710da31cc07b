import type { ResultsDocument } from '../documents/results-document.js';
import { Section } from './blocks.js';
import { counted } from './words.js';

/** What a run wrote back to the Pods that asked. */
export function SharedBack({ sharing }: { sharing: ResultsDocument['sharing'] }) {
  const failures = sharing.published.flatMap(({ failures: reasons }) => Object.entries(reasons));
  const delivered = sharing.published.filter(
    ({ failures: reasons }) => Object.keys(reasons).length === 0,
  );
  return (
    <Section title="Shared back">
      {!sharing.enabled && <p>Write-back was switched off: nothing was published.</p>}
      {sharing.enabled && sharing.published.length === 0 && <p>Nothing was published.</p>}
      {delivered.length > 0 && (
        <p>{counted(delivered.length, 'document')} delivered to the Pods that they are for.</p>
      )}
      {failures.length > 0 && (
        <>
          <p>{counted(failures.length, 'delivery', 'deliveries')} failed:</p>
          <ul class="list long">
            {failures.map(([recipient, reason]) => (
              <li>
                {recipient}
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
