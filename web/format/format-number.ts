const missing = '–';

const upToOneDigit = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 1 });
const whole = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 0 });

/**
 * An average or a deviation, as the chart and the app round it. A cuff measures whole units: more than
 * one decimal would pretend.
 */
export function formatAverage(value: number | null): string {
  return value === null ? missing : value.toFixed(1);
}

/** A single reading: whole, unless it was recorded with a fraction. */
export function formatReading(value: number | null): string {
  return value === null ? missing : upToOneDigit.format(value);
}

export function formatCount(value: number): string {
  return whole.format(value);
}

/** `1 Pod`, `2 Pods`. */
export function countOf(count: number, singular: string, plural = `${singular}s`): string {
  return `${formatCount(count)} ${count === 1 ? singular : plural}`;
}

const signed = new Intl.NumberFormat('en-GB', {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
  signDisplay: 'exceptZero',
});

/** `+0.4`, `−1.2`, `0.0`. */
export function formatChange(value: number): string {
  return signed.format(value).replace('-', '−');
}

/** `40 kB`, `1.3 MB`, `1,200 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1e6) return `${formatCount(bytes / 1e3)} kB`;
  const megabytes = bytes / 1e6;
  return `${megabytes < 10 ? megabytes.toFixed(1) : formatCount(megabytes)} MB`;
}
