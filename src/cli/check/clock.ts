import { type Finding, notice } from './finding.js';

const mostOffMs = 60_000;

/** `date` as the storage server sent it; its seconds are whole, so two are no difference. */
export function judgeClock(date: string | undefined, now: Date): Finding[] {
  const server = Date.parse(date ?? '');
  if (Number.isNaN(server)) return [];
  const offMs = now.getTime() - server;
  if (Math.abs(offMs) <= mostOffMs) return [];
  const seconds = Math.round(Math.abs(offMs) / 1000);
  return [
    notice(
      `The clock of this machine is ${seconds} seconds ${offMs > 0 ? 'ahead of' : 'behind'} that of the storage server, which refuses logins that look old or early: synchronise both with NTP.`,
    ),
  ];
}
