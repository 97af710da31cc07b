/** Days and times of the chart: always UTC, always English, whatever the machine is set to. */
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

export function formatDay(time: number): string {
  return `${formatDayOfYear(time)} ${formatYear(time)}`;
}

export function formatDayOfYear(time: number): string {
  return `${new Date(time).getUTCDate()} ${formatMonth(time)}`;
}

export function formatMonth(time: number): string {
  return months[new Date(time).getUTCMonth()] ?? '';
}

export function formatYear(time: number): string {
  return String(new Date(time).getUTCFullYear());
}

export function formatClock(time: number): string {
  return new Date(time).toISOString().slice(11, 16);
}
