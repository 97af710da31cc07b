import { useEffect, useRef, useState } from 'preact/hooks';
import type { Alert } from '../attention/find-alerts.js';
import { formatTime } from '../format/format-time.js';
import type { Live } from '../live/live.js';

interface AnnouncerProps {
  live: Live;
  alerts: readonly Alert[];
}

/** Tells a screen reader what changed on its own: new results, something wrong, its end. */
export function Announcer({ live, alerts }: AnnouncerProps) {
  const [text, setText] = useState('');
  const before = useRef({ live, alerts });
  useEffect(() => {
    const { live: old, alerts: oldAlerts } = before.current;
    before.current = { live, alerts };
    const fresh = alerts.filter(({ title }) => !oldAlerts.some((alert) => alert.title === title));
    const news: string[] = [];
    if (live.results !== null && live.tick > 1 && live.results.run_id !== old.results?.run_id) {
      news.push(`New results: run of ${formatTime(live.results.generated_at)}.`);
    }
    news.push(...fresh.map((alert) => `${alert.title}. ${alert.text}`));
    if (live.problem === null && old.problem !== null) news.push('The HTTP API answers again.');
    if (news.length > 0) setText(news.join(' '));
  }, [live, alerts]);
  return (
    <p class="visually-hidden" role="status">
      {text}
    </p>
  );
}
