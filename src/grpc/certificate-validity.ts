import { countOf } from '../base/sentences.js';
import { DAY_MS } from '../base/utc-time.js';

/** What is wrong with the time in which a certificate is valid, or will be within `soonDays`. */
export function judgeValidity(
  file: string,
  { validFrom, validTo }: { validFrom: string; validTo: string },
  now: Date,
  soonDays: number,
): { isValid: boolean; message: string } | null {
  const [from, to] = [new Date(validFrom), new Date(validTo)];
  const renew = 'Renew it; the running service takes up the new file by itself.';
  if (now < from) {
    return {
      isValid: false,
      message: `The certificate ${file} is valid only from ${from.toISOString()}: set the clock of this machine, or take another certificate.`,
    };
  }
  if (now >= to) {
    return {
      isValid: false,
      message: `The certificate ${file} expired on ${to.toISOString()}. ${renew}`,
    };
  }
  const days = Math.floor((to.getTime() - now.getTime()) / DAY_MS);
  if (days >= soonDays) return null;
  return {
    isValid: true,
    message: `The certificate ${file} expires in ${countOf(days, 'day')}, on ${to.toISOString()}. ${renew}`,
  };
}
