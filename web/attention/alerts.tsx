import type { Alert } from './find-alerts.js';

/** At the top of every page, before any figure. */
export function Alerts({ alerts }: { alerts: readonly Alert[] }) {
  if (alerts.length === 0) return null;
  return (
    <section class="alerts" aria-label="Attention">
      {alerts.map(({ kind, title, text, link }) => (
        <div key={kind}>
          <h2>{title}</h2>
          <p>
            {text}
            {link !== undefined && (
              <>
                {' '}
                <a href={link.href}>{link.text}</a>
              </>
            )}
          </p>
        </div>
      ))}
    </section>
  );
}
